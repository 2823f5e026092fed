import { lastResortBy, type LastResorts } from '../last-resort-table.ts'

// INVARIANT: imports only the table of last resorts, types included.

/**
 * The last resort at each event: `refuse` if Cline honours a refusal, otherwise `report`.
 *
 * The keys are the wire names of all three engines.
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
    // Cline shows a hook that exits with a code other than 0 as failed; nothing more is possible here.
    report: () => ({ cancel: false }),
    // Cline 2 to 4 discard the output of a hook that exits with any other code, and the tool would run.
    refusalCode: 0,
  },
)
