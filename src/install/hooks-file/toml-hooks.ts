import { isDeepStrictEqual } from 'node:util'
import { errorText, HookgateError } from '../../model/errors.ts'
import { isJsonObject, type JsonObject, objectsIn, textAt } from '../../model/json.ts'
import { malformed } from '../json/document.ts'
import type { Entries } from '../json/hook-lists.ts'
import { parseToml, tomlText } from '../../files/settings-values.ts'
import type { HooksDocument } from './hooks-document.ts'

/**
 * Makes the document of a TOML file that has a table `[[hooks]]` for each handler, with its event in it.
 *
 * Its agent may rewrite the file, and comments with it, so entries are known by what they run.
 *
 * @throws HookgateError `settingsMalformed`
 */
export function tomlHooks(bytes: Uint8Array, file: string): HooksDocument {
  return documentOf(Buffer.from(bytes).toString(), file)
}

function documentOf(text: string, file: string): HooksDocument {
  const root = parsed(text, file)
  const handlers = handlersIn(root)
  return {
    text,
    format: 'toml',
    keys: Object.keys(root),
    handlers: handlers.map((handler, at) => {
      const isSame = (one: JsonObject) => eventOf(one) === eventOf(handler)
      const entry = handlers.slice(0, at).filter(isSame).length
      return { event: eventOf(handler), entry, entries: handlers.filter(isSame).length, index: 0, handler }
    }),
    withText: (other) => documentOf(other, file),
    bytes: (other) => Buffer.from(other),
    withEntries(entries) {
      if (handlers.length > 0 && tablesIn(text).length === 0) {
        throw malformed({ file }, '`hooks` is a list of inline tables', 'write each of them as a table `[[hooks]]`')
      }
      const added = `${text}${tablesOf(entries, text)}`
      const own = parsed(added, file)
      const isOwn = (handler: unknown) => !handlers.some((one) => isDeepStrictEqual(one, handler))
      if (handlersIn(own).length === handlers.length + Object.keys(entries).length) {
        if (documentOf(added, file).withoutHandlers(text, isOwn) === text) return added
      }
      throw new HookgateError('internal', 'its entries could not be removed again', { place: { file } })
    },
    withoutHandlers(before, isGone) {
      const left = withoutTables(text, isGone)
      const wanted = { ...root, hooks: handlers.filter((handler) => !isGone(handler)) }
      const found = parsed(left, file)
      if (!isDeepStrictEqual({ ...found, hooks: handlersIn(found) }, wanted)) {
        const remedy = 'remove the tables `[[hooks]]` that run hookgate'
        throw malformed({ file }, 'its hooks cannot be told from the rest', remedy)
      }
      return before !== undefined && left.trimEnd() === before.trimEnd() ? before : left
    },
  }
}

function parsed(text: string, file: string): JsonObject {
  try {
    const root = parseToml(text)
    return isJsonObject(root) ? root : {}
  } catch (cause) {
    throw malformed({ file }, `it is not TOML: ${errorText(cause).split('\n')[0] ?? ''}`)
  }
}

const handlersIn = ({ hooks }: JsonObject): readonly JsonObject[] => objectsIn(hooks)
const eventOf = (handler: JsonObject) => textAt(handler, 'event') ?? ''

/** Writes the tables of entries, as they stand behind a text. */
function tablesOf(entries: Entries, text: string): string {
  const tables = Object.entries(entries).map(([event, entry]) => tomlText({ hooks: [{ event, ...entry }] }))
  const gap = text === '' ? '' : text.endsWith('\n') ? '\n' : '\n\n'
  return `${gap}${tables.map((table) => `${table.trim()}\n`).join('\n')}`
}

/** A table `[[hooks]]` in a text: from its header, with a blank line before it, to its last line. */
interface TableSpan {
  readonly start: number
  readonly end: number
}

function withoutTables(text: string, isGone: (handler: unknown) => boolean): string {
  let left = text
  for (const { start, end } of tablesIn(text).toReversed()) {
    const [handler] = handlersIn(parsed(text.slice(start, end), ''))
    if (isGone(handler)) left = left.slice(0, withBlankLine(text, start)) + left.slice(end)
  }
  return left
}

/** Comments and blank lines behind a table belong to what follows. */
function tablesIn(text: string): readonly TableSpan[] {
  const headers = [...text.matchAll(/^[ \t]*\[.*$/gm)].filter(({ index }) => isBoundary(text, index))
  return headers.flatMap(({ 0: header, index: start }, at) => {
    if (!/^\s*\[\[\s*(?:hooks|"hooks"|'hooks')\s*\]\]/.test(header)) return []
    const table = text.slice(start, headers[at + 1]?.index ?? text.length)
    return [{ start, end: start + withoutRemarks(table).length + 1 }]
  })
}

/** Returns a text without the blank lines and comments at its end. */
function withoutRemarks(text: string): string {
  const lines = text.split('\n')
  while (lines.length > 1 && /^[ \t]*(?:#.*)?\r?$/.test(lines.at(-1) ?? '')) lines.pop()
  return lines.join('\n')
}

/** A line starts a table only if the text before it is whole: it may stand in a list or in a text of several lines. */
function isBoundary(text: string, index: number): boolean {
  try {
    parseToml(text.slice(0, index))
    return true
  } catch {
    return false
  }
}

const withBlankLine = (text: string, start: number) => (/(?:^|\n)\n$/.test(text.slice(0, start)) ? start - 1 : start)
