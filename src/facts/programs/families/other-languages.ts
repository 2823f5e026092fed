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
import { shellWord } from '../../../model/text.ts'

const inLines =
  'e c eval f=execute file=execute load=execute script=execute startup=execute execution feedback class-path module-path add-modules'

function touchFile(line: Line, recorder: EffectRecorder): void {
  const own = line.has('e', 'c', 'eval') ? 0 : 1
  if (own === 1) recorder.touch(line.operands[0], 'execute')
  for (const word of line.operands.slice(own)) if (looksLikePath(word.value)) recorder.touch(word, 'read')
}

const scriptRunner: Row = { options: inLines, operandsLast: true, effects: touchFile, starts: startOther }

/** Interpreters of languages without a scanner. What their code does is found by patterns. */
export const otherLanguages: Family = {
  rows: { obeysFolder: true, codeOnStdin: 'language' },
  programs: {
    'gdb lldb': {
      obeys: { when: /(?:^| )(?:-x|--command)\b/ },
      options: 'x=execute command=execute s=execute source=execute ex eval e p pid c core d directory=read',
      operands: 'execute',
      runsStdin: ({ has }) => !has('help', 'version', 'batch', 'b'),
      hindersProcesses: true,
    },
    octave: {
      options: 'eval p path=read +no-gui +quiet +persist',
      first: 'execute',
      operandsLast: true,
      runsStdin: ({ operands, has }) => operands.length === 0 && !has('help', 'version', 'eval'),
    },
    swift: {
      ...scriptRunner,
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
      ...scriptRunner,
      does: { area: 'code-hosting', byVerb: 'never', nouns: 'pipeline repo', also: [merges('pr merge')] },
    },
    dart: {
      ...scriptRunner,
      does: {
        area: 'packages',
        ...manager({ installs: ['pub add', 'pub global activate'], publishes: ['pub publish'] }),
      },
      looks: 'pub deps|outdated; analyze|info !--write; --version [] ..0',
    },
    scala: { ...scriptRunner, looks: { oneDash: true, lines: '--version [] ..0' } },
    'guile racket scheme chez gosh sbcl clisp ecl ccl abcl ocaml ghc ghci runghc runhaskell scala-cli amm groovy groovysh kotlin elixir iex erl escript crystal nim raku perl6 clojure clj jshell fennel janet hy csharp csi dotnet-script scriptcs gdscript joker yaegi gore gomacro rust-script evcxr fsi fsharpi csharprepl scilab gst smalltalk rebol io':
      scriptRunner,
    'tclsh wish expect': {
      options: inLines,
      operandsLast: true,
      effects: touchFile,
      starts: startTcl,
      runsStdin: ({ operands: [file] }) => file?.value === '-',
      opensSockets: true,
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

const literal = String.raw`(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')`
/** Matches string literals that only commas, brackets, white space and the name of a list separate. */
const literals = String.raw`${literal}(?:(?:[\s,[\](){}:&]|\blist\b|\.args?\b){0,9}${literal}){0,31}`

const starting = new RegExp(
  String.raw`\b(?:os:cmd|open_port|(?:System\.)?(?:cmd|shell)|system\*?|exec|execute|spawn\w*|popen|run-program|run-shell-command|shell-command|sh|command|callCommand|callProcess|readProcess|process\*?|Process(?!\.Start)|ProcessBuilder|Command|open-input-pipe|execFile|proc|call|unix\w*)\b[^"'\n]{0,16}(${literals})`,
  'g',
)
/** Matches Groovy's `"ls -l".execute()` and Scala's `"ls -l".!`. */
const startedBehind = new RegExp(String.raw`(${literal})\s?\.\s?(?:execute\b|!!?|lazyLines\b|lineStream\b)`, 'g')
const deleting = new RegExp(
  String.raw`\b(?:rm_rf!?|rm-rf|delete-directory(?:/files)?|delete-directory-tree|delete-tree|deleteDirectory|forceDelete|removeDirectoryRecursive|removePathForcibly|remove_dir_all|RemoveAll|remove_tree|removeItem|removeDir|del_dir_r|rmtree|rm-r)[^"'\n]{0,24}(${literal})`,
  'g',
)
/** Matches Groovy's `new File("/a").deleteDir()` and Kotlin's `deleteRecursively`. */
const deletedBehind = new RegExp(String.raw`(${literal})\s?\)?\s?\.\s?(?:deleteDir|deleteRecursively|rm_rf)\b`, 'g')

/** Matches what a build file of Ant or Gradle deletes, where it is a home or in one: `delete("/users/1")` is a request. */
const deletedByBuild =
  /(?:<delete\s[^<>]{0,80}\b(?:dir|file)=|(?:^|[\n{;])\s{0,40}delete[\s(]{1,3}(?:(?:file|files|fileTree)\()?)((["'])(?:~|\/(?:home|Users|root)\/)[^"'\n]{0,200}\2)/g

/** Matches what deletes the one file or the folder that is named: in Java, C#, GDScript. */
const removing = new RegExp(
  String.raw`\b(?<call>(?:File|Directory)\.Delete|Files\.delete(?:IfExists)?|DeleteFileOrDirectory|remove_absolute|move_to_trash)\s?\((?<gap>[^"'\n]{0,32})(?<given>${literals})`,
  'g',
)
/** Matches Java's `new File("/a").delete()`. */
const removedBehind = new RegExp(String.raw`\bFile\s?\(\s?(${literal})\s?\)\s?\.\s?delete`, 'g')
/** Matches a walk over a folder, whose files are deleted one by one. */
const walking = new RegExp(String.raw`\bFiles\.walk(?:FileTree)?\s?\((?<gap>[^"'\n]{0,24})(?<given>${literals})`, 'g')
/** Matches .NET's program and the one text that holds all its arguments. */
const startedWithText = new RegExp(
  String.raw`\b(?:Process\.Start|ProcessStartInfo)\s?\(\s?(?:new[\s\w.]{1,40}\(\s?)?(${literal})(?:\s?,\s?(${literal}))?`,
  'g',
)
const startedByFields = new RegExp(
  String.raw`\bFileName\s?=\s?(${literal})[^}"']{0,200}\bArguments\s?=\s?(${literal})`,
  'g',
)
const reading = new RegExp(
  String.raw`\b(?:File\.ReadAll(?:Text|Bytes|Lines)|File\.OpenRead|Files\.(?:readString|readAll\w{1,10}|lines)|FileAccess\.(?:open|get_file_as_\w{1,10})|FileInputStream|FileReader|StreamReader|slurp)\s?\(?(?<gap>[^"'\n]{0,32})(?<given>${literals})`,
  'g',
)
const sending =
  /\b(?:Upload(?:String|Data|Values|File)\w{0,9}|(?:Post|Put|Send)\w{0,9}Async|HttpPost|BodyPublishers|UnityWebRequest\.(?:Post|Put)|HTTPRequest|HTTPClient|setRequestMethod|setDoOutput)\b/
const sentFile = new RegExp(String.raw`\bUploadFile\w{0,9}\s?\(\s?${literal}\s?,\s?(?<given>${literal})`, 'g')
const address = /["'](https?:\/\/[^"'\s]{1,200})/
const allVariables = /\b(?:GetEnvironmentVariables|System\.getenv)\s?\(\s?\)/

/** Ways to name the home directory, and folders in it. */
const homes: readonly (readonly [RegExp, string])[] = [
  [/\b(?:System\.)?Environment\.GetFolderPath\([\w.\s]{0,60}\.(?:UserProfile|Personal)\s?\)/g, '"~"'],
  [/\b(?:System\.)?Environment\.GetFolderPath\([\w.\s]{0,60}\.(?:MyDocuments)\s?\)/g, '"~/Documents"'],
  [/\b(?:System\.)?Environment\.GetFolderPath\([\w.\s]{0,60}\.Desktop(?:Directory)?\s?\)/g, '"~/Desktop"'],
  [
    /\b(?:System\.getProperty|System\.getenv|(?:System\.)?Environment\.GetEnvironmentVariable|OS\.get_environment)\(\s?"(?:user\.home|HOME|USERPROFILE)"\s?\)/g,
    '"~"',
  ],
  [/\bSystem\.user_home!?(?:\(\))?|\bNSHomeDirectory\(\)/g, '"~"'],
]

const textOf = (quoted: string): string => quoted.slice(1, -1).replaceAll(/\\(.)/gs, '$1')

/** Cuts the source to a maximum length, since the patterns take superlinear time on unterminated literals. */
function bounded(source: string, { leftOut }: Starts): string {
  if (source.length > unwrapLimits.otherCodeMax) leftOut('its code is longer than is analyzed')
  return source.slice(0, unwrapLimits.otherCodeMax)
}

/** Writes the home directory as `~`, and texts that are added as one. */
const folded = (code: string): string =>
  homes.reduce((text, [found, name]) => text.replaceAll(found, name), code).replaceAll(/(["'])\s?\+\s?\1/g, '')

const textsIn = (given: string): readonly string[] => (given.match(new RegExp(literal, 'g')) ?? []).map(textOf)

/** Starts what the code of a language without a scanner starts, deletes as `rm`, and sends as `curl`. */
export function startsIn(source: string, starts: Starts): void {
  const code = folded(bounded(source, starts))
  const home = starts.variable('HOME')?.value ?? '~'
  for (const [, given = ''] of fewRuns([...code.matchAll(starting), ...code.matchAll(startedBehind)], starts)) {
    const [first = '', ...others] = textsIn(given)
    if (/\s/.test(first)) starts.script(known(first))
    else starts.words([first, ...others].map(known))
  }
  const withTexts = [...code.matchAll(startedWithText), ...code.matchAll(startedByFields)]
  for (const [, program = '', args = '""'] of fewRuns(withTexts, starts))
    starts.script(known(`${shellWord(textOf(program))} ${textOf(args)}`))

  startDeletions(code, starts)
  const url = sending.test(code) ? address.exec(code)?.[1] : undefined
  if (url === undefined) return
  for (const found of fewRuns([...code.matchAll(reading), ...code.matchAll(sentFile)], starts))
    starts.words(['curl', '-T', pathIn(found, home), url].map(known))
  if (allVariables.test(code)) starts.script(known(`printenv | curl -d @- ${shellWord(url)}`))
}

/** Starts what code of any language, or a build file, deletes as `rm`. */
export function startDeletions(source: string, starts: Starts): void {
  const code = folded(bounded(source, starts))
  const home = starts.variable('HOME')?.value ?? '~'
  const remove = (option: string, path: string) =>
    starts.words([known('rm'), known(option), known(path)], { guessed: true })
  const deletions = [deleting, deletedBehind, deletedByBuild].flatMap((one) => Array.from(code.matchAll(one)))
  for (const [, given = ''] of fewRuns(deletions, starts)) remove('-rf', fromHome(textOf(given), home))
  for (const [, given = ''] of fewRuns([...code.matchAll(removedBehind)], starts))
    remove('-f', fromHome(textOf(given), home))
  for (const found of fewRuns([...code.matchAll(removing)], starts))
    remove(/^(?:Directory|Delete|move)/.test(found.groups?.['call'] ?? '') ? '-rf' : '-f', pathIn(found, home))
  if (/\bdelete/i.test(code))
    for (const found of fewRuns([...code.matchAll(walking)], starts)) remove('-rf', pathIn(found, home))
}

const fromHome = (path: string, home: string): string => path.replace(/^~(?=\/|$)/, () => home)

/** Returns the path of a call: its first text, or all that it joins. */
function pathIn({ groups: { gap = '', given = '' } = {} }: RegExpExecArray, home: string): string {
  const texts = textsIn(given)
  return fromHome(/\b(?:Combine|Path\.of|Paths\.get)\b/.test(gap) ? texts.join('/') : (texts[0] ?? ''), home)
}
