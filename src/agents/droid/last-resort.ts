import { claudeRefusal, lastResortBy } from '../last-resort-table.ts'

// INVARIANT: nothing but the table of last resorts is imported here, types included.

/** What a gate that cannot decide tells droid at each event. */
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
