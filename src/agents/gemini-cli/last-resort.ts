import { lastResortBy } from '../last-resort-table.ts'

// INVARIANT: imports only the table of last resorts, types included.

/** The last resort at each of Gemini CLI's events. */
export const lastResort = lastResortBy({
  // Exchanges with the model are not among hookgate's events, and no rule applies to them.
  reported: [
    'SessionStart',
    'SessionEnd',
    'PreCompress',
    'Notification',
    'BeforeModel',
    'AfterModel',
    'BeforeToolSelection',
  ],
  refusal: (_name, reason) => ({ decision: 'deny', reason }),
})
