import { claudeRefusal, lastResortBy } from '../last-resort-table.ts'

// INVARIANT: imports only the table of last resorts, types included.

/** The last resort at each of VS Code's events. */
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
  claudeRefusal,
)
