import { unwrapLimits } from '../../../model/limits.ts'
import type { ShellWord } from '../../../model/shell.ts'
import type { Starts, Unwrap } from '../unwrap.ts'
import { splitWords } from './split.ts'
import { known, names } from './words.ts'
import { fewRuns } from './xargs.ts'

// Languages that nobody reads here, but whose calls that start a program, or delete a folder, all look alike.

const literal = String.raw`(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')`
/** Texts one behind the other, with nothing but commas and brackets between them. */
const literals = String.raw`${literal}(?:[\s,[\](){}:]{0,9}${literal}){0,31}`

const starting = new RegExp(
  String.raw`\b(?:os:cmd|open_port|(?:System\.)?(?:cmd|shell)|system\*?|exec|execute|spawn\w*|popen|run-program|run-shell-command|shell-command|sh|command|callCommand|callProcess|readProcess|process\*?|Process|ProcessBuilder|Command|open-input-pipe|execFile)\b[^"'\n]{0,16}(${literals})`,
  'g',
)
/** `"ls -l".execute()` of Groovy, `"ls -l".!` of Scala. */
const startedBehind = new RegExp(String.raw`(${literal})\s?\.\s?(?:execute\b|!!?|lazyLines\b|lineStream\b)`, 'g')
const deleting = new RegExp(
  String.raw`\b(?:rm_rf!?|rm-rf|delete-directory(?:/files)?|delete-directory-tree|delete-tree|deleteDirectory|forceDelete|removeDirectoryRecursive|removePathForcibly|remove_dir_all|remove_tree|removeDir|del_dir_r|rmtree|rm-r)[^"'\n]{0,24}(${literal})`,
  'g',
)
/** `new File("/a").deleteDir()` of Groovy and Kotlin. */
const deletedBehind = new RegExp(String.raw`(${literal})\s?\)?\s?\.\s?(?:deleteDir|deleteRecursively|rm_rf)\b`, 'g')

const textOf = (quoted: string): string => quoted.slice(1, -1).replaceAll(/\\(.)/gs, '$1')

/** Looking for texts takes ever longer where none of them ends. */
function bounded(source: string, { leftOut }: Starts): string {
  if (source.length > unwrapLimits.otherCodeMax) leftOut('its code is longer than is looked at')
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

const other: Unwrap = ({ args, stdin }, starts) => {
  const code = codeOf(args)
  for (const one of code) startsIn(one, starts)
  const isFile = args.some(({ value }) => !value.startsWith('-'))
  if (code.length === 0 && !isFile && stdin?.unresolved !== true && stdin !== undefined) startsIn(stdin.value, starts)
}

/** Tcl's words have no quotes: `exec rm -rf /a`, `file delete -force /a`. */
const tcl: Unwrap = (command, starts) => {
  const text = command.stdin?.unresolved === true ? undefined : command.stdin?.value
  if (text === undefined || command.args.some(({ value }) => !value.startsWith('-'))) return
  const found = bounded(text, starts).matchAll(/\b(exec|file\s+delete\s+-force)\s+(?:--\s+)?([^\n;\]]+)/g)
  for (const [, how = '', words = ''] of fewRuns([...found], starts)) {
    starts.words(how === 'exec' ? splitWords(words) : [known('rm'), known('-rf'), ...splitWords(words)])
  }
}

const programs = names(`guile racket scheme chez gosh sbcl clisp ecl ccl abcl ocaml ghc ghci runghc runhaskell scala
  scala-cli amm groovy groovysh kotlin kotlinc swift elixir iex erl escript crystal nim raku perl6 clojure clj bb lein
  jshell fennel janet dart hy`)

export const otherLanguages: Readonly<Record<string, Unwrap>> = {
  ...Object.fromEntries(programs.map((program) => [program, other])),
  tclsh: tcl,
  wish: tcl,
}
