import { lastResortBy } from '../last-resort-table.ts'

// INVARIANT: imports only the table of last resorts, types included.

/** The last resort at each of Cursor's events. */
export const lastResort = lastResortBy(
  {
    preToolUse: 'refuse',
    beforeShellExecution: 'refuse',
    beforeMCPExecution: 'refuse',
    beforeReadFile: 'refuse',
    beforeTabFileRead: 'refuse',
    beforeSubmitPrompt: 'refuse',
    subagentStart: 'refuse',
    stop: 'refuse',
    subagentStop: 'refuse',
    postToolUse: 'report',
    postToolUseFailure: 'report',
    afterShellExecution: 'report',
    afterMCPExecution: 'report',
    afterFileEdit: 'report',
    afterTabFileEdit: 'report',
    afterAgentResponse: 'report',
    // No rule applies to these, and Cursor ignores their answers.
    afterAgentThought: 'report',
    workspaceOpen: 'report',
    sessionStart: 'report',
    sessionEnd: 'report',
    preCompact: 'report',
  },
  (name, reason) => {
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
)
