import { claudeRefusal, lastResortBy } from '../last-resort-table.ts'

// INVARIANT: imports only the table of last resorts, types included.

/** The last resort at each of droid's events. */
export const lastResort = lastResortBy(
  {
    PreToolUse: 'refuse',
    PostToolUse: 'refuse',
    UserPromptSubmit: 'refuse',
    SessionStart: 'report',
    SessionEnd: 'report',
    Stop: 'refuse',
    SubagentStop: 'refuse',
    PreCompact: 'report',
    Notification: 'report',
  },
  claudeRefusal,
)
