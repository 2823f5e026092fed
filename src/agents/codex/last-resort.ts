import { claudeRefusal, lastResortBy } from '../last-resort-table.ts'

// INVARIANT: imports only the table of last resorts, types included.

/**
 * The last resort at each of Codex's events.
 *
 * Codex honours exit code 2 with a reason on stderr; the object beside it says the same in Codex's format.
 */
export const lastResort = lastResortBy({
  // After `Interrupt`, by which the user ended the turn, there is nothing to decide.
  reported: ['SessionStart', 'SessionEnd', 'SubagentStart', 'PreCompact', 'PostCompact', 'Interrupt'],
  refusal: claudeRefusal,
})
