import { claudeRefusal, lastResortBy } from '../last-resort-table.ts'

// INVARIANT: imports only the table of last resorts, types included.

/** The last resort at each of Grok's events, by Claude Code's names, which it sends beside its own. */
export const lastResort = lastResortBy({
  // After `StopCancelled`, by which the user ended the turn, there is nothing to decide.
  reported: [
    'PostToolUseFailure',
    'PermissionDenied',
    'SessionStart',
    'SessionEnd',
    'StopFailure',
    'StopCancelled',
    'SubagentStart',
    'PreCompact',
    'PostCompact',
    'Notification',
  ],
  refusal: claudeRefusal,
})
