import { isTurnOver, turn } from '../files/turns.ts'
import { limits } from '../model/limits.ts'
import { isJsonObject, objectsIn, parseJsonObject, textAt, textsAt } from '../model/json.ts'
import type { FileTexts, TextChange } from '../model/tool-facts.ts'

/** Returns the text of a file as it is now; `undefined` if there is none, or it is not known. */
export type OldText = (path: string) => Promise<string | undefined>

/**
 * Returns what texts change in their files.
 *
 * @param texts their paths are absolute as far as they are known
 */
export async function textChanges(texts: readonly FileTexts[], oldText: OldText): Promise<readonly TextChange[]> {
  let charactersLeft: number = limits.changesCharactersMax
  const cut = (text: string) => {
    const part = text.slice(0, Math.min(charactersLeft, limits.changeCharactersMax))
    charactersLeft -= part.length
    return part
  }
  const changes = await Promise.all(
    texts.slice(0, limits.changedFilesMax).map(async ({ path, before, after, whole, exact, cell, at }) => {
      const parts = { before: cut(before), after: cut(after) }
      const isSettings = (whole ?? exact) === true && settings.test(path)
      const old = whole === true || cell !== undefined || isSettings ? await oldText(path) : undefined
      if (isTurnOver()) await turn()
      const lost = cell !== undefined ? cellText(old, cell) : whole === true ? (old ?? parts.before) : parts.before
      const file = isSettings ? wholeFile(old, before, after, whole) : undefined
      const isCut = file !== undefined && cut(file.before + file.after).length < file.before.length + file.after.length
      const change = lineChange(path, lost, parts.after)
      if (at === undefined && (file === undefined || isCut)) return change
      return Object.assign(change, at !== undefined && { at }, file !== undefined && !isCut && { file })
    }),
  )
  return changes.filter(({ removed, added }) => removed !== '' || added !== '')
}

/** JSON in a folder whose name begins with a dot: settings, of which a policy may have to know the whole. */
const settings = /\/\.[^/]+\/(?:[^/]+\/)*[^/]+\.json$/

/** Returns a file's texts before and after a change; `undefined` if they are not certain. */
function wholeFile(old: string | undefined, before: string, after: string, whole = false): TextChange['file'] {
  if (old === undefined) return undefined
  if (whole) return { before: old, after }
  const [head, tail, ...more] = before === '' ? [] : old.split(before)
  return head === undefined || tail === undefined || more.length > 0
    ? undefined
    : { before: old, after: head + after + tail }
}

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
