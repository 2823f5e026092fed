import { lastResortBy } from '../last-resort-table.ts'

// INVARIANT: imports only the table of last resorts, types included.

/**
 * Returns the last resort for an event of Copilot CLI.
 *
 * Most of its events do not contain their name, and any exit code but 0 refuses a call: so events that cannot be
 * refused are recognised by the fields that only they have.
 */
export function lastResort(event: Readonly<Record<string, unknown>>, message: string): LastResortAnswer {
  const isPermission = event['hookName'] === 'permissionRequest'
  return respond(isPermission ? 'permissionRequest' : nameOf(event), message, event['stop_hook_active'] === true)
}
type LastResortAnswer = ReturnType<typeof respond>

function nameOf(event: Readonly<Record<string, unknown>>): string {
  const named = event['hook_event_name']
  if (typeof named === 'string') return named
  if ('toolName' in event) return 'error' in event ? 'postToolUseFailure' : 'preToolUse'
  if ('stopReason' in event) return 'agentStop'
  const hint = ['source', 'error', 'transformedPrompt', 'notificationType', 'agentName', 'trigger', 'reason'].find(
    (key) => key in event,
  )
  return hint === undefined ? 'preToolUse' : 'sessionStart'
}

const respond = lastResortBy(
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
