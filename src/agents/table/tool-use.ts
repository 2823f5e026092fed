import { resolve } from 'node:path'
import { z } from 'zod'
import { patchOf, patchPaths, textsOfEdit, unknownToolUse } from '../codec/edits.ts'
import { isPatch } from '../codec/patch.ts'
import type { CallKeys, CallTime } from './table.ts'
import { toolKind, toolNameFor, toolRow, toolTable } from '../tool-names.ts'
import type { ToolFields } from '../tools.ts'
import type { AgentName, ToolUse } from '../../model/event.ts'
import { isJsonObject, type Json, type JsonObject, merged, objectsIn, textAt, textsAt } from '../../model/json.ts'
import { quoted, shellWord } from '../../model/text.ts'
import { withVariables } from '../../tools/carried-use.ts'
import { mcpArguments } from '../../tools/mcp-call.ts'
import { malformed, wrongKind } from '../codec/mismatch.ts'
import { HookgateError } from '../../model/errors.ts'

/** How an agent spells its tools, where the names in the table do not suffice. */
export interface Spelling {
  /** Returns an MCP tool's server and name from its spelling; `undefined` for every other tool. */
  readonly mcp?: (name: string, wire: JsonObject) => readonly [server: string, tool: string] | undefined
  /** Returns the path that the agent's own tools make of the text of one. */
  readonly path?: (text: string) => string
  /** Returns the command that does what a call of a tool of the agent's own does; `undefined` for every other call. */
  readonly command?: (name: string, input: JsonObject) => string | undefined
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
  { mcp, path, command: commandOf }: Spelling,
  time: CallTime,
): ToolUse {
  const spelled = textAt(wire, keys.name) ?? ''
  const server = mcp?.(spelled, wire)
  const name = server === undefined ? spelled : `mcp__${server[0]}__${server[1]}`
  if (time === 'before') checkWhole(wire)
  const input = inputOfCall(agent, name, wire[keys.input], [keys.input], time)
  const tool = withPaths(toolUseOf(agent, name, input, textAt(wire, keys.id)), path)
  const command = commandOf?.(name, input)
  if (command !== undefined) return { ...tool, kind: 'shell', inferred: true, command }
  return time === 'before' ? withCommand(agent, tool, [keys.input]) : tool
}

function withPaths(tool: ToolUse, pathOf: Spelling['path']): ToolUse {
  if (pathOf === undefined || tool.paths === undefined || tool.inferred === true || tool.kind === 'mcp') return tool
  const paths = tool.paths.map((text) => pathOf(text))
  const [path] = paths
  return { ...tool, paths, ...(path !== undefined && { path }) }
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
function commandIn(input: JsonObject, { command, commands, variables = '' }: ToolFields): string | undefined {
  const given = [command, commands].filter((key) => key !== undefined && (input[key] ?? undefined) !== undefined)
  const lines = given.flatMap((key) => commandAt(input, key) ?? [])
  if (lines.length === 0 || lines.length < given.length) return undefined
  return withVariables(lines.join('\n'), [input[variables] ?? null])
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
    isJsonObject(edit)
      ? [textAt(edit, 'new_string') ?? textAt(edit, 'newString') ?? textAt(edit, 'newText') ?? '']
      : [],
  )
  return texts.length === 0 ? undefined : texts.join('\n')
}

/** A tool call in one agent's format. */
interface EncodedCall {
  readonly name: string
  readonly input: JsonObject
}

/**
 * Translates a call into calls of another agent's tools, one for each file that it touches.
 *
 * Returns none if the call lacks a field that the other tool requires: a hook that guards paths would otherwise get no
 * path and let it pass.
 */
export function callsFor(target: AgentName, caller: AgentName, tool: ToolUse, cwd: string): readonly EncodedCall[] {
  const asItIs = [{ name: tool.name, input: tool.input }]
  if (caller === target) return asItIs
  if (tool.kind === 'mcp') return [{ name: tool.name, input: mcpArguments(tool.input) }]
  const theirs = toolRow(caller, tool.name, tool.kind)
  const name = theirs && toolNameFor(target, theirs)
  if (theirs === undefined || name === undefined) return asItIs
  const ours = toolRow(target, name, tool.kind)?.fields[target] ?? {}
  return inputsOf(tool, theirs.fields[caller] ?? {}, ours, cwd).map((input) => ({ name, input }))
}

function inputsOf(tool: ToolUse, theirs: ToolFields, ours: ToolFields, cwd: string): readonly JsonObject[] {
  const { command, url, content = '', path, input } = tool
  const absolute = (file: string) => resolve(cwd, file)
  const files = tool.paths ?? (path === undefined ? [] : [path])
  const inFolder = field(ours.path, path === undefined ? undefined : absolute(path))

  switch (tool.kind) {
    case 'shell':
      return required(ours.command, command)
    case 'read':
      return files.map((file) => field(ours.path, absolute(file)))
    case 'write':
      return files.map((file) =>
        ours.patch === undefined
          ? merged(field(ours.path, absolute(file)), field(ours.content, content))
          : field(ours.patch, patchOf(absolute(file), undefined, content)),
      )
    case 'edit':
      return files.map((file) => {
        const { removed, added } = textsOfEdit(tool, file, theirs)
        if (ours.patch !== undefined) return field(ours.patch, patchOf(absolute(file), removed, added))
        return merged(field(ours.path, absolute(file)), field(ours.replaced, removed), field(ours.content, added))
      })
    case 'search': {
      const [first, ...others] = textsAt(input, theirs.glob)
      const glob = others.length === 0 ? first : `{${[first, ...others].join(',')}}`
      return required(ours.pattern, textAt(input, theirs.pattern) ?? alternatives(input['queries'])).map((one) =>
        merged(one, inFolder, field(ours.glob, glob)),
      )
    }
    case 'list': {
      const globs = textsAt(input, theirs.glob)
      const whole = isSet(input['recursive']) ? '**/*' : '*'
      return (globs.length === 0 ? [whole] : globs).map((glob) => merged(listed(ours, 'glob', glob), inFolder))
    }
    case 'fetch':
      return url === undefined || ours.url === undefined
        ? []
        : [merged(field(ours.prompt, textAt(input, theirs.prompt)), listed(ours, 'url', url))]
    case 'websearch':
      return required(ours.pattern, textAt(input, theirs.pattern))
    case 'agent':
      return [field(ours.content, content)]
    case 'browser':
    case 'mcp':
    case 'other':
      return [input]
  }
}

const field = (key: string | undefined, value: string | undefined): JsonObject =>
  key === undefined || value === undefined ? {} : { [key]: value }

/** Returns the value as a text or as a list of one, as the tool takes it. */
function listed({ lists = [], ...keys }: ToolFields, name: 'glob' | 'url', value: string): JsonObject {
  const key = keys[name]
  return key === undefined ? {} : { [key]: lists.includes(name) ? [value] : value }
}

/** Classic Cline takes its parameters from XML, so they are all strings. */
const isSet = (flag: Json | undefined) => flag === true || flag === 'true'

/** Cline's SDK searches for several patterns in one call. */
function alternatives(queries: Json | undefined): string | undefined {
  const texts = textsAt({ queries: queries ?? null }, 'queries')
  return texts.length === 0 ? undefined : texts.join('|')
}

const required = (key: string | undefined, value: string | undefined): readonly JsonObject[] =>
  key === undefined || value === undefined ? [] : [{ [key]: value }]

const anInput = z.custom<JsonObject | string>((value) => typeof value === 'string' || isJsonObject(value), 'an object')

/** Returns the schema of a call's keys. After the call nothing can be refused, and its input may be missing. */
export function callFields({ name, input }: CallKeys, time: CallTime): z.ZodRawShape {
  return { [name]: z.string().min(1), [input]: time === 'before' ? anInput : anInput.nullish() }
}

/**
 * Reads a call's input: an object, its JSON as text, or, for a tool that takes only a patch, that text itself.
 *
 * Returns `undefined` for anything else.
 */
export function readInput(agent: AgentName, name: string, value: Json | undefined): JsonObject | undefined {
  if (isJsonObject(value)) return value
  if (typeof value !== 'string') return undefined
  const parsed = parsedOr(value)
  if (isJsonObject(parsed)) return parsed
  if (typeof parsed !== 'string') return undefined
  const kind = toolKind(agent, name)
  const own = toolRow(agent, name, kind)?.fields[agent]?.patch
  // An agent that has a tool for patches may send its calls under the name of another that writes.
  const isWriter = (kind === 'edit' || kind === 'write') && isPatch(parsed)
  const patch =
    own ?? (isWriter ? toolTable.find(({ fields }) => fields[agent]?.patch)?.fields[agent]?.patch : undefined)
  return patch === undefined ? undefined : { [patch]: parsed }
}

/** Parses JSON, or returns the text itself. Versions that send inputs as JSON encode a patch as a JSON string. */
function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * Reads a call's input.
 *
 * @throws HookgateError `eventMalformed` if the input cannot be read
 */
function inputOfCall(
  agent: AgentName,
  name: string,
  value: Json | undefined,
  at: readonly string[],
  time: CallTime,
): JsonObject {
  if (time === 'after' && (value === undefined || value === null)) return {}
  const input = readInput(agent, name, value)
  if (input !== undefined) return input
  throw malformed(agent, wrongKind(at, 'an object or the JSON of one', value))
}

/**
 * Checks that the agent has sent the whole input of a call. What it has cut off may be what the rules are about.
 *
 * @throws HookgateError `eventMalformed` if it says that it has not
 */
function checkWhole(wire: JsonObject): void {
  const key = ['toolInputTruncated', 'tool_input_truncated'].find((one) => (wire[one] ?? false) !== false)
  if (key === undefined) return
  const what = `the agent has cut the tool's input (${quoted(key)}), so that it can't be judged`
  throw new HookgateError('eventMalformed', what, { remedy: 'call the tool with a smaller input, in several calls' })
}

/** Reads the arguments of an MCP tool, which may be absent: how an agent sends none was not measured. */
export function mcpInput(agent: AgentName, value: Json | undefined, at: readonly string[]): JsonObject {
  const none = value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
  return none ? {} : inputOfCall(agent, '', value, at, 'before')
}

/**
 * Checks a call that has not yet been made.
 *
 * INVARIANT: the command of a shell is known, or the call is refused: rules on commands would have nothing to judge.
 *
 * @param at the path of the call's input
 *
 * @throws HookgateError `eventMalformed` if a shell's command cannot be read
 */
export function withCommand(agent: AgentName, tool: ToolUse, at: readonly string[]): ToolUse {
  const { kind, name, command, input } = tool
  if (kind !== 'shell' || command !== undefined) return tool
  const { command: key = 'command', insteadOfCommand } = toolRow(agent, name, kind)?.fields[agent] ?? {}
  const runsNone = insteadOfCommand !== undefined && (input[insteadOfCommand] ?? undefined) !== undefined
  if (runsNone && (input[key] ?? undefined) === undefined) return tool
  throw malformed(agent, wrongKind([...at, key], 'a string or an array of strings', input[key]))
}

/** Returns the folder in which a call runs its command: the one under a key of its input, else the session's. */
export function folderOfCall(input: Json | undefined, key: string, cwd: string): string {
  const named = isJsonObject(input) ? textAt(input, key) : undefined
  return named === undefined || named === '' ? cwd : resolve(cwd, named)
}
