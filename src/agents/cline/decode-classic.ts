import type { HookEvent } from '../../model/event.ts'
import { type ClineEventParts, malformed, presentText, withCommand } from './event-parts.ts'
import { toolUseOf } from './tools.ts'
import type { ClassicInput } from './schemas.ts'

/** Decodes the event-specific parts of an event of engines A and B. */
export function decodeClassic(input: ClassicInput): ClineEventParts {
  switch (input.hookName) {
    case 'PreToolUse':
      return {
        name: 'PreToolUse',
        tool: withCommand(calledTool('preToolUse', input.preToolUse), 'preToolUse.parameters'),
      }
    case 'PostToolUse':
      return {
        name: 'PostToolUse',
        tool: calledTool('postToolUse', input.postToolUse),
        result: resultOf(input.postToolUse),
      }
    case 'UserPromptSubmit':
      return { name: 'UserPromptSubmit', prompt: input.userPromptSubmit?.prompt ?? '' }
    case 'TaskStart':
      return {
        name: 'SessionStart',
        trigger: 'startup',
        ...presentText('prompt', input.taskStart?.taskMetadata['initialTask']),
      }
    case 'TaskResume':
      return { name: 'SessionStart', trigger: 'resume' }
    case 'TaskCancel':
      return { name: 'SessionEnd', trigger: 'cancelled' }
    case 'TaskComplete':
      return { name: 'Stop', ...presentText('message', input.taskComplete?.taskMetadata['result']) }
    case 'PreCompact':
      return { name: 'PreCompact', trigger: 'auto' }
    case 'Notification':
      return {
        name: 'Notification',
        trigger: notificationTrigger(input.notification?.event ?? ''),
        ...presentText('message', input.notification?.message),
      }
  }
}

function calledTool(field: string, call: ClassicInput['preToolUse']): NonNullable<ClineEventParts['tool']> {
  // Every other field has a default; an empty call cannot be judged, and an unjudged call must not pass.
  if (call === undefined || call.toolName === '') throw malformed(`\`${field}.toolName\` is missing`)
  return toolUseOf(call.toolName, call.parameters, { stringified: true })
}

function resultOf(call: ClassicInput['postToolUse']): HookEvent['result'] {
  if (call === undefined) return undefined
  const { result, success, executionTimeMs } = call
  const error = success ? {} : { error: result }
  return { output: result, succeeded: success, durationMs: executionTimeMs, ...error }
}

function notificationTrigger(event: string): string {
  if (event === 'user_attention') return 'agent_needs_input'
  return event === 'task_complete' ? 'agent_completed' : event
}
