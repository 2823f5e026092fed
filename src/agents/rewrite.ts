import { isDeepStrictEqual } from 'node:util'
import type { AgentName } from '../model/agents.ts'
import type { Action } from '../model/event.ts'
import type { Json, JsonObject } from '../model/json.ts'
import { toolRow } from './tool-names.ts'
import type { ToolField, ToolFields } from './tools.ts'

/** Fields that hold the same thing on every agent. `content` is one only where a whole file is written. */
const shared: readonly ToolField[] = ['path', 'command', 'url', 'pattern', 'glob', 'prompt']

/**
 * A rewrite by a hook of another agent, put into the keys of the agent that asked: what the hook changed of the input
 * it was sent, under the asker's names, on top of the asker's own input.
 *
 * @returns undefined where a changed field has no counterpart, which makes the rewrite one that cannot be carried out
 */
export function rewriteFor(
  asker: AgentName,
  action: Action,
  hook: {
    readonly agent: AgentName
    readonly toolName: string
    readonly sent: JsonObject
    readonly updated: JsonObject
  },
): JsonObject | undefined {
  if (hook.agent === asker) return hook.updated
  const theirs = toolRow(hook.agent, hook.toolName, action.tool)?.fields[hook.agent]
  const ours = toolRow(asker, action.name, action.tool)?.fields[asker]
  if (theirs === undefined || ours === undefined) return undefined

  const input: Record<string, Json> = { ...action.input }
  for (const key of new Set([...Object.keys(hook.sent), ...Object.keys(hook.updated)])) {
    const value = hook.updated[key]
    if (isDeepStrictEqual(value, hook.sent[key])) continue
    const field = fieldOf(theirs, key, action)
    const ourKey = field === undefined ? undefined : ours[field]
    // A key that the asker's own call does not have is one that its tool would not read (`commands` for `command`).
    const known = ourKey !== undefined && ourKey in action.input
    // A tool that takes a list is not given a text, nor the other way about: which of a list was meant is not known.
    if (known && value !== undefined && Array.isArray(value) !== Array.isArray(action.input[ourKey])) return undefined
    if (known && value !== undefined) input[ourKey] = value
    else if (known) delete input[ourKey]
    // What the hook left out and the asker never said is no change; anything else would be lost.
    else if (value !== undefined) return undefined
  }
  return input
}

function fieldOf(fields: ToolFields, key: string, action: Action): ToolField | undefined {
  const candidates = action.tool === 'write' ? ([...shared, 'content'] as const) : shared
  return candidates.find((field) => fields[field] === key)
}
