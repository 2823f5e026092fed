import { lastResortBy } from '../last-resort-table.ts'

// INVARIANT: imports only the table of last resorts, types included.

/** The last resort at each of Cursor's events. */
export const lastResort = lastResortBy({
  // No rule applies to `afterAgentThought` and `workspaceOpen`, and Cursor ignores their answers.
  reported: [
    'postToolUse',
    'postToolUseFailure',
    'afterShellExecution',
    'afterMCPExecution',
    'afterFileEdit',
    'afterTabFileEdit',
    'afterAgentResponse',
    'afterAgentThought',
    'workspaceOpen',
    'sessionStart',
    'sessionEnd',
    'preCompact',
  ],
  refusal(name, reason) {
    switch (name) {
      case 'beforeSubmitPrompt':
        return { continue: false, user_message: reason }
      case 'stop':
      case 'subagentStop':
        return { followup_message: reason }
      default:
        return { permission: 'deny', user_message: reason, agent_message: reason }
    }
  },
})
