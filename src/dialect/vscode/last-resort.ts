import { lastResortBy } from '../last-resort-table.ts'

// INVARIANT: nothing but the table of last resorts is imported here, types included.

/** What a gate that cannot decide tells VS Code at each event. */
export const lastResort = lastResortBy(
  {
    PreToolUse: 'refuse',
    PostToolUse: 'refuse',
    UserPromptSubmit: 'refuse',
    SessionStart: 'report',
    Stop: 'refuse',
    SubagentStart: 'report',
    SubagentStop: 'refuse',
    PreCompact: 'report',
  },
  (hookEventName, reason) => {
    switch (hookEventName) {
      case 'PreToolUse':
        return { hookSpecificOutput: { hookEventName, permissionDecision: 'deny', permissionDecisionReason: reason } }
      case 'PermissionRequest':
        return { hookSpecificOutput: { hookEventName, decision: { behavior: 'deny', message: reason } } }
      default:
        return { decision: 'block', reason }
    }
  },
)
