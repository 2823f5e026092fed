import { isDeepStrictEqual } from 'node:util'
import { errorText } from '../../model/errors.ts'
import { isJsonObject, type Json, type JsonObject, objectsIn } from '../../model/json.ts'
import { quoted } from '../../model/text.ts'
import { parseToml, tomlText } from '../../files/settings-values.ts'
import { malformed } from '../json/document.ts'
import type { ManagedFile } from './managed-file.ts'
import type { ManagedForm } from './managed-form.ts'

/**
 * Edits a TOML file: hooks are tables at its end between two lines of comment, and a setting is a line with a mark.
 *
 * INVARIANT: the rest of the file is read as before, and what is ours can be taken out of it again to the byte.
 */
export function tomlForm({ file, managed, entries, pins, own }: ManagedFile): ManagedForm {
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
    if (handlersIn(parsed(left)).some(({ handler }) => own(handler) !== undefined)) {
      throw malformed({ file }, 'its hooks cannot be told from the rest', 'remove the tables that run hookgate')
    }
    return left
  }
  return {
    format: 'toml',
    empty: '',
    added(text) {
      const before = parsed(text)
      const settled = pins.reduce((now, { path, value }) => withSetting(now, path, value, parsed, file), text)
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
      return { root, handlers: handlersIn(root) }
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
    return { ...copy, hooks: undefined, handlers: handlersIn(root).filter(({ handler }) => own(handler) === undefined) }
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
    const message = `${quoted(path.join('.'))} is ${JSON.stringify(found)}, with which hookgate can be switched off`
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
const handlersIn = ({ hooks }: JsonObject) =>
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
