import { lastResortBy } from '../last-resort-table.ts'

// INVARIANT: nothing but the table of last resorts is imported here, types included.

/** What a gate that cannot decide tells Cursor at each event. */
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
    // No rule here is about these, and nothing can be said to them.
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
