import { claudeRefusal, lastResortBy } from '../last-resort-table.ts'

// INVARIANT: imports only the table of last resorts, types included.

/** The last resort at each of Kimi Code's events. It honours exit code 2, with stderr as the reason. */
export const lastResort = lastResortBy({
  reported: [
    'PostToolUse',
    'PostToolUseFailure',
    'PermissionRequest',
    'PermissionResult',
    'UserPromptQueued',
    'TurnStarted',
    'StopFailure',
    'Interrupt',
    'SessionStart',
    'SessionEnd',
    'SessionHeartbeat',
    'SubagentStart',
    'SubagentStop',
    'TaskStarted',
    'PreCompact',
    'PostCompact',
    'Notification',
  ],
  refusal: claudeRefusal,
})
