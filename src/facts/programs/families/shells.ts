import { byVerb, codeStage } from '../deeds/deeds.ts'
import type { Row, CommandView, Line } from '../row.ts'
import type { Family } from '../program.ts'
import { type ShellCommand, type ShellWord, unknownPart } from '../../../model/shell.ts'
import type { EffectRecorder } from '../effects.ts'
import { looksLikePath, roleBehind, changed, known } from '../words.ts'
import type { Starts } from '../starts.ts'
import { ownOptions, startsAll, type Judge } from '../looks/look.ts'

const posixShell: Row = {
  output: (line) =>
    line.has('x', 'v', 'verbose') || line.values('o').some(({ value }) => /^(?:xtrace|verbose)$/.test(value))
      ? 'traces'
      : undefined,
  options: 'o O rcfile=execute init-file=execute emulate +login +posix +norc +noprofile +restricted +verbose',
  operandsLast: true,
  words: ({ args }) => withoutPlus(args),
  effects: touchScript,
  starts: startShell,
}

const otherShell: Row = {
  options: 'c command commands execute C init-command rcfile=execute features debug-output config env-config profile o',
  operandsLast: true,
  effects: touchScript,
  starts(line, starts, command) {
    if (line.has('help', 'version') || onlyChecks(line, command.args)) return starts.wrapper()
    const scripts = line.values('c', 'command', 'commands', 'execute', 'C', 'init-command')
    for (const script of scripts) starts.script(script)
    if (scripts.length > 0) starts.wrapper()
    else startFileOrStdin(line, line.operands, starts, command)
  },
}

const shellSafe = /^(?:[ceiluxvfmnoOpBCEHPT]|login|noprofile|norc|posix|verbose|restricted|r)$/

const onlyRunsText: Judge = (look) => {
  const { given } = ownOptions(look, 'o O c')
  return startsAll(look) && given.every(({ name }) => shellSafe.test(name)) && given.some(({ name }) => name === 'c')
}

/** Shells. Their `-c` takes no value: the script is the first operand. */
export const shells: Family = {
  rows: { codeOnStdin: 'shell' },
  programs: {
    // Shells with the command line of `sh`.
    es: { ...posixShell, does: { area: 'monitoring', ...byVerb } },
    'bash sh zsh dash ksh': { shared: true, ...posixShell, does: codeStage, looks: onlyRunsText, noHelp: true },
    'mksh ash rbash csh tcsh yash osh xonsh rc pdksh lksh oksh ysh hush posh rzsh rdash rksh mksh-static': {
      ...posixShell,
    },
    fish: { ...otherShell, does: codeStage },
    'nu elvish': otherShell,
  },
}

/** Spells the ways in which xonsh runs commands as a POSIX shell does: `![…]`, `$[…]`; `@(…)` is a value of Python. */
const asPosix = (script: string): string =>
  script.replaceAll(/@\([^()]*\)/g, unknownPart).replaceAll(/[!$]\[([^[\]]*)\]/g, '($1)')

/** Removes the options that are turned off with `+`, and keeps the value of `+o NAME` from becoming an operand. */
function withoutPlus(args: readonly ShellWord[]): readonly ShellWord[] {
  let at = 0
  while (/^[-+]./.test(args[at]?.value ?? '') && args[at]?.value !== '--')
    at += /^[-+]\w*[oO]$/.test(args[at]?.value ?? '') ? 2 : 1
  const options = args.slice(0, at).flatMap((word) => {
    if (!word.value.startsWith('+')) return [word]
    return /[oO]$/.test(word.value) ? [known('-o')] : []
  })
  return [...options, ...args.slice(at)]
}

/** Tells whether a shell only parses its script: `bash -n`, which `+n` takes back. */
const onlyChecks = (line: Line, args: readonly ShellWord[]): boolean =>
  (line.has('n', 'no-execute') || line.values('o').some(({ value }) => value === 'noexec')) &&
  !args.some(({ value }) => /^\+\w*[no]/.test(value))

/** Records the script, which is the first operand except with `-c` and `-s`; the others are the script's arguments. */
function touchScript(line: Line, recorder: EffectRecorder, { args, stdin }: CommandView): void {
  if (onlyChecks(line, args)) return line.operands.slice(0, 1).forEach((word) => recorder.touch(word, 'read'))
  const own = line.has('c', 's') ? 0 : 1
  for (const text of [stdin, line.has('c') ? line.operands[0] : undefined])
    if (text?.value === unknownPart) recorder.mayTouch(text, 'execute')
  if (own === 1) recorder.touch(line.operands[0], 'execute')
  for (const [at, word] of line.operands.entries())
    if (at >= own && looksLikePath(word.value)) recorder.touch(word, roleBehind(line.operands[at - 1]))
}

function startShell(line: Line, starts: Starts, command: ShellCommand): void {
  if (line.has('help', 'version') || onlyChecks(line, command.args)) return starts.wrapper()
  for (const file of line.values('rcfile', 'init-file')) {
    const content = starts.content(file)
    if (content === undefined) starts.words([known('source'), file])
    else starts.script(content)
  }
  // A single dash ends the options, like `--`.
  const operands = line.operands[0]?.value === '-' ? line.operands.slice(1) : line.operands
  if (!line.has('c')) return startFileOrStdin(line, operands, starts, command)
  const [first, ...others] = operands
  if (first === undefined) starts.uncertain('the shell gets no script to run, or one from elsewhere')
  else starts.script(command.program === 'xonsh' ? changed(first, asPosix(first.value)) : first, { parameters: others })
  starts.wrapper()
}

function startFileOrStdin(
  line: Line,
  operands: readonly ShellWord[],
  starts: Starts,
  { program, stdin }: ShellCommand,
): void {
  const [first] = operands
  if (first !== undefined && !line.has('s')) {
    const content = starts.content(first)
    if (content !== undefined) starts.script(content, { parameters: operands })
  } else if (stdin !== undefined) {
    starts.wrapper()
    const parameters = line.has('s') ? [known(program), ...operands] : operands
    starts.script(stdin, { parameters, stdin: 'none' })
  }
}
