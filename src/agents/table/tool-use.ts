import { patchPaths } from '../codec/edits.ts'
import { isPatch } from '../codec/patch.ts'
import { checkWhole, inputOfCall, withCommand } from './call-input.ts'
import type { CallKeys, CallTime } from './table.ts'
import { toolKind, toolRow } from '../tool-names.ts'
import { unknownToolUse } from '../codec/unknown-tool.ts'
import type { ToolFields } from '../tools.ts'
import type { ToolUse, AgentName } from '../../model/event.ts'
import { isJsonObject, type Json, type JsonObject, objectsIn, textAt, textsAt } from '../../model/json.ts'
import { shellWord } from '../../model/text.ts'

/** How an agent spells its tools, where the names in the table do not suffice. */
export interface Spelling {
  /** Returns an MCP tool's server and name from its spelling; `undefined` for every other tool. */
  readonly mcp?: (name: string, wire: JsonObject) => readonly [server: string, tool: string] | undefined
  /** Returns fields that a hook gets in the input of another agent's call. */
  readonly added?: (name: string) => JsonObject
  /** Returns fields that a hook gets in addition to the tool's name. */
  readonly beside?: (name: string) => JsonObject
}

/**
 * Decodes the tool call of a wire object into the common form.
 *
 * @throws HookgateError `eventMalformed` if it cannot be read
 */
export function toolUseIn(
  agent: AgentName,
  wire: JsonObject,
  keys: CallKeys,
  { mcp }: Spelling,
  time: CallTime,
): ToolUse {
  const spelled = textAt(wire, keys.name) ?? ''
  const server = mcp?.(spelled, wire)
  const name = server === undefined ? spelled : `mcp__${server[0]}__${server[1]}`
  if (time === 'before') checkWhole(wire)
  const input = inputOfCall(agent, name, wire[keys.input], [keys.input], time)
  const tool = toolUseOf(agent, name, input, textAt(wire, keys.id))
  return time === 'before' ? withCommand(agent, tool, [keys.input]) : tool
}

export function toolUseOf(agent: AgentName, name: string, input: JsonObject, id: string | undefined): ToolUse {
  const kind = toolKind(agent, name)
  const common = { name, ...(id !== undefined && id !== '' && { id }), input }
  if (kind === 'other' && toolRow(agent, name, kind) === undefined) return { ...common, ...unknownToolUse(name, input) }
  const fields = toolRow(agent, name, kind)?.fields[agent] ?? {}
  const own = pathsIn(input, fields)
  // A writing tool without a path, but with a patch in its input, is a patch tool under another name.
  const isWriter = (kind === 'edit' || kind === 'write') && own.length === 0
  const patch = isWriter ? Object.values(input).find(isPatch) : undefined
  const paths = patch === undefined ? own : patchPaths(patch)
  const [path] = paths
  const command = commandIn(input, fields)
  const [url] = textsAt(input, fields.url)
  const content =
    patch ?? (fields.edits === undefined ? (textAt(input, fields.content) ?? editsIn(input)) : addedIn(input, fields))
  return {
    kind: patch === undefined ? kind : 'edit',
    ...common,
    ...(path !== undefined && { paths, path }),
    ...(command !== undefined && { command }),
    ...(url !== undefined && { url }),
    ...(content !== undefined && { content }),
  }
}

function pathsIn(input: JsonObject, fields: ToolFields): readonly string[] {
  if (fields.edits !== undefined) {
    return [...new Set(objectsIn(input[fields.edits]).flatMap((edit) => textsAt(edit, fields.path)))]
  }
  const patch = textAt(input, fields.patch)
  return patch === undefined ? textsAt(input, fields.path) : patchPaths(patch)
}

/** Joins the new texts of all edits in a list, on separate lines. */
function addedIn(input: JsonObject, fields: ToolFields): string | undefined {
  const edits = fields.edits === undefined ? [] : objectsIn(input[fields.edits])
  return edits.length === 0 ? undefined : edits.map((edit) => textAt(edit, fields.content) ?? '').join('\n')
}

/** Returns the commands under all keys that the tool has for them; `undefined` if it has none, or one cannot be read. */
function commandIn(input: JsonObject, { command, commands }: ToolFields): string | undefined {
  const given = [command, commands].filter((key) => key !== undefined && (input[key] ?? undefined) !== undefined)
  const lines = given.flatMap((key) => commandAt(input, key) ?? [])
  return lines.length === 0 || lines.length < given.length ? undefined : lines.join('\n')
}

/** Returns a command: a text, or the words of a program started without a shell, if all of them are texts. */
function commandAt(input: JsonObject, key: string | undefined): string | undefined {
  const value = key === undefined || !Object.hasOwn(input, key) ? undefined : input[key]
  if (!Array.isArray(value)) return textAt(input, key)
  const words = textsAt(input, key)
  return words.length === value.length ? words.map(shellWord).join(' ') : undefined
}

/** Joins the new texts of a tool that makes several edits at once, on separate lines. */
function editsIn(input: JsonObject): string | undefined {
  const edits = input['edits']
  if (!Array.isArray(edits)) return undefined
  const texts = edits.flatMap((edit: Json) =>
    isJsonObject(edit) ? [textAt(edit, 'new_string') ?? textAt(edit, 'newString') ?? ''] : [],
  )
  return texts.length === 0 ? undefined : texts.join('\n')
}
