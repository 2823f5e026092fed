import { spellingOf } from '../event-names.ts'
import type { HookEvent } from '../../model/event.ts'
import type { Json, JsonObject } from '../../model/json.ts'
import { asText, classicCalls } from './classic-tools.ts'
import { askingEngine } from './engine.ts'

/** Encodes an event for a Cline hook in the published protocol, that of engine A. */
export function encodeEvent(event: HookEvent): readonly JsonObject[] {
  const hookName = spellingOf('cline', event.name, event.trigger)
  if (hookName === undefined) return []
  if (event.agent === 'cline' && askingEngine(event) !== 'sdk') return [event.raw]
  return partsOf(hookName, event).map(([part, data]) =>
    written({
      clineVersion: ownText(event, 'clineVersion', 'hookgate'),
      hookName,
      timestamp: String(Math.trunc(event.atMs)),
      taskId: event.session.id,
      workspaceRoots: event.workspaceRoots,
      userId: ownText(event, 'userId', 'unknown'),
      model: event.session.model ?? { provider: 'unknown', slug: 'unknown' },
      [part]: data,
    }),
  )
}

/** Returns the event's own object with its key. */
function partsOf(hookName: string, event: HookEvent): readonly (readonly [string, JsonObject])[] {
  const { session, action, result } = event
  const metadata = { taskId: session.id, ulid: '' }
  switch (hookName) {
    case 'PreToolUse':
      return action === undefined ? [] : classicCalls(event, action).map((call) => ['preToolUse', written({ ...call })])
    case 'PostToolUse':
      return action === undefined
        ? []
        : classicCalls(event, action).map((call) => ['postToolUse', written({ ...call, ...resultOf(result) })])
    case 'UserPromptSubmit':
      // Cline writes this field even if it has its default.
      return [['userPromptSubmit', { prompt: event.prompt ?? '' }]]
    case 'TaskStart':
      return [['taskStart', { taskMetadata: { ...metadata, initialTask: event.prompt ?? '' } }]]
    case 'TaskResume':
      return [['taskResume', { taskMetadata: metadata }]]
    case 'TaskCancel':
      return [['taskCancel', { taskMetadata: { ...metadata, completionStatus: 'cancelled' } }]]
    case 'TaskComplete':
      return [['taskComplete', { taskMetadata: { ...metadata, result: event.message ?? '', command: '' } }]]
    case 'PreCompact':
      return [['preCompact', written({ taskId: session.id })]]
    case 'Notification':
      return [['notification', notificationOf(event)]]
    default:
      return []
  }
}

function resultOf(result: HookEvent['result']): JsonObject {
  const { output, error, succeeded = false, durationMs = 0 } = result ?? {}
  const text = succeeded || error === undefined ? (output ?? '') : error
  return { result: asText(text), success: succeeded, executionTimeMs: Math.round(durationMs) }
}

/** Encodes a notification as one of Cline's two kinds: something has ended, or needs the user's attention. */
function notificationOf({ agent, trigger, message }: HookEvent): JsonObject {
  const completed = trigger === 'agent_completed'
  return written({
    event: completed ? 'task_complete' : 'user_attention',
    source: agent,
    message: message ?? '',
    waitingForUserInput: !completed,
    eventVersion: '1',
    requiresUserAction: !completed,
    severity: 'info',
  })
}

/** Returns a text that only Cline sends; for other agents a fixed value, since none is made up. */
function ownText(event: HookEvent, key: string, otherwise: string): string {
  const own = event.agent === 'cline' ? event.raw[key] : undefined
  return typeof own === 'string' && own !== '' ? own : otherwise
}

/** Omits fields that equal their default, as Proto3 does. Hooks rely on that. */
function written(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isDefault(value)))
}

function isDefault(value: Json): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0
  return value === '' || value === 0 || value === false
}
