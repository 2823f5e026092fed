import { claudeRefusal, lastResortBy } from '../last-resort-table.ts'

// INVARIANT: imports only the table of last resorts, types included.

/** The last resort at each of droid's events. */
export const lastResort = lastResortBy({
  reported: ['SessionStart', 'SessionEnd', 'PreCompact', 'Notification'],
  refusal: claudeRefusal,
})
