import { isDeepStrictEqual } from 'node:util'
import { findNodeAtLocation, getNodeValue } from 'jsonc-parser'
import { z } from 'zod'
import type { Pin } from '../../agents/install/managed.ts'
import { parseToml, tomlText } from '../../files/settings-values.ts'
import { errorText } from '../../model/errors.ts'
import { isJsonObject, Json, type JsonObject, objectsIn } from '../../model/json.ts'
import { quoted } from '../../model/text.ts'
import type { SettingsFormat } from '../files/settings-file.ts'
import { type JsonDocument, malformed, parseDocument, removeValue, setValue } from '../json/edit.ts'
import { handlersIn, withEntries, withoutHandlers } from '../json/hook-lists.ts'
import type { ManagedFile, WholeManagedFile } from './managed-file.ts'

/** Returns how the file is read and edited. */
export function formOf(file: ManagedFile | WholeManagedFile): ManagedForm {
  if ('text' in file) return wholeForm(file)
  return file.managed.holds === 'tomlGroups' ? tomlForm(file) : jsonForm(file, file.managed.holds)
}

const wholeForm = ({ text, isOwn }: WholeManagedFile): ManagedForm => ({
  format: 'own',
  empty: '',
  added: () => text,
  removed: (present) => (isOwn(present) ? '' : present),
  read: () => ({ root: null, handlers: [] }),
})

/** Reads and edits the text of an administrator's file, whatever its format. */
export interface ManagedForm {
  readonly format: SettingsFormat
  /** The text that a new file begins with. */
  readonly empty: string
  /** Returns the text with hookgate registered and pinned. @throws HookgateError `settingsMalformed` */
  added(text: string): string
  /**
   * Returns the text without what `added` puts into it.
   *
   * @param before the text from before that, as far as it is known
   * @throws HookgateError `settingsMalformed`
   */
  removed(text: string, before: string | undefined): string
  /** @throws HookgateError `settingsMalformed` */
  read(text: string): ManagedContent
}

/** The content of an administrator's file, as its agent reads it. */
export interface ManagedContent {
  readonly root: Json
  /** All handlers, each with its event. */
  readonly handlers: readonly { readonly event: string; readonly handler: unknown }[]
}

/** Edits a JSON file in its own layout; comments stay where the agent reads them. */
function jsonForm(
  { file, managed, entries, pins, beside, comments, position, own }: ManagedFile,
  holds: 'groups' | 'handlers',
): ManagedForm {
  const lists = { at: managed.at, holds, position, own } as const
  const parsed = (text: string) => parseDocument(Buffer.from(text), file, comments)
  const allPins = [
    ...(managed.pins ?? []),
    ...(managed.onlyManagedHooks === undefined ? [] : [managed.onlyManagedHooks]),
  ]
  return {
    format: comments === 'allowed' ? 'commentedJson' : 'json',
    empty: `${JSON.stringify(beside, undefined, 2)}\n`,
    added(text) {
      const pinned = pins.reduce(
        (document, { path, value }) =>
          isPinMet(valueIn(document, path), value)
            ? document
            : setValue(document, path, withPin(valueIn(document, path), value)),
        parsed(text),
      )
      return withEntries(pinned, entries, lists)
    },
    removed(text, before) {
      const left = withoutHandlers(parsed(text), before, (handler) => own(handler) !== undefined, lists)
      if (before === undefined) return left
      return allPins.reduce((document, pin) => unpinned(document, pin, parsed(before)), parsed(left)).text
    },
    read(text) {
      const document = parsed(text)
      return { root: valueIn(document, []) ?? null, handlers: handlersIn(document, lists) }
    },
  }
}

function valueIn({ root }: JsonDocument, path: readonly string[]): Json | undefined {
  const node = findNodeAtLocation(root, [...path])
  // Its objects have no prototype, which would make all of them different.
  return node === undefined ? undefined : Json.parse(structuredClone(getNodeValue(node)))
}

/** Returns whether a setting has its fixed value; a list may have more. */
export const isPinMet = (found: Json | undefined, value: Json): boolean =>
  Array.isArray(value) && Array.isArray(found)
    ? value.every((one) => found.includes(one))
    : isDeepStrictEqual(found, value)

/** The value that a setting gets: a list keeps the members that it has. */
function withPin(old: Json | undefined, value: Json): Json {
  const [present, wanted] = [z.array(Json).safeParse(old).data, z.array(Json).safeParse(value).data]
  return present === undefined || wanted === undefined ? value : [...new Set([...present, ...wanted])]
}

/** Gives a setting the value again that it had before, unless it has been changed since. */
function unpinned(document: JsonDocument, { path, value }: Pin, before: JsonDocument): JsonDocument {
  const old = valueIn(before, path)
  if (isPinMet(old, value) || !isDeepStrictEqual(valueIn(document, path), withPin(old, value))) return document
  if (old !== undefined) return setValue(document, path, old)
  return withoutEmptied(removeValue(document, path), path.slice(0, -1), before)
}

/** Removes the objects that were made for a setting and are empty now. */
function withoutEmptied(document: JsonDocument, path: readonly string[], before: JsonDocument): JsonDocument {
  const isEmptied =
    path.length > 0 && isDeepStrictEqual(valueIn(document, path), {}) && valueIn(before, path) === undefined
  return isEmptied ? withoutEmptied(removeValue(document, path), path.slice(0, -1), before) : document
}

/**
 * Edits a TOML file: hooks are tables at its end between two lines of comment, and a setting is a line with a mark.
 *
 * INVARIANT: the rest of the file is read as before, and what is ours can be taken out of it again to the byte.
 */
function tomlForm({ file, managed, entries, pins, own }: ManagedFile): ManagedForm {
  const parsed = (text: string): JsonObject => {
    try {
      const root = parseToml(text)
      return isJsonObject(root) ? root : {}
    } catch (cause) {
      throw malformed({ file }, `it is not TOML: ${errorText(cause).split('\n')[0] ?? ''}`)
    }
  }
  const removed = (text: string) => {
    const left = withoutMarked(text)
    if (handlersOf(parsed(left)).some(({ handler }) => own(handler) !== undefined)) {
      throw malformed({ file }, 'its hooks cannot be told from the rest', 'remove the tables that run hookgate')
    }
    return left
  }
  return {
    format: 'toml',
    empty: '',
    added(text) {
      const before = parsed(text)
      const settled = pins.reduce((now, { path, value }) => withSetting(now, path, value, parsedAnew, file), text)
      const tables = Object.entries(entries).map(([event, group]) => tomlText({ hooks: { [event]: [group] } }).trim())
      const gap = settled === '' ? '' : settled.endsWith('\n') ? '\n' : '\n\n'
      const added = `${settled}${gap}${beginning}\n${tables.join('\n\n')}\n${ending}\n`
      const after = parsedAnew(added)
      if (removed(added).trimEnd() !== text.trimEnd() || !isDeepStrictEqual(othersIn(after), othersIn(before)))
        throw unusual(file)
      return added
    },
    removed,
    read(text) {
      const root = parsed(text)
      return { root, handlers: handlersOf(root) }
    },
  }

  function parsedAnew(text: string): JsonObject {
    try {
      return parsed(text)
    } catch {
      throw unusual(file)
    }
  }

  /** Everything but the hooks of ours and the settings that are pinned. */
  function othersIn(root: JsonObject): unknown {
    const copy: unknown = structuredClone(root)
    const all = [...pins, ...(managed.onlyManagedHooks === undefined ? [] : [managed.onlyManagedHooks])]
    for (const { path } of all) removeAt(copy, path)
    if (!isJsonObject(copy)) return copy
    return { ...copy, hooks: undefined, handlers: handlersOf(root).filter(({ handler }) => own(handler) === undefined) }
  }
}

const beginning = '# hookgate begins: `hookgate disable --managed` removes this'
const ending = '# hookgate ends'
const mark = ' # hookgate'

/** Removes the lines between the two comments, with the blank line before them, and the lines with a mark. */
function withoutMarked(text: string): string {
  const start = text.indexOf(`${beginning}\n`)
  const end = text.indexOf(`${ending}\n`, start)
  const rest =
    start < 0 || end < 0
      ? text
      : `${text
          .slice(0, start)
          .replace(/(?<=[^\n])\n\n$/, '\n')
          .replace(/^\n$/, '')}${text.slice(end + ending.length + 1)}`
  return rest.replaceAll(/^(?:\[[\w.-]+\] # hookgate\n)?[\w-]+ = .* # hookgate\n/gm, '')
}

/** Adds the line of a setting to its table, or a table of its own before all others. */
function withSetting(
  text: string,
  path: readonly string[],
  value: Json,
  parsed: (text: string) => JsonObject,
  file: string,
): string {
  const found = path.reduce<Json | undefined>((at, key) => (isJsonObject(at) ? at[key] : undefined), parsed(text))
  if (isDeepStrictEqual(found, value)) return text
  if (found !== undefined) {
    const message = `${quoted(path.join('.'))} is ${JSON.stringify(found)}, with which hookgate can be switched off or passed by`
    throw malformed({ file }, message, `set it to ${JSON.stringify(value)}`)
  }
  const name = path.slice(0, -1).join('.')
  const line = `${path.at(-1)} = ${JSON.stringify(value)}${mark}\n`
  if (name === '') return `${line}${text}`
  const header = new RegExp(
    String.raw`^[ \t]*\[[ \t]*${name.replaceAll('.', String.raw`\.`)}[ \t]*\][ \t]*(?:#.*)?\r?\n`,
    'm',
  )
  const at = header.exec(text)
  if (at !== null) return `${text.slice(0, at.index)}${at[0]}${line}${text.slice(at.index + at[0].length)}`
  // A table ends what stands above it, so it comes behind the keys that belong to none.
  const first = /^[ \t]*\[/m.exec(text)?.index ?? text.length
  const above = text.slice(0, first)
  return `${above}${above === '' || above.endsWith('\n') ? '' : '\n'}[${name}]${mark}\n${line}${text.slice(first)}`
}

/** Reads `[[hooks.EVENT]]` with `[[hooks.EVENT.hooks]]`, beside which settings of hooks may stand. */
const handlersOf = ({ hooks }: JsonObject) =>
  Object.entries(isJsonObject(hooks) ? hooks : {}).flatMap(([event, groups]) =>
    objectsIn(groups).flatMap((group) => objectsIn(group['hooks']).map((handler) => ({ event, handler }))),
  )

function removeAt(root: unknown, path: readonly string[]): void {
  const [key = '', ...rest] = path
  if (!isJsonObject(root)) return
  const inner = root[key]
  if (rest.length > 0) removeAt(inner, rest)
  if (rest.length === 0 || (isJsonObject(inner) && Object.keys(inner).length === 0)) Reflect.deleteProperty(root, key)
}

const unusual = (file: string) =>
  malformed(
    { file },
    'its form leaves no place for hookgate',
    'write its tables in the usual form, `[features]`, not inline',
  )
