import { isDeepStrictEqual } from 'node:util'
import { HookgateError } from '../../model/errors.ts'
import type { AgentName, CallEvent, HookEvent, ToolUse } from '../../model/event.ts'
import { deepFreeze, isJsonObject, type Json, type JsonObject } from '../../model/json.ts'
import { toolRow } from '../tool-names.ts'
import type { ToolField, ToolFields } from '../tools.ts'
import { quoted, shellWord } from '../../model/text.ts'

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

  let input: Record<string, Json> = { ...tool.input }
  for (const key of new Set([...Object.keys(hook.sent), ...Object.keys(hook.updated)])) {
    const value = hook.updated[key]
    if (isDeepStrictEqual(value, hook.sent[key])) continue
    const field = fieldOf(theirs, key, tool)
    const listKey = field === 'command' ? ours.commands : undefined
    if (listKey !== undefined) {
      const rewritten = withCommands(input, listKey, hook.sent[key], value)
      if (rewritten === undefined) return undefined
      input = rewritten
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
 * Puts a rewritten command, which the hook was sent as the lines of a list, back into that list, or into the input that
 * is itself the only command. The hook's command is a text for the shell, and so is each command that it replaces.
 *
 * @returns undefined if it is unknown which member was meant, or if there are commands elsewhere in the call
 */
function withCommands(
  input: JsonObject,
  listKey: string,
  sent: Json | undefined,
  value: Json | undefined,
): JsonObject | undefined {
  if (typeof value !== 'string') return undefined
  if (!(listKey in input)) {
    const { args: _, ...others } = input
    return commandLine(input) === sent ? { ...others, command: value } : undefined
  }
  const list = input[listKey]
  const members: readonly (Json | undefined)[] = Array.isArray(list) ? list : [list]
  const lines = members.map(commandLine)
  if (lines.includes(undefined) || lines.join('\n') !== sent) return undefined
  if (members.length === 1) return { ...input, [listKey]: Array.isArray(list) ? [value] : value }
  const texts = value.split('\n')
  if (texts.length !== lines.length || sent.split('\n').length !== lines.length) return undefined
  return { ...input, [listKey]: texts.map((text, index) => (text === lines[index] ? (members[index] ?? text) : text)) }
}

/**
 * Returns a member of a list of commands as a text for the shell. `{command, args}` runs without one, so its words are
 * quoted to stay intact.
 *
 * @returns undefined if it cannot be read
 */
export function commandLine(entry: Json | undefined): string | undefined {
  if (typeof entry === 'string') return entry
  if (!isJsonObject(entry) || typeof entry['command'] !== 'string') return undefined
  const words = [entry['args'] ?? []].flat()
  return words.every((word) => typeof word === 'string')
    ? [entry['command'], ...words.map(shellWord)].join(' ')
    : undefined
}

/**
 * Puts a call that was decoded from a changed wire object in the place of an event's own call.
 *
 * Everything else of the event stays, since more may be known of its session than its wire object says.
 *
 * INVARIANT: what is returned is the call that would run. The tool has the demanded input, and is of the kind that its
 * wire object alone makes it.
 *
 * @param before the event's own wire object, decoded
 * @param after the wire object with the other input, decoded
 *
 * @throws HookgateError `eventMalformed` if the tool would get another input than the demanded one
 */
export function withCall(event: HookEvent, before: HookEvent, after: HookEvent, input: JsonObject): CallEvent {
  const { tool, session } = event
  if (tool === undefined || after.tool === undefined || before.tool?.kind !== tool.kind) {
    throw unreadable(event, 'its event is not as the agent sends it')
  }
  if (!isDeepStrictEqual(after.tool.input, input)) throw unreadable(event, 'the agent would not pass it on unchanged')
  // A command may run in a folder that its input names.
  const cwd = after.session.cwd === before.session.cwd ? session.cwd : after.session.cwd
  return deepFreeze<CallEvent>({
    ...event,
    session: { ...session, cwd },
    tool: { ...after.tool, ...(tool.id !== undefined && { id: tool.id }) },
    raw: after.raw,
  })
}

/** The error for an input that cannot be put into a call. */
export const unreadable = ({ tool }: HookEvent, why: string): HookgateError =>
  new HookgateError('eventMalformed', `the new input of ${quoted(tool?.name ?? '')} cannot be judged: ${why}`)
