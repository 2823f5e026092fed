import { claudeRefusal, lastResortBy } from '../last-resort-table.ts'

// INVARIANT: nothing but the table of last resorts is imported here, types included.

/**
 * What a gate that cannot decide tells Codex at each event. Code 2 with a reason on stderr is what refuses there; the
 * object beside it is the same in Codex's words.
 */
export const lastResort = lastResortBy(
  {
    PreToolUse: 'refuse',
    PermissionRequest: 'refuse',
    PostToolUse: 'refuse',
    UserPromptSubmit: 'refuse',
    SessionStart: 'report',
    SessionEnd: 'report',
    SubagentStart: 'report',
    SubagentStop: 'refuse',
    Stop: 'refuse',
    PreCompact: 'report',
    PostCompact: 'report',
    // The person ended the turn: there is nothing to decide, and no rule here is asked.
    Interrupt: 'report',
  },
  claudeRefusal,
)
