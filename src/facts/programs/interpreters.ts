import type { Doing } from './doing.ts'
import type { Line } from './line.ts'
import { looksLikePath } from './looks.ts'
import type { Row, Rows } from './row.ts'

/** Programs that run a file of code. What their inline code does is found elsewhere. */

/** The first operand is the script, unless an option has the code; the others are for the script. */
function script(inline: string, more: Omit<Row, 'also'>): Row {
  const names = inline.split(' ')
  return {
    ...more,
    operandsLast: true,
    also(line, doing) {
      const own = line.has(...names) ? 0 : 1
      if (own === 1) doing.touch(line.operands[0], 'execute')
      for (const word of line.operands.slice(own)) if (looksLikePath(word.value)) doing.touch(word, 'read')
    },
  }
}

/** Where code on the command line goes through files: `perl -pi -e`, `ruby -ne`. */
function oneLiner(options: string): Row {
  return {
    options,
    operandsLast: true,
    also(line, doing) {
      const inline = line.has('e', 'E')
      const inPlace = line.has('i')
      const files = inline ? line.operands : line.operands.slice(1)
      if (!inline) doing.touch(line.operands[0], 'execute')
      const loops = line.has('n', 'p')
      for (const word of files) if (loops || looksLikePath(word.value)) doing.touch(word, inPlace ? 'edit' : 'read')
    },
  }
}

const shell = script('c s', {
  options: 'c o O rcfile=execute init-file=execute +login +posix +norc +noprofile +restricted +verbose',
})

export const interpreters: Rows = {
  'bash sh zsh dash ksh mksh ash rbash fish csh tcsh yash elvish nu xonsh osh rc es': shell,
  'python pypy ipython micropython jython': script('c m', { options: 'c m W X Q check-hash-based-pycs' }),
  'node nodejs': script('e eval p print', {
    options:
      'e eval p print r=execute require=execute import=execute loader=execute experimental-loader=execute env-file=read env-file-if-exists=read C conditions input-type title max-old-space-size test-name-pattern test-reporter inspect? inspect-brk? +check +interactive +test +watch',
    shortHelp: true,
  }),
  'tsx ts-node ts-node-esm babel-node esno jiti swc-node': script('e eval p print', {
    options: 'e eval p print r=execute require=execute P=read project=read tsconfig=read env-file=read',
  }),
  'deno bun': {
    options:
      'c=read config=read import-map=read env-file=read preload=execute r=execute cwd=names outdir=into outfile=write o=write output=write',
    also: subcommanded,
  },
  perl: oneLiner('e E i? I=names M m F?'),
  'ruby jruby truffleruby rbx': oneLiner(
    'e i? I=names r=execute C=names F? E encoding external-encoding internal-encoding',
  ),
  'php hhvm': {
    options:
      'r run f=execute file=execute B process-begin R process-code F=execute process-file=execute E process-end c=read php-ini=read d define z=execute S server t=names docroot=names',
    operandsLast: true,
    network: (line) => (line.has('S', 'server') ? { direction: 'listen' } : undefined),
    also(line, doing) {
      if (!line.has('r', 'run', 'f', 'file', 'R', 'B')) doing.touch(line.operands[0], 'execute')
    },
  },
  'lua luajit texlua': script('e', { options: 'e l' }),
  'rscript littler': script('e', { options: 'e' }),
  r: { options: 'e f=execute file=execute', also: (line, doing) => lastOperands(line, doing) },
  julia: script('e eval E print', {
    options: 'e eval E print L=execute load=execute p procs t threads project J=read sysimage=read',
  }),
  'tclsh wish expect guile racket scheme sbcl clisp ocaml ghci runghc runhaskell scala groovy kotlin swift elixir escript erl crystal nim dart raku':
    script('e c eval', { options: 'e c eval f=execute file=execute load=execute script=execute' }),
  osascript: script('e', { options: 'e l s' }),
  'powershell pwsh': {
    options:
      'c command e ec enc encodedcommand f=execute file=execute ex ep executionpolicy w windowstyle wd workingdirectory=names version inputformat outputformat',
    oneDash: true,
    operandsLast: true,
    // Its options are in any case.
    words: ({ args }) =>
      args.map((word) => (word.value.startsWith('-') ? { ...word, value: word.value.toLowerCase() } : word)),
    also(line, doing) {
      const [first] = line.operands
      if (first?.value.endsWith('.ps1') === true) doing.touch(first, 'execute')
    },
  },

  'java javaw': {
    options:
      'cp=read classpath=read class-path=read jar=execute javaagent?=execute p=read module-path=read m module agentpath?=execute',
    oneDash: true,
    operandsLast: true,
    also(line, doing) {
      const [first] = line.operands
      if (first?.value.endsWith('.java') === true) doing.touch(first, 'execute')
    },
  },
  'dotnet mono wine': { operandsLast: true, also: (line, doing) => firstFile(line, doing) },
  go: {
    options: 'C=names o=write mod modfile=read ldflags gcflags tags p run count timeout exec=execute',
    oneDash: true,
    also(line, doing) {
      const [verb, ...rest] = line.operands
      if (verb === undefined) return
      const role = verb.value === 'run' ? 'execute' : 'read'
      for (const word of rest) if (looksLikePath(word.value) || word.value.endsWith('.go')) doing.touch(word, role)
    },
  },
  'ansible-playbook': {
    options: 'i=read inventory=read e extra-vars vault-password-file=read private-key=read l limit t tags',
    operands: 'execute',
  },
  'jupyter nbconvert papermill': { operands: 'read' },
}

function firstFile(line: Line, doing: Doing): void {
  const [first] = line.operands
  if (first !== undefined && (looksLikePath(first.value) || /\.(?:dll|exe)$/i.test(first.value)))
    doing.touch(first, 'execute')
}

function lastOperands(line: Line, doing: Doing): void {
  for (const word of line.operands) if (looksLikePath(word.value)) doing.touch(word, 'read')
}

/** `deno run f`, `bun f`: a file is run with or without the word. */
function subcommanded(line: Line, doing: Doing): void {
  const [first, second] = line.operands
  if (first === undefined) return
  if (first.value === 'run' || first.value === 'test')
    doing.touch(second !== undefined && isFile(second.value) ? second : undefined, 'execute')
  else if (isFile(first.value)) doing.touch(first, 'execute')
}
const isFile = (value: string): boolean => /[/.]/.test(value) && !/^https?:/.test(value)
