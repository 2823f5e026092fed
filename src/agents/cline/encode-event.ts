import { spellingOf } from '../event-names.ts'
import type { HookEvent } from '../../model/event.ts'
import type { Json, JsonObject } from '../../model/json.ts'
import { asText, classicCalls } from './classic-tools.ts'
import { askingEngine } from './engine.ts'

/** The event as a hook written for Cline is given it: in the published protocol, which is that of engine A. */
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

/** The event's own object, under the key it stands at. */
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
      // The one default that Cline writes all the same.
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

/** Cline knows two kinds: what has ended, and what wants somebody to look. */
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

/** Engine C says who it is; other agents have nothing of the kind, and nobody is made up for them. */
function ownText(event: HookEvent, key: string, otherwise: string): string {
  const own = event.agent === 'cline' ? event.raw[key] : undefined
  return typeof own === 'string' && own !== '' ? own : otherwise
}

/** Proto3: a field that equals its default is not written. Hooks are written against that. */
function written(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isDefault(value)))
}

function isDefault(value: Json): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0
  return value === '' || value === 0 || value === false
}
