import { claudeRefusal, lastResortBy } from '../last-resort-table.ts'

// INVARIANT: imports only the table of last resorts, types included.

/** The last resort at each of Qwen Code's events. */
export const lastResort = lastResortBy({
  reported: [
    'PermissionDenied',
    'PostToolUse',
    'PostToolUseFailure',
    'PostToolBatch',
    'UserPromptExpansion',
    'SessionStart',
    'SessionEnd',
    'StopFailure',
    'SubagentStart',
    'PreCompact',
    'PostCompact',
    'Notification',
    'MessageDisplay',
    'InstructionsLoaded',
    'TodoCreated',
    'TodoCompleted',
    'SessionDelete',
  ],
  refusal: claudeRefusal,
})
