import { claudeRefusal, lastResortBy } from '../last-resort-table.ts'

// INVARIANT: imports only the table of last resorts, types included.

/**
 * The last resort at each of Codex's events.
 *
 * Codex honours exit code 2 with a reason on stderr; the object beside it says the same in Codex's format.
 */
export const lastResort = lastResortBy({
  // After `Interrupt`, by which the user ended the turn, there is nothing to decide, nor is at the two of a request to the
  // model: no call of a tool is in them.
  reported: [
    'SessionStart',
    'SessionEnd',
    'SubagentStart',
    'PreCompact',
    'PostCompact',
    'Interrupt',
    'PreModelRequest',
    'PostModelRequest',
  ],
  refusal: claudeRefusal,
})
