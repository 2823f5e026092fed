import { type EventFieldsReceived, lastResortBy } from '../last-resort-table.ts'

// INVARIANT: imports only the table of last resorts, types included.

/**
 * The last resort at each of Copilot CLI's events.
 *
 * Most of them do not contain their name, and any exit code but 0 refuses a call: so events that cannot be refused are
 * recognised by the fields that only they have.
 */
export const lastResort = lastResortBy({
  nameOf,
  reported: [
    'postToolUseFailure',
    'PostToolUseFailure',
    'sessionStart',
    'SessionStart',
    'sessionEnd',
    'userPromptTransformed',
    'errorOccurred',
    'subagentStart',
    'preCompact',
    'notification',
    'SessionEnd',
    'SubagentStart',
    'PreCompact',
  ],
  refusal(name, reason) {
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
})

function nameOf(event: EventFieldsReceived): unknown {
  if (event['hookName'] === 'permissionRequest') return 'permissionRequest'
  const named = event['hook_event_name']
  if (typeof named === 'string') return named
  if ('toolName' in event) return 'error' in event ? 'postToolUseFailure' : 'preToolUse'
  if ('stopReason' in event) return 'agentStop'
  const hint = ['source', 'error', 'transformedPrompt', 'notificationType', 'agentName', 'trigger', 'reason'].find(
    (key) => key in event,
  )
  return hint === undefined ? 'preToolUse' : 'sessionStart'
}
