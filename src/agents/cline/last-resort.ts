import { lastResortBy, type LastResorts } from '../last-resort-table.ts'

// INVARIANT: nothing but the table of last resorts is imported here, types included.

/**
 * What each event's sender is told when the gate itself cannot answer: `refuse` where Cline heeds a refusal, `report`
 * where it heeds nothing. Keyed by the names on the wire, those of all three engines.
 */
export const lastResortTable: LastResorts = {
  PreToolUse: 'refuse',
  PostToolUse: 'refuse',
  UserPromptSubmit: 'refuse',
  TaskStart: 'refuse',
  TaskResume: 'refuse',
  PreCompact: 'refuse',
  TaskCancel: 'report',
  TaskComplete: 'report',
  Notification: 'report',
  tool_call: 'refuse',
  tool_result: 'refuse',
  prompt_submit: 'report',
  agent_start: 'report',
  agent_resume: 'report',
  agent_abort: 'report',
  agent_end: 'report',
  agent_error: 'report',
  session_shutdown: 'report',
  pre_compact: 'report',
}

export const lastResort = lastResortBy(
  lastResortTable,
  (_hookName, reason) => ({ cancel: true, errorMessage: reason }),
  {
    // Cline shows a hook that exits with another code than 0 as failed, which is all that can be done here.
    report: () => ({ cancel: false }),
    // Cline 2 to 4 throw away what a hook printed that exits with any other, and the tool would run.
    refusalCode: 0,
  },
)
