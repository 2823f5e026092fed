import { claudeRefusal, lastResortBy } from '../last-resort-table.ts'

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
  claudeRefusal,
)
