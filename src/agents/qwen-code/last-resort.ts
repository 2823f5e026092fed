import { claudeRefusal, lastResortBy } from '../last-resort-table.ts'

// INVARIANT: imports only the table of last resorts, types included.

/** The last resort at each of Qwen Code's events. */
export const lastResort = lastResortBy(
  {
    PreToolUse: 'refuse',
    PermissionRequest: 'refuse',
    PermissionDenied: 'report',
    PostToolUse: 'report',
    PostToolUseFailure: 'report',
    PostToolBatch: 'report',
    UserPromptSubmit: 'refuse',
    UserPromptExpansion: 'report',
    SessionStart: 'report',
    SessionEnd: 'report',
    Stop: 'refuse',
    StopFailure: 'report',
    SubagentStart: 'report',
    SubagentStop: 'refuse',
    PreCompact: 'report',
    PostCompact: 'report',
    Notification: 'report',
    MessageDisplay: 'report',
    InstructionsLoaded: 'report',
    TodoCreated: 'report',
    TodoCompleted: 'report',
    SessionDelete: 'report',
  },
  claudeRefusal,
)
