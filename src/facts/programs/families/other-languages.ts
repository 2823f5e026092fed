import { unwrapLimits } from '../../../model/limits.ts'
import { readOptions } from '../../../model/options.ts'
import type { ShellCommand, ShellWord } from '../../../model/shell.ts'
import type { EffectRecorder } from '../effects.ts'
import { looksLikePath } from '../looks.ts'
import type { Line, Rows } from '../row.ts'
import { splitWords } from '../split.ts'
import { fewRuns, type Starts } from '../starts.ts'
import { known } from '../words.ts'

const inLines = 'e c eval f=execute file=execute load=execute script=execute'

function touchFile(line: Line, recorder: EffectRecorder): void {
  const own = line.has('e', 'c', 'eval') ? 0 : 1
  if (own === 1) recorder.touch(line.operands[0], 'execute')
  for (const word of line.operands.slice(own)) if (looksLikePath(word.value)) recorder.touch(word, 'read')
}

/** Interpreters of languages without a scanner. Calls that start a program or delete a folder are found by patterns. */
export const otherLanguages: Rows = {
  'guile racket scheme chez gosh sbcl clisp ecl ccl abcl ocaml ghc ghci runghc runhaskell scala scala-cli amm groovy groovysh kotlin swift elixir iex erl escript crystal nim raku perl6 clojure clj bb jshell fennel janet dart hy':
    {
      options: inLines,
      operandsLast: true,
      effects: touchFile,
      starts: startOther,
    },
  'tclsh wish expect': { options: inLines, operandsLast: true, effects: touchFile, starts: startTcl },
}

const literal = String.raw`(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')`
/** Matches string literals that only commas, brackets and white space separate. */
const literals = String.raw`${literal}(?:[\s,[\](){}:]{0,9}${literal}){0,31}`

const starting = new RegExp(
  String.raw`\b(?:os:cmd|open_port|(?:System\.)?(?:cmd|shell)|system\*?|exec|execute|spawn\w*|popen|run-program|run-shell-command|shell-command|sh|command|callCommand|callProcess|readProcess|process\*?|Process|ProcessBuilder|Command|open-input-pipe|execFile)\b[^"'\n]{0,16}(${literals})`,
  'g',
)
/** Matches Groovy's `"ls -l".execute()` and Scala's `"ls -l".!`. */
const startedBehind = new RegExp(String.raw`(${literal})\s?\.\s?(?:execute\b|!!?|lazyLines\b|lineStream\b)`, 'g')
const deleting = new RegExp(
  String.raw`\b(?:rm_rf!?|rm-rf|delete-directory(?:/files)?|delete-directory-tree|delete-tree|deleteDirectory|forceDelete|removeDirectoryRecursive|removePathForcibly|remove_dir_all|remove_tree|removeDir|del_dir_r|rmtree|rm-r)[^"'\n]{0,24}(${literal})`,
  'g',
)
/** Matches Groovy's `new File("/a").deleteDir()` and Kotlin's `deleteRecursively`. */
const deletedBehind = new RegExp(String.raw`(${literal})\s?\)?\s?\.\s?(?:deleteDir|deleteRecursively|rm_rf)\b`, 'g')

const textOf = (quoted: string): string => quoted.slice(1, -1).replaceAll(/\\(.)/gs, '$1')

/** Cuts the source to a maximum length, since the patterns take superlinear time on unterminated literals. */
function bounded(source: string, { leftOut }: Starts): string {
  if (source.length > unwrapLimits.otherCodeMax) leftOut('its code is longer than is analyzed')
  return source.slice(0, unwrapLimits.otherCodeMax)
}

function startsIn(source: string, starts: Starts): void {
  const code = bounded(source, starts)
  const home = starts.variable('HOME')?.value
  for (const [, given = ''] of fewRuns([...code.matchAll(starting), ...code.matchAll(startedBehind)], starts)) {
    const [first = '', ...others] = (given.match(new RegExp(literal, 'g')) ?? []).map(textOf)
    if (/\s/.test(first)) starts.script(known(first))
    else starts.words([first, ...others].map(known))
  }
  for (const [, given = ''] of fewRuns([...code.matchAll(deleting), ...code.matchAll(deletedBehind)], starts)) {
    const path = textOf(given).replace(/^~(?=\/|$)/, () => home ?? '~')
    starts.words([known('rm'), known('-rf'), known(path)])
  }
}

const codeOption = /^(?:-e|--?eval|-c|-r|--expr|--expression|--execute|-i)(?:=|$)/

const codeOf = (args: readonly ShellWord[]): readonly string[] =>
  args.flatMap(({ value }, at) => {
    if (!codeOption.test(value)) return []
    const equals = value.indexOf('=')
    return equals === -1 ? [args[at + 1]?.value ?? ''] : [value.slice(equals + 1)]
  })

function startOther(_: Line, starts: Starts, { args, stdin }: ShellCommand): void {
  const code = codeOf(args)
  for (const one of code) startsIn(one, starts)
  const isFile = args.some(({ value }) => !value.startsWith('-'))
  if (code.length > 0 || isFile || stdin === undefined) return
  // Unknown code may start anything, as an unknown shell script may.
  if (stdin.unresolved) starts.script(stdin)
  else startsIn(stdin.value, starts)
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
