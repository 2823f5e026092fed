import { claudeRefusal, lastResortBy } from '../last-resort-table.ts'

// INVARIANT: nothing but the table of last resorts is imported here, types included.

/** What a gate that cannot decide tells Qwen Code at each event. */
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
