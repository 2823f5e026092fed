import { isDeepStrictEqual } from 'node:util'
import type { ToolUse, AgentName } from '../../model/event.ts'
import type { Json, JsonObject } from '../../model/json.ts'
import { toolRow } from '../tool-names.ts'
import type { ToolField, ToolFields } from '../tools.ts'

/** Fields with the same meaning for every agent. `content` has it only if a whole file is written. */
const shared: readonly ToolField[] = ['path', 'command', 'url', 'pattern', 'glob', 'prompt']

/**
 * Translates a rewrite by a hook of another agent into the keys of the calling agent.
 *
 * The hook's changes to the input it was sent are applied, under the caller's keys, to the caller's own input.
 *
 * @returns undefined if a changed field has no counterpart, which makes the rewrite impossible to carry out
 */
export function rewriteFor(
  caller: AgentName,
  tool: ToolUse,
  hook: {
    readonly agent: AgentName
    readonly toolName: string
    readonly sent: JsonObject
    readonly updated: JsonObject
  },
): JsonObject | undefined {
  if (hook.agent === caller) return hook.updated
  const theirs = toolRow(hook.agent, hook.toolName, tool.kind)?.fields[hook.agent]
  const ours = toolRow(caller, tool.name, tool.kind)?.fields[caller]
  if (theirs === undefined || ours === undefined) return undefined

  const input: Record<string, Json> = { ...tool.input }
  for (const key of new Set([...Object.keys(hook.sent), ...Object.keys(hook.updated)])) {
    const value = hook.updated[key]
    if (isDeepStrictEqual(value, hook.sent[key])) continue
    const field = fieldOf(theirs, key, tool)
    const listKey = field === 'command' ? ours.commands : undefined
    if (listKey !== undefined && listKey in tool.input) {
      const commands = commandsWith(tool.input[listKey], hook.sent[key], value)
      if (commands === undefined) return undefined
      input[listKey] = commands
      continue
    }
    const ourKey = field === undefined ? undefined : ours[field]
    // The caller's tool would not read a key that its own call does not have (`commands` for `command`).
    const known = ourKey !== undefined && ourKey in tool.input
    // A list is not replaced by a text, nor a text by a list: it is unknown which member was meant.
    if (known && value !== undefined && Array.isArray(value) !== Array.isArray(tool.input[ourKey])) return undefined
    if (known && value !== undefined) input[ourKey] = value
    else if (known) delete input[ourKey]
    // A field that the hook left out and the caller never sent is no change; anything else would be lost.
    else if (value !== undefined) return undefined
  }
  return input
}

function fieldOf(fields: ToolFields, key: string, tool: ToolUse): ToolField | undefined {
  const candidates = tool.kind === 'write' ? ([...shared, 'content'] as const) : shared
  return candidates.find((field) => fields[field] === key)
}

/**
 * Puts a rewritten command, which the hook was sent as the lines of a list, back into that list.
 *
 * @returns undefined if it is unknown which member was meant, or if there are commands elsewhere in the call
 */
function commandsWith(list: Json | undefined, sent: Json | undefined, value: Json | undefined): Json | undefined {
  if (typeof value !== 'string') return undefined
  if (typeof list === 'string') return list === sent ? value : undefined
  if (!Array.isArray(list) || list.join('\n') !== sent) return undefined
  if (list.length === 1) return [value]
  const lines = value.split('\n')
  return lines.length === list.length && sent.split('\n').length === list.length ? lines : undefined
}
