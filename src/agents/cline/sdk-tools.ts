import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts'
import { anything } from '../json-schemas.ts'
import { shellWord } from '../../model/text.ts'

/**
 * Reads the inputs of the tools of Cline's SDK in every form that their schemas accept (its `schemas.ts`).
 *
 * A form that was not read here would bypass every rule about commands or paths.
 */

/** Returns all commands of `run_commands`, one per line; `undefined` if any of them cannot be read. */
export function commandText(input: JsonObject, stringified: boolean): string | undefined {
  const args = atKey(input, 'args', stringified)
  const given = [
    ...listAt(input, 'commands', stringified),
    ...listAt(input, 'command', stringified).map((command): Json => (args === undefined ? command : { command, args })),
    ...listAt(input, 'cmd', stringified),
  ]
  const read = given.map(commandLine)
  if (read.includes(undefined)) return undefined
  const lines = read.filter((line) => line !== undefined)
  // Engine B writes structure as JSON and text as it is, so a text that looks like structure may be a shell command.
  if (stringified && given.some(isJsonObject)) lines.push(...stringsIn(input['commands']))
  return lines.length === 0 ? undefined : lines.join('\n')
}

/** Returns a text for the shell. `{command, args}` runs without one, so its words are quoted to stay intact. */
function commandLine(entry: Json): string | undefined {
  if (typeof entry === 'string') return entry
  if (!isJsonObject(entry) || typeof entry['command'] !== 'string') return undefined
  const args = entry['args'] ?? []
  const words = stringsIn(args)
  const isWhole = words.length === (isList(args) ? args.length : 1)
  return isWhole ? [entry['command'], ...words.map(shellWord)].join(' ') : undefined
}

/** Returns all files of `read_files`. */
export function filePaths(input: JsonObject, stringified: boolean): readonly string[] {
  return ['files', 'file_paths', 'paths', 'path'].flatMap((key) =>
    listAt(input, key, stringified).flatMap((entry) => stringsIn(isJsonObject(entry) ? entry['path'] : entry)),
  )
}

/** Returns the first URL of `fetch_web_content`. */
export function firstUrl(input: JsonObject, stringified: boolean): string | undefined {
  return listAt(input, 'requests', stringified).flatMap((entry) =>
    stringsIn(isJsonObject(entry) ? entry['url'] : null),
  )[0]
}

/** Returns whether an optional value was left out; engine B writes `null` as the text `null`. */
export function absent(input: JsonObject, key: string, stringified: boolean): boolean {
  const value = atKey(input, key, stringified)
  return value === undefined || value === null
}

function listAt(input: JsonObject, key: string, stringified: boolean): readonly Json[] {
  const value = atKey(input, key, stringified)
  if (value === undefined) return []
  return isList(value) ? value : [value]
}

function stringsIn(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return [value]
  return isList(value) ? value.filter((entry) => typeof entry === 'string') : []
}

/** Narrows readonly arrays, which `Array.isArray` does not. */
const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value)

/**
 * Reads a parameter. Engine B's parameters are texts: non-texts are JSON (`toStringRecord` of its `hooks-adapter.ts`).
 */
function atKey(input: JsonObject, key: string, stringified: boolean): Json | undefined {
  const value = input[key]
  if (!stringified || typeof value !== 'string' || !/^(?:[[{]|null$)/.test(value)) return value
  try {
    return anything.parse(JSON.parse(value))
  } catch {
    return value
  }
}
