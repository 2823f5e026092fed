import { z } from 'zod'
import { malformed, wrongKind } from '../mismatch.ts'
import type { CallKeys, CallTime } from './table.ts'
import { toolKind, toolRow } from '../tool-names.ts'
import type { AgentName } from '../../model/agents.ts'
import type { Action } from '../../model/event.ts'
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts'

const anInput = z.custom<JsonObject | string>((value) => typeof value === 'string' || isJsonObject(value), 'an object')

/** Where a call stands in an event. Of one that was made, nothing can be kept back any more, and its input may be gone. */
export function callFields({ name, input }: CallKeys, time: CallTime): z.ZodRawShape {
  return { [name]: z.string().min(1), [input]: time === 'before' ? anInput : anInput.nullish() }
}

/**
 * A call's input, in whatever form it is sent: an object, its JSON in a text, or, of a tool that takes nothing but a
 * patch, that text itself. `undefined` where it is none of these.
 */
export function readInput(agent: AgentName, name: string, value: Json | undefined): JsonObject | undefined {
  if (isJsonObject(value)) return value
  if (typeof value !== 'string') return undefined
  const parsed = parsedOr(value)
  if (isJsonObject(parsed)) return parsed
  const patch = toolRow(agent, name, toolKind(agent, name))?.fields[agent]?.patch
  return patch !== undefined && typeof parsed === 'string' ? { [patch]: parsed } : undefined
}

/** A text that is no JSON stands for itself; versions that send inputs as JSON make a patch a text in a text. */
function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** @throws HookgateError `eventMalformed` where the input cannot be read */
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

/** The arguments of an MCP tool where nobody has measured how an agent sends none: a server need not be given any. */
export function mcpInput(agent: AgentName, value: Json | undefined, at: readonly string[]): JsonObject {
  const none = value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
  return none ? {} : inputOfCall(agent, '', value, at, 'before')
}

/**
 * A call that is asked about.
 *
 * INVARIANT: what a shell would run is known, or the call is refused: rules on commands would have nothing to judge.
 *
 * @param at where its input stands
 * @throws HookgateError `eventMalformed` where a shell's command cannot be read
 */
export function withCommand(agent: AgentName, action: Action, at: readonly string[]): Action {
  const { tool, name, command, input } = action
  if (tool !== 'shell' || command !== undefined) return action
  const { command: key = 'command', insteadOfCommand } = toolRow(agent, name, tool)?.fields[agent] ?? {}
  const runsNone = insteadOfCommand !== undefined && isJsonObject(input[insteadOfCommand])
  if (runsNone && (input[key] ?? undefined) === undefined) return action
  throw malformed(agent, wrongKind([...at, key], 'a string or an array of strings', input[key]))
}
