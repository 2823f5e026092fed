import { shellLimits } from '../../../model/limits.ts'
import type { TouchedPath } from '../../../model/shell.ts'
import { type PathContext, placeFor, placeOf, touchedPath } from '../../paths/index.ts'
import { effectsOf } from '../../programs/describe.ts'
import { startDeletions } from '../../programs/families/other-languages.ts'
import { type Mention, mentionsIn, programAt, runsFolder, startMention } from '../../programs/may-start.ts'
import { isShellName } from '../../programs/command-text.ts'
import { hasTrait, isBuilder, isGivenCode, isPlain, textFormOf } from '../../programs/table.ts'
import type { Starts, Unwrap } from '../../programs/starts.ts'
import { formatPrintf } from '../outputs/printf.ts'
import { type Context, type Draft, step, stepForEach } from '../state/context.ts'
import type { MadeFiles } from '../state/state.ts'

/**
 * Returns the function that starts what the files may run that the text has made and that a command now runs: those that
 * it names as its program or script, and for a program that runs what is in its folder, all of them.
 *
 * @param isFollowed tells whether the content of a file is known, and followed already
 */
export function madeUnwrap(context: Context, index: number, isFollowed: (path: string) => boolean): Unwrap | undefined {
  const draft = context.commands[index]
  if (draft === undefined || startsNothing(draft)) return undefined
  // In a further round of a loop, those behind the command have run before it.
  const made = lookThrough(context, context.repeated === undefined ? index : context.commands.length)
  const mayReadStdin = draft.stdin !== undefined && draft.code === undefined && isGivenCode(draft.program)
  if (made.writers.size === 0 && !mayReadStdin) return undefined
  const executed = executedBy(context, draft)
  const followed = executed.filter((path) => isFollowed(path.absolute ?? path.written))
  for (const path of followed) for (const writer of writersOf(made, path)) made.run.add(writer)
  const own = [...executed.filter((path) => !followed.includes(path)), ...settingsOf(context, draft)].flatMap((path) =>
    writersOf(made, path),
  )
  const linked = draft.written?.value.includes('/') === false ? writersOfProgram(made, draft.program) : []
  const direct = new Set([...own, ...linked])
  const readsStdin = mayReadStdin && (direct.size > 0 || !hasProgram(draft, executed)) && !hasStarted(context, index)
  const all = runsFolder(draft.program) || direct.size > 0 ? [...made.all] : []
  const others = new Set(all.filter((writer) => !direct.has(writer) && !made.run.has(writer)))
  if (direct.size + others.size === 0 && !readsStdin) return undefined
  return (_, starts) => {
    if (readsStdin) startText(made, draft.stdin?.value ?? '', starts)
    for (const writer of direct) {
      startOrigin(context, writer, draft, starts)
      startTexts(context, made, writer, starts)
    }
    for (const writer of others) {
      made.run.add(writer)
      if (mayRun(context, writer)) startTexts(context, made, writer, starts)
    }
  }
}

/** Tells whether a command only works on files and text. Most do, and take no time here. */
const startsNothing = ({ program, written }: Draft): boolean =>
  isPlain(program) && !isBuilder(program) && !hasTrait(program, 'sources') && written?.value.includes('/') !== true

function lookThrough(context: Context, end: number): MadeFiles {
  const { made } = context
  for (; made.upTo < end; made.upTo++) {
    const draft = context.commands[made.upTo]
    if (draft === undefined) continue
    for (const path of pathsOf(context, draft)) {
      if (path.access !== 'write' || path.metadata === true) continue
      const key = path.recursive === true ? `${keyOf(path)}/` : keyOf(path)
      const writers = made.writers.get(key) ?? new Set()
      made.writers.set(key, writers.add(made.upTo))
      made.all.add(made.upTo)
    }
  }
  return made
}

const placeIn = ({ around }: Context, draft: Draft): PathContext => placeFor(draft, placeOf(around))

function pathsOf(context: Context, draft: Draft): readonly TouchedPath[] {
  step(context)
  return [...draft.paths, ...effectsOf(draft, placeIn(context, draft)).paths]
}

function executedBy(context: Context, draft: Draft): readonly TouchedPath[] {
  const isInput = ({ written }: TouchedPath) =>
    draft.redirections.some(
      ({ operator, descriptor, target }) => operator === '<' && descriptor === 0 && target?.value === written,
    )
  const readsShell = isShellName(draft.program)
  return pathsOf(context, draft).filter(
    (path) => path.access === 'execute' || (readsShell && path.access === 'read' && isInput(path)),
  )
}

/** Tells whether a program comes from a file of the project, so that its stdin is that file's data. */
const hasProgram = ({ args }: Draft, executed: readonly TouchedPath[]): boolean =>
  executed.some(({ written }) => /[./]/.test(written) && !/^\/(?:dev|proc)\//.test(written)) &&
  !args.some(({ value }) => /^(?:-[a-hj-z]*i[a-z]*|--interactive)$/i.test(value))

/** Tells whether a command has started another, which has its stdin: `npx tsx a.ts`. */
const hasStarted = ({ commands }: Context, index: number): boolean =>
  commands.slice(index + 1).some(({ startedBy }) => startedBy === index)

/** Returns the files that a command reads its settings from: `ssh -F FILE`, `--kubeconfig=FILE`, `AWS_CONFIG_FILE=FILE`. */
function settingsOf(context: Context, draft: Draft): readonly TouchedPath[] {
  const place = placeIn(context, draft)
  const words = draft.args.flatMap((word, at) => {
    const joined = /^--?[\w-]*(?:config|settings|rc|init|file)=(.+)$/s.exec(word.value)?.[1]
    if (joined !== undefined) return [{ value: joined }]
    return /^-F$|^--?[\w-]*(?:config|settings|rc|init)$/.test(draft.args[at - 1]?.value ?? '') ? [word] : []
  })
  return [...words, ...draft.assignments.map(({ value }) => value)].map((word) => touchedPath(word, 'execute', place))
}

const keyOf = ({ absolute, unresolved, written }: TouchedPath): string =>
  absolute === undefined || unresolved === true ? `?${written}` : absolute

/**
 * Returns the writers of a file, or else of the folder around it: `git apply` does not name its files, nor does `mv` those
 * of a folder.
 */
function writersOf({ writers }: MadeFiles, path: TouchedPath): readonly number[] {
  const key = keyOf(path)
  const own = writers.get(key)
  if (own !== undefined) return [...own]
  for (let end = key.lastIndexOf('/'); end > 0; end = key.lastIndexOf('/', end - 1)) {
    const folder = key.slice(0, end)
    const around = writers.get(`${folder}/`) ?? writers.get(folder)
    if (around !== undefined) return [...around]
  }
  return []
}

/** Returns the writers of files in a folder of programs that have the program's name: `node_modules/.bin/prettier`. */
function writersOfProgram({ writers }: MadeFiles, program: string): readonly number[] {
  const ends = `bin/${program}`
  const named: number[] = []
  for (const [key, indices] of writers) if (key.endsWith(ends)) named.push(...indices)
  return named
}

/** Starts the program that a writer has copied or linked, with the command's arguments. */
function startOrigin(context: Context, writer: number, { args }: Draft, starts: Starts): void {
  for (const { read } of givenTo(context, writer)) {
    const program = read === undefined ? undefined : programAt(read)
    if (program !== undefined) starts.words([{ value: program }, ...args], { guessed: true })
  }
}

/** Text for people, and files whose commands run on other machines. */
const describes =
  /\.(?:md|mdx|txt|rst|adoc|html?|css|svg|csv|log)$|(?:^|\/)(?:Docker|Container)file[^/]*$|\/\.github\//i
/** Code whose texts run only if it starts processes, or deletes folders. */
const isCode = /\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|c|cc|cpp|h|hpp|cs|php|lua|swift|scala|hs|ex|exs|pl|sql|vue)$/i
const startsProcesses =
  /\b(?:system|exec\w*|spawn\w*|[pP]open\w*|subprocess|child_process|Process\w*|Command|callCommand|actions|go:generate|shell|[a-z]?sh|cmds?|RemoveAll|remove_dir_all|removeItem|removeDirectoryRecursive|delete(?:Directory|Recursively)|Directory\.Delete)\b|\.run\(|`/

/** Tells whether a program that runs the files of its folder may run what a writer has made. */
function mayRun(context: Context, writer: number): boolean {
  const draft = context.commands[writer]
  if (draft === undefined) return false
  const written = pathsOf(context, draft).filter(({ access }) => access === 'write')
  const files = written.map((path) => path.absolute ?? path.written).filter((path) => !describes.test(path))
  if (files.length === 0) return false
  if (!files.every((file) => isCode.test(file))) return true
  return textsOf(context, writer).some((text) => startsProcesses.test(text))
}

function startTexts(context: Context, made: MadeFiles, writer: number, starts: Starts): void {
  for (const text of textsOf(context, writer)) {
    if (!step(context, text.length / shellLimits.charactersPerStep)) return
    startText(made, text, starts)
  }
}

function startText(made: MadeFiles, text: string, starts: Starts): void {
  startDeletions(text, starts)
  for (const mention of mentionsIn(text, starts.leftOut)) startOnce(made, mention, starts)
}

function startOnce({ started }: MadeFiles, mention: Mention, starts: Starts): void {
  const key = 'script' in mention ? mention.script.value : mention.words.map(({ value }) => value).join('\u0000')
  if (started.has(key)) return
  started.add(key)
  startMention(mention, starts)
}

/** Returns what a command was given that may stand in what it writes. */
const textsOf = (context: Context, writer: number): readonly string[] =>
  givenTo(context, writer).flatMap(({ text }) => (text === undefined || !/\s|["'`]/.test(text) ? [] : [text]))

interface Given {
  readonly text?: string
  /** A file, as it is written. */
  readonly read?: string
}

/** Returns the words, the stdin and the files of a command, and of those that have made its stdin and its files. */
function givenTo(context: Context, writer: number): readonly Given[] {
  const given: Given[] = []
  const seen = new Set([writer])
  for (const index of seen) {
    const draft = context.commands[index]
    if (draft === undefined || seen.size > shellLimits.fileWritersMax) break
    given.push(...wordsOf(draft).map((text) => ({ text })))
    for (const path of pathsOf(context, draft)) {
      if (path.change === 'moved') for (const other of writersBelow(context, path)) seen.add(other)
      if (path.access !== 'read') continue
      given.push({ read: path.written })
      for (const other of writersOf(context.made, path)) seen.add(other)
    }
    stepForEach(context, context.flows.length)
    for (const { from, to } of context.flows) if (to === index) seen.add(from)
  }
  return given
}

/** Returns the writers of files in a folder that a command moves. */
function writersBelow(context: Context, path: TouchedPath): readonly number[] {
  const { writers } = context.made
  stepForEach(context, writers.size)
  const folder = `${keyOf(path)}/`
  return [...writers].flatMap(([key, indices]) => (key.startsWith(folder) ? Array.from(indices) : []))
}

function wordsOf({ program, args, stdin, redirections }: Draft): readonly string[] {
  const form = textFormOf(program)
  const words = args.map(({ value }) => value)
  const inputs = redirections.flatMap(({ operator, target }) => (operator.startsWith('<<') ? [target] : []))
  return [
    ...(form === 'format' ? [formatPrintf(words[0] ?? '', words.slice(1)) ?? words.join(' ')] : []),
    ...(form === 'words' || form === 'printed' ? [words.join(' ')] : words.flatMap(withValue)),
    ...[stdin, ...inputs].flatMap((word) => (word === undefined ? [] : [word.value])),
  ]
}

/** Returns a word, and for a variable with a text for its value that text: it may be a command as well. */
const withValue = (word: string): readonly string[] => {
  const value = /^\w{1,64}=(\S+\s[^]*)$/.exec(word)?.[1]
  return value === undefined ? [word] : [word, value]
}
