import { lastResortBy } from '../last-resort-table.ts'

// INVARIANT: nothing but the table of last resorts is imported here, types included.

/**
 * What a gate that cannot decide tells Copilot CLI. Most of its events do not say which they are, and any code but 0
 * refuses a call: so it is told apart by what only events have that nobody can refuse.
 */
export function lastResort(event: Readonly<Record<string, unknown>>, message: string): Said {
  const asked = event['hookName'] === 'permissionRequest'
  return speak(asked ? 'permissionRequest' : nameOf(event), message, event['stop_hook_active'] === true)
}
type Said = ReturnType<typeof speak>

function nameOf(event: Readonly<Record<string, unknown>>): string {
  const named = event['hook_event_name']
  if (typeof named === 'string') return named
  if ('toolName' in event) return 'error' in event ? 'postToolUseFailure' : 'preToolUse'
  if ('stopReason' in event) return 'agentStop'
  const told = ['source', 'error', 'transformedPrompt', 'notificationType', 'agentName', 'trigger', 'reason'].find(
    (key) => key in event,
  )
  return told === undefined ? 'preToolUse' : 'sessionStart'
}

const speak = lastResortBy(
  {
    preToolUse: 'refuse',
    PreToolUse: 'refuse',
    permissionRequest: 'refuse',
    postToolUse: 'refuse',
    PostToolUse: 'refuse',
    userPromptSubmitted: 'refuse',
    UserPromptSubmit: 'refuse',
    agentStop: 'refuse',
    Stop: 'refuse',
    subagentStop: 'refuse',
    SubagentStop: 'refuse',
    postToolUseFailure: 'report',
    PostToolUseFailure: 'report',
    sessionStart: 'report',
    SessionStart: 'report',
    sessionEnd: 'report',
    userPromptTransformed: 'report',
    errorOccurred: 'report',
    subagentStart: 'report',
    preCompact: 'report',
    notification: 'report',
    SessionEnd: 'report',
    SubagentStart: 'report',
    PreCompact: 'report',
  },
  (name, reason) => {
    switch (name) {
      case 'permissionRequest':
        return { behavior: 'deny', message: reason }
      case 'preToolUse':
      case 'PreToolUse':
        return { permissionDecision: 'deny', permissionDecisionReason: reason, decision: 'block', reason }
      default:
        return { decision: 'block', reason }
    }
  },
)
