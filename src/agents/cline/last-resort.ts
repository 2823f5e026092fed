import { lastResortBy } from '../last-resort-table.ts'

// INVARIANT: imports only the table of last resorts, types included.

/** The last resort at each event of Cline's three engines: refused if Cline honours a refusal. */
export const lastResort = lastResortBy({
  nameKey: 'hookName',
  nameOf: (event) => event['hookName'] ?? event['hook_name'],
  reported: [
    'TaskCancel',
    'TaskComplete',
    'Notification',
    'prompt_submit',
    'agent_start',
    'agent_resume',
    'agent_abort',
    'agent_end',
    'agent_error',
    'session_shutdown',
    'pre_compact',
  ],
  refusal: (_name, reason) => ({ cancel: true, errorMessage: reason }),
  // Cline shows a hook that exits with a code other than 0 as failed; nothing more is possible here.
  report: () => ({ cancel: false }),
  // Cline 2 to 4 discard the output of a hook that exits with any other code, and the tool would run.
  refusalCode: 0,
  // Equals `limits.clientAnswerMs`, which must not be imported here.
  answerMs: 27_000,
})
