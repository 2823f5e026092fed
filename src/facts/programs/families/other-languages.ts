import type { Row, Line } from '../row.ts'
import { merges } from './code-hosting.ts'
import { manager } from '../deeds/packages.ts'
import type { Family } from '../program.ts'
import { unwrapLimits } from '../../../model/limits.ts'
import { readOptions } from '../../../words/options.ts'
import type { ShellCommand, ShellWord } from '../../../model/shell.ts'
import type { EffectRecorder } from '../effects.ts'
import { looksLikePath, splitWords, known } from '../words.ts'
import { fewRuns, type Starts } from '../starts.ts'
import { startsIn } from './other-code.ts'

const inLines =
  'e c eval f=execute file=execute load=execute script=execute startup=execute execution feedback class-path module-path add-modules'

function touchFile(line: Line, recorder: EffectRecorder): void {
  const own = line.has('e', 'c', 'eval') ? 0 : 1
  if (own === 1) recorder.touch(line.operands[0], 'execute')
  for (const word of line.operands.slice(own)) if (looksLikePath(word.value)) recorder.touch(word, 'read')
}

const guileRow: Row = { options: inLines, operandsLast: true, effects: touchFile, starts: startOther }

/** Interpreters of languages without a scanner. What their code does is found by patterns. */
export const otherLanguages: Family = {
  rows: { obeysFolder: true, codeOnStdin: 'language' },
  programs: {
    'gdb lldb': {
      obeys: { when: /(?:^| )(?:-x|--command)\b/ },
      options: 'x=execute command=execute s=execute source=execute ex eval e p pid c core d directory=read',
      operands: 'execute',
      runsStdin: ({ has }) => !has('help', 'version'),
    },
    octave: {
      options: 'eval p path=read +no-gui +quiet +persist',
      first: 'execute',
      operandsLast: true,
      runsStdin: ({ operands, has }) => operands.length === 0 && !has('help', 'version', 'eval'),
    },
    swift: {
      ...guileRow,
      does: {
        area: 'cloud-providers',
        says: {
          'delete -a|--all': { kind: 'delete', object: 'all containers', thing: 'data' },
          delete: { kind: 'delete', object: 'container or object', thing: 'data' },
        },
        never: ['delete'],
      },
      looks: 'package describe|dump-package|show-dependencies; --version []',
    },
    bb: {
      ...guileRow,
      does: { area: 'code-hosting', byVerb: 'never', nouns: 'pipeline repo', also: [merges('pr merge')] },
    },
    dart: {
      ...guileRow,
      does: {
        area: 'packages',
        ...manager({ installs: ['pub add', 'pub global activate'], publishes: ['pub publish'] }),
      },
      looks: 'pub deps|outdated; analyze|info !--write; --version [] ..0',
    },
    scala: { ...guileRow, looks: { oneDash: true, lines: '--version [] ..0' } },
    'guile racket scheme chez gosh sbcl clisp ecl ccl abcl ocaml ghc ghci runghc runhaskell scala-cli amm groovy groovysh kotlin elixir iex erl escript crystal nim raku perl6 clojure clj jshell fennel janet hy csharp csi dotnet-script scriptcs gdscript joker yaegi gore gomacro rust-script evcxr fsi fsharpi csharprepl scilab gst smalltalk rebol io':
      { ...guileRow },
    'tclsh wish expect': {
      options: inLines,
      operandsLast: true,
      effects: touchFile,
      starts: startTcl,
      runsStdin: ({ operands: [file] }) => file?.value === '-',
    },
  },
}

const codeOption = /^(?:-e|--?eval|-c|-r|--expr|--expression|--execute|-i|--do|--cli|eval$)(?:=|$)/

const codeOf = (args: readonly ShellWord[]): readonly string[] =>
  args.flatMap(({ value }, at) => {
    if (!codeOption.test(value)) return []
    const equals = value.indexOf('=')
    return equals === -1 ? [args[at + 1]?.value ?? ''] : [value.slice(equals + 1)]
  })

function startOther(line: Line, starts: Starts, { program, args, stdin }: ShellCommand): void {
  const { operands } = line
  const code = codeOf(args)
  const files = [...operands, ...line.values('f', 'file', 'load', 'script')].slice(0, unwrapLimits.runsMax)
  const contents = code.length > 0 ? [] : files.flatMap((file) => starts.content(file) ?? [])
  for (const one of [...code, ...contents.map(({ value }) => value)]) {
    startsIn(one, starts)
    startEscapes(program, one, starts)
  }
  const isFile = operands.some(({ value }) => value !== '-')
  if (code.length > 0 || isFile || stdin === undefined) return
  // Unknown code may start anything, as an unknown shell script may.
  if (stdin.unresolved) starts.script(stdin)
  else {
    startsIn(stdin.value, starts)
    startEscapes(program, stdin.value, starts)
  }
}

/** Starts the commands that a language's own signs mark: GHCi's `:!ls`, Crystal's `` `ls` ``. */
function startEscapes(program: string, code: string, starts: Starts): void {
  const escape = program === 'ghci' ? /^[ \t]*:!(.+)$/gm : program === 'crystal' ? /`([^`\n]+)`/g : undefined
  if (escape === undefined) return
  const source = code.slice(0, unwrapLimits.otherCodeMax)
  for (const [, text = ''] of fewRuns([...source.matchAll(escape)], starts)) starts.script(known(text))
}

/** Starts the programs in Tcl code (`spawn`, `exec`, `system`), and records `file delete` as `rm`. */
function startTcl(_: Line, starts: Starts, { args, stdin }: ShellCommand): void {
  const read = readOptions(args, { valued: ['c', 'f', 'b'], operandsLast: true })
  const texts = [...read.values('c'), ...(read.operands.length === 0 && stdin !== undefined ? [stdin] : [])]
  for (const text of texts) {
    if (text === stdin && text.unresolved) starts.script(text)
    const { value } = text
    for (const found of value.matchAll(/(?:^|[;\n[{])[ \t\r]*(?:spawn(?:\s+-noecho)?|exec|system)\s+([^;\n\]}]+)/g)) {
      starts.words(splitWords((found[1] ?? '').replaceAll(/[{}]/g, "'")))
    }
    // What is sent to a program that was spawned may be typed into a shell.
    for (const found of value.matchAll(/(?:^|[;\n[{])[ \t\r]*send(?:\s+--)?\s+"((?:[^"\\]|\\.)*)"/g))
      starts.script(known((found[1] ?? '').replaceAll(/\\[rn]/g, '\n').replaceAll(/\\(.)/g, '$1')))
    for (const found of value.matchAll(/(?:^|[;\n[{])[ \t\r]*file\s+delete\s+(-force\s+)?(?:--\s+)?([^;\n\]}]+)/g)) {
      starts.words([known('rm'), known(found[1] === undefined ? '-f' : '-rf'), ...splitWords(found[2] ?? '')])
    }
  }
}
