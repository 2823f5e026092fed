import { resolve } from 'node:path'
import { z } from 'zod'
import { malformed, wrongKind } from '../codec/mismatch.ts'
import { isPatch } from '../codec/patch.ts'
import type { CallKeys, CallTime } from './table.ts'
import { toolKind, toolRow, toolTable } from '../tool-names.ts'
import { HookgateError } from '../../model/errors.ts'
import type { ToolUse, AgentName } from '../../model/event.ts'
import { isJsonObject, type Json, type JsonObject, textAt } from '../../model/json.ts'
import { quoted } from '../../model/text.ts'

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
export function inputOfCall(
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
export function checkWhole(wire: JsonObject): void {
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
