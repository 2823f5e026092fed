import { z } from 'zod'
import type { Carries } from '../../model/dialect.ts'
import type { EventName, HookEvent } from '../../model/event.ts'
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts'
import { anything } from '../json-schemas.ts'
import { mcpNameFor } from '../../model/mcp-names.ts'
import { toolKind } from '../../model/tool-names.ts'
import { fixed, outputIn, type Own, textIn, together, toolCall, toolResult } from '../table/own.ts'
import type { EventRow } from '../table/table.ts'
import { textAt } from '../text-at.ts'
import { carries } from './carries.ts'
import { copilotForm, type Refused } from './form.ts'
import { camel, pascal, permission } from './frames.ts'

const agent = 'copilot-cli'

/** MCP tools are `server-tool`, `server/tool` where a permission is asked for; none of its own tools has either sign. */
const spelling = {
  mcp(name: string): readonly [string, string] | undefined {
    if (toolKind(agent, name) !== 'other') return undefined
    const [, server, tool] = /^([^-/]+)[-/](.+)$/s.exec(name) ?? []
    return server === undefined || tool === undefined ? undefined : [server, tool]
  },
  write: (name: string) => mcpNameFor(agent, name),
}

const call = toolCall(agent, spelling)
const stopping = (key: string): Own =>
  together(
    fixed({ stop_hook_active: z.boolean().optional(), [key]: z.string().optional() }, { [key]: 'end_turn' }),
    textIn('last_assistant_message', 'message'),
  )

/** A session that begins is `new`. */
const starting: Own = {
  fields: { source: z.string() },
  read: ({ source }) => (typeof source === 'string' ? { trigger: source === 'new' ? 'startup' : source } : {}),
  write: ({ trigger }) => [{ source: trigger === undefined || trigger === 'startup' ? 'new' : trigger }],
}

/** What became of a prompt before the model was given it; what the person wrote is what it came about by. */
const transformed: Own = together(textIn('prompt', 'trigger'), textIn('transformedPrompt', 'prompt'))

/** Where an error came from, and its message. */
const erring: Own = {
  fields: { error: anything, errorContext: z.string().optional() },
  read({ error, errorContext }) {
    const message = isJsonObject(error) ? textAt(error, 'message') : undefined
    return {
      trigger: typeof errorContext === 'string' ? errorContext : 'unknown',
      ...(message && { message }),
    }
  },
  write: ({ trigger = 'unknown', message = '' }) => [
    { error: { message, name: 'Error' }, errorContext: trigger, recoverable: false },
  ],
}

/** A tool's result: its kind, and the text for the model. */
function resultAt(key: string, typeKey: string, textKey: string) {
  return {
    fields: { [key]: anything.optional(), durationMs: z.number().optional() },
    read(wire: JsonObject): NonNullable<HookEvent['result']> {
      const { [key]: output, durationMs } = wire
      const bare = bareText(output, typeKey, textKey)
      return {
        succeeded: true,
        ...(output !== undefined && { output: bare ?? output }),
        ...(typeof durationMs === 'number' && { durationMs }),
      }
    },
    write: ({ output, durationMs }: NonNullable<HookEvent['result']>): JsonObject => ({
      [key]: { [typeKey]: 'success', [textKey]: textOf(output) },
      ...(durationMs !== undefined && { durationMs }),
    }),
  }
}

function bareText(output: Json | undefined, typeKey: string, textKey: string): string | undefined {
  if (!isJsonObject(output)) return undefined
  const keys = Object.keys(output)
  const isBare = keys.length === 2 && keys.includes(typeKey) && keys.includes(textKey)
  return isBare ? textAt(output, textKey) : undefined
}

const textOf = (output: Json | undefined) => (typeof output === 'string' ? output : JSON.stringify(output ?? ''))

const failed = outputIn('toolResult', 'durationMs', 'error')

/** Where a permission is asked for, the tools that change files have other words for their input than everywhere else. */
const permissionCall: Own = {
  ...call,
  read(wire, frame) {
    const { action } = call.read(wire, frame)
    const path = action && textAt(action.input, 'file_path')
    return action === undefined || path === undefined
      ? { ...(action && { action }) }
      : { action: { ...action, paths: [path], path, content: textAt(action.input, 'diff') ?? '' } }
  },
}

type Name = keyof typeof carries
type Described = readonly [
  name: Name,
  event: EventName,
  refused: Refused,
  own: Own,
  pascalName?: string,
  pascalOwn?: Own,
]

const events: readonly Described[] = [
  ['preToolUse', 'PreToolUse', 'call', call, 'PreToolUse', call],
  [
    'postToolUse',
    'PostToolUse',
    'block',
    toolResult(agent, resultAt('toolResult', 'resultType', 'textResultForLlm'), spelling),
    'PostToolUse',
    toolResult(agent, resultAt('tool_result', 'result_type', 'text_result_for_llm'), spelling),
  ],
  [
    'postToolUseFailure',
    'PostToolUseFailure',
    'nothing',
    toolResult(agent, failed, spelling),
    'PostToolUseFailure',
    toolResult(agent, outputIn('tool_result', 'duration_ms', 'error'), spelling),
  ],
  [
    'userPromptSubmitted',
    'UserPromptSubmit',
    'block',
    textIn('prompt', 'prompt'),
    'UserPromptSubmit',
    textIn('prompt', 'prompt'),
  ],
  ['sessionStart', 'SessionStart', 'nothing', starting, 'SessionStart', starting],
  [
    'sessionEnd',
    'SessionEnd',
    'nothing',
    textIn('reason', 'trigger', 'other'),
    'SessionEnd',
    textIn('reason', 'trigger', 'other'),
  ],
  ['agentStop', 'Stop', 'block', stopping('stopReason'), 'Stop', stopping('stop_reason')],
  [
    'subagentStop',
    'SubagentStop',
    'block',
    together(textIn('agentName', 'trigger'), stopping('stopReason')),
    'SubagentStop',
    together(textIn('agent_name', 'trigger'), stopping('stop_reason')),
  ],
  [
    'subagentStart',
    'SubagentStart',
    'nothing',
    textIn('agentName', 'trigger'),
    'SubagentStart',
    textIn('agent_name', 'trigger'),
  ],
  [
    'preCompact',
    'PreCompact',
    'nothing',
    textIn('trigger', 'trigger', 'auto'),
    'PreCompact',
    textIn('trigger', 'trigger', 'auto'),
  ],
  [
    'notification',
    'Notification',
    'nothing',
    together(textIn('notificationType', 'trigger'), textIn('message', 'message')),
  ],
  ['userPromptTransformed', 'UserPromptExpansion', 'nothing', transformed],
  ['errorOccurred', 'StopFailure', 'nothing', erring],
]

const carriesOf = (name: Name): Carries => carries[name]

/** Copilot's events, and the same as it tells them to hooks that are registered under Claude Code's names. */
export const rows: readonly EventRow[] = [
  ...events.map(([spelled, event, refused, own]): EventRow => ({
    spelled,
    event,
    frame: camel,
    carries: carriesOf(spelled),
    form: copilotForm(refused, 'camel'),
    ...own,
  })),
  {
    spelled: 'permissionRequest',
    event: 'PermissionRequest',
    frame: permission,
    carries: carries.permissionRequest,
    form: copilotForm('permission', 'camel'),
    ...permissionCall,
  },
  ...events.flatMap(([name, event, refused, , spelled, own]): readonly EventRow[] =>
    spelled === undefined || own === undefined
      ? []
      : [{ spelled, event, frame: pascal, carries: carriesOf(name), form: copilotForm(refused, 'pascal'), ...own }],
  ),
]

/** Its own events do not say which they are: they are told by the fields that only one of them has. */
export function rowOf(wire: JsonObject): EventRow | undefined {
  const named = wire['hook_event_name']
  if (typeof named === 'string') return rows.find(({ spelled, frame }) => spelled === named && frame === pascal)
  if (typeof wire['sessionId'] !== 'string') return undefined
  const spelled = wire['hookName'] === 'permissionRequest' ? 'permissionRequest' : spelledIn(wire)
  return rows.find((row) => row.spelled === spelled)
}

function spelledIn(wire: JsonObject): Name | undefined {
  if ('toolName' in wire) {
    if ('error' in wire) return 'postToolUseFailure'
    return 'toolResult' in wire ? 'postToolUse' : 'preToolUse'
  }
  if ('agentName' in wire) return 'stopReason' in wire ? 'subagentStop' : 'subagentStart'
  if ('stopReason' in wire) return 'agentStop'
  if ('source' in wire) return 'sessionStart'
  if ('error' in wire) return 'errorOccurred'
  if ('transformedPrompt' in wire) return 'userPromptTransformed'
  if ('notificationType' in wire) return 'notification'
  if ('prompt' in wire) return 'userPromptSubmitted'
  if ('trigger' in wire) return 'preCompact'
  return 'reason' in wire ? 'sessionEnd' : undefined
}
