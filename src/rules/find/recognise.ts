import { basename, dirname, sep } from 'node:path'
import { eventSpellings, hearing } from '../../model/event-names.ts'
import { type HookFile, hookFiles } from '../../model/hook-files.ts'
import { isJsonObject, type JsonObject, objectsIn } from '../../model/json.ts'

/** The formats that a file may have by where it lies; more than one where agents share a folder. */
export function formatsAt(file: string): readonly HookFile[] {
  const path = file.split(sep).join('/')
  return hookFiles.filter(({ places }) => places.some((place) => liesAt(path, place)))
}

function liesAt(path: string, place: string): boolean {
  const folder = dirname(place)
  const name = basename(place)
  const names = name.startsWith('*') ? basename(path).endsWith(name.slice(1)) : basename(path) === name
  return names && `${dirname(path)}/`.endsWith(`/${folder}/`)
}

/** The files of a folder that an agent keeps its hooks in, by name. */
export const hookFileNames = (folder: string, names: readonly string[]): readonly string[] =>
  names.filter((name) => formatsAt(`${folder}${sep}${name}`).length > 0)

/**
 * The agent's format that a file has: by where it lies and, where that is silent or two agents share the place, by its
 * events and keys. `undefined` where it may well be hookgate's own or Claude Code's.
 */
export function formatOf(file: string, value: unknown): HookFile | undefined {
  if (!isJsonObject(value)) return formatsAt(file)[0]
  const [only, ...others] = formatsAt(file)
  if (others.length === 0) return only ?? formatByShape(value)
  return mostMarked(formatsAt(file), value) ?? others.at(-1)
}

function formatByShape(value: JsonObject): HookFile | undefined {
  const events = isJsonObject(value['hooks']) ? Object.keys(value['hooks']) : []
  if (events.every((event) => shared.has(event))) return undefined
  const fitting = hookFiles.filter(
    ({ agent, events: where }) => where === 'hooks' && events.every((event) => hearing(agent, event) !== undefined),
  )
  return fitting.length === 1 ? fitting[0] : mostMarked(fitting, value)
}

/** Names that Claude Code's and Cline's files have as well. */
const shared: ReadonlySet<string> = new Set([...eventSpellings('claude-code'), ...eventSpellings('cline')])

/** The one that bears the most of its marks; `undefined` where none does, or two do alike. */
function mostMarked(formats: readonly HookFile[], value: JsonObject): HookFile | undefined {
  const keys = keysOf(value)
  const counted = formats.map((format) => ({ format, marks: format.marks.filter((mark) => keys.has(mark)).length }))
  const most = Math.max(0, ...counted.map(({ marks }) => marks))
  const [best, ...others] = counted.filter(({ marks }) => marks === most)
  return most > 0 && others.length === 0 ? best?.format : undefined
}

/** The keys of a file, and of the hooks in it. */
function keysOf(value: JsonObject): ReadonlySet<string> {
  const lists = isJsonObject(value['hooks']) ? Object.values(value['hooks']) : []
  const entries = lists.flatMap(objectsIn)
  const inner = entries.flatMap(({ hooks }) => objectsIn(hooks))
  return new Set([value, ...entries, ...inner].flatMap((object) => Object.keys(object)))
}
