import type { TextForm } from './programs/program.ts'
import { textFormOf } from './programs/table.ts'
import { isTurnOver, turn } from '../files/turns.ts'
import { limits } from '../model/limits.ts'
import { isJsonObject, objectsIn, parseJsonObject, textAt, textsAt } from '../model/json.ts'
import { quotedWord } from '../model/text.ts'
import type { CarriedCommands, FileTexts, TextChange } from '../model/tool-facts.ts'
import { commandsIn, holdsCommands } from './carried/commands-in.ts'
import {
  pathsHere,
  type ShellCommand,
  type ShellFacts,
  type ShellSurroundings,
  type ShellWord,
} from '../model/shell.ts'
import { substituted, unescaped, type WrittenTexts } from './substitutions.ts'
import { isMissing, placeIn, readRegularFile, realPlace, textOf } from './declared/inside.ts'
import { realPathOf, lookUpInTime, type StuckRoots } from './timed-lookups.ts'
import { rootOf } from './paths/place.ts'

/**
 * Returns the text of a file as it is now; `undefined` if there is none, or it is not known.
 *
 * @param isNeeded what the call does is in the file: the call cannot be judged where the disk does not answer in time
 * @throws Error only if it is needed
 */
export type OldText = (path: string, isNeeded?: boolean) => Promise<string | undefined>

/** The changes that a call makes in files, and the commands that it writes there. */
export interface TextChanges {
  readonly changes: readonly TextChange[]
  readonly carried: readonly CarriedCommands[]
}

/**
 * Returns what texts change in their files.
 *
 * @param texts their paths are absolute as far as they are known
 */
export async function textChanges(texts: readonly FileTexts[], oldText: OldText): Promise<TextChanges> {
  let charactersLeft: number = changesCharactersMax
  let carriedLeft: number = limits.carriedCharactersMax
  const cut = (text: string) => {
    const part = text.slice(0, Math.min(charactersLeft, changeCharactersMax))
    charactersLeft -= part.length
    return part
  }
  const found = await Promise.all(
    texts.slice(0, limits.changedFilesMax).map(async ({ path, before, after, whole, exact, cell, at, isProse }) => {
      const parts = { before: cut(before), after: cut(after) }
      const isSettings = (whole ?? exact) === true && isDotJson(path)
      const holds = isProse !== true && holdsCommands(path)
      const old = whole === true || cell !== undefined || isSettings || holds ? await oldText(path) : undefined
      if (isTurnOver()) await turn()
      const lost = cell !== undefined ? cellText(old, cell) : whole === true ? (old ?? parts.before) : parts.before
      const file = isSettings ? wholeFile(old, before, after, whole) : undefined
      const isCut = file !== undefined && cut(file.before + file.after).length < file.before.length + file.after.length
      const versions =
        whole === true || cell !== undefined
          ? { before: lost, after: parts.after, isPart: cell !== undefined }
          : editedTexts(parts, old)
      // Of a file that is too large, at least the part is read.
      const fitting = holds
        ? [versions, { ...parts, isPart: true }].find((one) => sizeOf(one) <= carriedLeft)
        : undefined
      carriedLeft -= fitting === undefined ? 0 : sizeOf(fitting)
      const { carried, commands } =
        fitting === undefined ? { carried: [], ...(isProse && { commands: '' }) } : carriedBy(path, fitting)
      const change: TextChange = {
        ...lineChange(path, lost, parts.after),
        ...(commands !== undefined && { commands }),
        ...(holds && { runLater: fitting === undefined ? ('unread' as const) : ('read' as const) }),
        ...(at !== undefined && { at }),
        ...(file !== undefined && !isCut && { file }),
      }
      return { carried, change }
    }),
  )
  return {
    changes: found.map(({ change }) => change).filter(({ removed, added }) => removed !== '' || added !== ''),
    carried: found.flatMap(({ carried }) => carried).filter(({ command }) => command !== ''),
  }
}
/** The text that a call puts into one file, or takes out of it, as policies see it; only its beginning if it is longer. */
export const changeCharactersMax = 200_000
/** All texts together that a call puts into files or takes out of them, as policies see them. */
export const changesCharactersMax = 2_000_000

/** JSON in a folder whose name begins with a dot: settings, of which a policy may have to know the whole. */
const isDotJson = (path: string): boolean => path.endsWith('.json') && /\/\.[^/]+\//.test(path)

/** Returns a file's texts before and after a change; `undefined` if they are not certain. */
function wholeFile(old: string | undefined, before: string, after: string, whole = false): TextChange['file'] {
  if (old === undefined) return undefined
  if (whole) return { before: old, after }
  const [head, tail, ...more] = before === '' ? [] : old.split(before)
  return head === undefined || tail === undefined || more.length > 0
    ? undefined
    : { before: old, after: head + after + tail }
}

/** The texts of a file before and after a change, or of a part of it. */
interface TextsOfFile {
  readonly before: string
  readonly after: string
  readonly isPart: boolean
}

const sizeOf = ({ before, after }: TextsOfFile): number => before.length + after.length

/** Returns an edited file's complete texts if they are known, and those of the edit otherwise. */
function editedTexts({ before, after }: { readonly before: string; readonly after: string }, old = ''): TextsOfFile {
  const isFound = before !== '' && old.includes(before)
  return isFound
    ? { before: old, after: old.replace(before, () => after), isPart: false }
    : { before, after, isPart: true }
}

/** Returns the commands that a change brings into a file of another language. */
function carriedBy(path: string, { before, after, isPart }: TextsOfFile) {
  const was = commandsIn(path, before, isPart)
  const now = commandsIn(path, after, isPart)
  const fresh = now.map(({ place, scripts, ...one }, index) => {
    const old = was[index]?.scripts ?? []
    const had = new Set(old)
    return { ...one, place, old, added: scripts.filter((script) => !had.has(script)) }
  })
  const isAll = now.every(({ hasCode }) => !hasCode)
  return {
    carried: fresh.map(({ place, old, added, refusedOnly }) => ({
      place,
      path,
      command: asShells(added),
      before: asShells(old),
      ...(refusedOnly && { refusedOnly: true as const }),
    })),
    ...(isAll && {
      commands: fresh.map(({ added, old }) => linesOnlyIn(added.join('\n'), old.join('\n'))).join('\n'),
    }),
  }
}

/** Joins scripts so that none of them can end or change another. */
export const asShells = (scripts: readonly string[]): string =>
  scripts.map((one) => `bash -c ${quotedWord(one)}`).join('\n')

const lineChange = (path: string, before: string, after: string): TextChange => ({
  path,
  removed: linesOnlyIn(before, after),
  added: linesOnlyIn(after, before),
})

/** Returns the lines of a text beyond those that the other has as well, an empty line between those that stood apart. */
function linesOnlyIn(text: string, other: string): string {
  const inOther = new Map<string, number>()
  for (const line of other.split('\n')) {
    const key = keyOf(line)
    inOther.set(key, (inOther.get(key) ?? 0) + 1)
  }
  const only: string[] = []
  let isApart = false
  for (const line of text.split('\n')) {
    const key = keyOf(line)
    if (key === '') continue
    const left = inOther.get(key) ?? 0
    inOther.set(key, left - 1)
    if (left > 0) isApart = only.length > 0
    else {
      if (isApart) only.push('')
      isApart = false
      only.push(line.trimEnd())
    }
  }
  return only.join('\n')
}

/** A line that becomes the last of a list loses its comma, and one in a new block is indented: neither changes it. */
const keyOf = (line: string) => line.trim().replace(/,$/, '')

/** Returns the source of a notebook's cell, by its id or as its agents count cells. */
function cellText(notebook: string | undefined, id: string): string {
  const cells = objectsIn(parseJsonObject(notebook ?? '')?.['cells'])
  const cell = cells.find((one) => one['id'] === id) ?? cells[Number(/^cell-(\d+)$/.exec(id)?.[1] ?? Number.NaN)]
  if (!isJsonObject(cell)) return ''
  return textAt(cell, 'source') ?? textsAt(cell, 'source').join('')
}

/** Returns the texts that commands put into files, and those that they replace there, as far as they are written out. */
export function shellTexts({ commands }: ShellFacts): readonly FileTexts[] {
  const written = commands.map(writtenBy)
  return commands.flatMap((one, at) => {
    const files = written[at] ?? []
    const read = new Set(one.copies === true ? one.paths.map(({ absolute }) => absolute) : [])
    // What it moves or copies was perhaps written by a command before it.
    const earlier =
      read.size === 0 ? [] : commands.slice(0, at).filter((_, index) => written[index]?.some((path) => read.has(path)))
    return [one, ...earlier].flatMap((writer) =>
      files.flatMap((path) => textsFor(writer, path).map((texts) => Object.assign({ at, path }, texts))),
    )
  })
}

const writtenBy = (command: ShellCommand): readonly string[] =>
  pathsHere(command).flatMap(({ access, metadata, absolute, written, pattern }) =>
    access === 'write' && metadata !== true && pattern === undefined ? [absolute ?? written] : [],
  )

/** An editor of streams may change files that nobody knows before it runs. */
export const isStreamEditor = ({ program }: ShellCommand): boolean => /^(?:sed|perl)$/.test(textFormOf(program) ?? '')

/** @param path of the file that the text comes into in the end */
function textsFor(command: ShellCommand, path: string): readonly WrittenTexts[] {
  const texts = textsOf(command)
  if (texts.before !== '' || texts.after !== '') return [texts]
  const after = command.code === undefined && holdsCommands(path) ? assignedIn(command.args) : ''
  return after === '' ? [] : [{ before: '', after }]
}

function textsOf({ program, args, stdin, code, redirections, writes }: ShellCommand): WrittenTexts {
  const form = textFormOf(program)
  const words = args.map(({ value }) => value)
  const appends =
    redirections.some(({ operator }) => /^(?:&>>|>>)$/.test(operator)) ||
    (form === 'copy' && words.some((word) => /^(?:-[^\Wa]*a\w*|--append)$/.test(word)))
  const whole = appends ? {} : { whole: true as const }
  const is = (...forms: readonly TextForm[]) => form !== undefined && forms.includes(form)
  const written = (after: string): WrittenTexts => ({ before: '', after, ...whole })
  if (is('words')) return written(unescaped(words.filter((word) => !/^-[neE]+$/.test(word)).join(' ')))
  if (is('format')) return written(unescaped(words.join('\n')))
  if (is('input', 'copy', 'kept')) return written(stdin?.value ?? '')
  if (is('content'))
    return {
      before: '',
      after: words
        .filter((word) => !word.startsWith('-'))
        .slice(1)
        .join('\n'),
    }
  if (is('sed', 'perl')) return substituted(words.join('\n'))
  return code === undefined ? { before: '', after: writes ?? '' } : replacedIn(code.text ?? '')
}

/** Returns the members that words set in a file of settings: `scripts.test=vitest`, `.scripts.test = "vitest"`. */
const assignedIn = (words: readonly ShellWord[]): string =>
  words
    .flatMap(({ value }) => [
      ...value.matchAll(/(?<![\w.-])\.?([a-z][\w.-]*)\s*\|?=\s*("(?:[^"\\]|\\.)*"|[^"\s=][^]*)/gi),
    ])
    .map(([, name = '', value = '']) => `"${name}": ${value.startsWith('"') ? value : JSON.stringify(value)}`)
    .join(',\n')

/** Code that edits a file mostly has the texts as literals: `.replace('old', 'new')`, `re.sub(r'old', 'new')`. */
/** @param mark refers to the group of the literal's quote */
const literal = (mark: string) => String.raw`[rRbu]?("""|'''|["'${'`'}])((?:\\[\s\S]|(?!${mark})[^\\])*)${mark}`
const replacement = new RegExp(
  String.raw`\b(?:replace(?:All)?|g?sub!?)\(\s*${literal('\\1')}\s*,\s*${literal('\\3')}`,
  'g',
)
const writing = new RegExp(
  String.raw`\b(?:write(?:_text)?\(|(?:(?:write|append)File(?:Sync)?|(?:Write|Append)All(?:Text|Lines))\([^,\n]+,)\s*${literal('\\1')}\s*[,)]`,
  'g',
)

function replacedIn(code: string): WrittenTexts {
  const replaced = [...code.matchAll(replacement)]
  const written = [...code.matchAll(writing)].map(([, , text = '']) => text)
  return {
    before: unescaped(replaced.map(([, , old = '']) => old).join('\n')),
    after: unescaped([...replaced.map(([, , , , fresh = '']) => fresh), ...written].join('\n')),
  }
}

/**
 * Opens the reading of files as they are before a call. Nothing outside of the workspace is read, and no reading takes
 * longer than `limits.realPathsMs`, or than `limits.factsMs` if what it finds is needed.
 */
export function openOldText({ workspaceRoots }: ShellSurroundings, stuck: StuckRoots): OldText {
  return async (path, isNeeded = false) => {
    const inside = rootOf(workspaceRoots, path)
    if (inside === undefined) return undefined
    const { root, inRoot } = inside
    const look = { root, run: async () => ({ text: await textIn(root, inRoot) }) }
    const ms = isNeeded ? limits.factsMs : limits.realPathsMs
    const found = (await lookUpInTime(new Map([[path, look]]), { ms, stuck, skipped: undefined })).get(path)
    // INVARIANT: a disk that is slow makes nothing pass that is refused on another one.
    if (found === undefined && isNeeded) throw new Error(`${path} could not be read in ${ms} ms; try again`)
    return found?.text
  }
}

/** Never rejects: a file that cannot be read has no known text. */
async function textIn(root: string, inRoot: string): Promise<string | undefined> {
  try {
    const place = placeIn(root, inRoot)
    const real = isMissing(place) ? undefined : await realPlace(place)
    if (typeof real !== 'string') return undefined
    const read = await readRegularFile(real, await realPathOf(root), limits.factBytesMax)
    return typeof read === 'string' || !read.whole ? undefined : textOf(read.bytes, true)
  } catch {
    return undefined
  }
}
