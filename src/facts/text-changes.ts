import { isTurnOver, turn } from '../files/turns.ts'
import { limits } from '../model/limits.ts'
import { isJsonObject, objectsIn, parseJsonObject, textAt, textsAt } from '../model/json.ts'
import { quotedWord } from '../model/text.ts'
import type { CarriedCommands, FileTexts, TextChange } from '../model/tool-facts.ts'
import { commandsIn, holdsCommands } from './carried/commands-in.ts'

/** Returns the text of a file as it is now; `undefined` if there is none, or it is not known. */
export type OldText = (path: string) => Promise<string | undefined>

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
      carriedLeft -= holds ? versions.before.length + versions.after.length : 0
      const { carried, commands } =
        holds && carriedLeft >= 0 ? carriedBy(path, versions) : { carried: [], ...(isProse && { commands: '' }) }
      const change = Object.assign(
        lineChange(path, lost, parts.after),
        commands !== undefined && { commands },
        at !== undefined && { at },
        file !== undefined && !isCut && { file },
      )
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
  const fresh = now.map(({ place, scripts = [], ...one }, index) => {
    const old = was[index]?.scripts ?? []
    return { ...one, place, old, added: scripts.filter((script) => !old.includes(script)) }
  })
  const isAll = now.every(({ scripts, hasCode }) => scripts !== undefined && !hasCode)
  return {
    carried: fresh.map(({ place, old, added }) => ({ place, path, command: asShells(added), before: asShells(old) })),
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
