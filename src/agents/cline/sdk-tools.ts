import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts'
import { anything } from '../json-schemas.ts'
import { shellWord } from '../../model/shell-word.ts'

/**
 * What the tools of Cline's SDK take, in every form their input schemas accept (`schemas.ts` of its tools): a form that
 * was not read here would be a way past every rule about commands or paths.
 */

/** All commands of `run_commands`, a line each; none where one of them cannot be read, as if there were no other. */
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
  // Engine B writes structure as JSON and text as it is, so a text that reads like structure may be a shell command.
  if (stringified && given.some(isJsonObject)) lines.push(...stringsIn(input['commands']))
  return lines.length === 0 ? undefined : lines.join('\n')
}

/** A text is for the shell; `{command, args}` is run without one, so its words are quoted to stay what they are. */
function commandLine(entry: Json): string | undefined {
  if (typeof entry === 'string') return entry
  if (!isJsonObject(entry) || typeof entry['command'] !== 'string') return undefined
  const args = entry['args'] ?? []
  const words = stringsIn(args)
  const isWhole = words.length === (isList(args) ? args.length : 1)
  return isWhole ? [entry['command'], ...words.map(shellWord)].join(' ') : undefined
}

/** All files of `read_files`. */
export function filePaths(input: JsonObject, stringified: boolean): readonly string[] {
  return ['files', 'file_paths', 'paths', 'path'].flatMap((key) =>
    listAt(input, key, stringified).flatMap((entry) => stringsIn(isJsonObject(entry) ? entry['path'] : entry)),
  )
}

/** The first address of `fetch_web_content`. */
export function firstUrl(input: JsonObject, stringified: boolean): string | undefined {
  return listAt(input, 'requests', stringified).flatMap((entry) =>
    stringsIn(isJsonObject(entry) ? entry['url'] : null),
  )[0]
}

/** Whether an optional value was left out; engine B writes `null` as the text `null`. */
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

/** `Array.isArray` does not narrow a readonly array. */
const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value)

/** Engine B's parameters are texts: what was none is JSON in them (`toStringRecord` of its `hooks-adapter.ts`). */
function atKey(input: JsonObject, key: string, stringified: boolean): Json | undefined {
  const value = input[key]
  if (!stringified || typeof value !== 'string' || !/^(?:[[{]|null$)/.test(value)) return value
  try {
    return anything.parse(JSON.parse(value))
  } catch {
    return value
  }
}
