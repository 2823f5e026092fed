import { lastResortBy } from '../last-resort-table.ts'

// INVARIANT: imports only the table of last resorts, types included.

/** The last resort for OpenCode's plugin at each event. */
export const lastResort = lastResortBy({
  nameKey: 'event',
  reported: [
    'tool.execute.after',
    'session.created',
    'session.deleted',
    'session.idle',
    'experimental.session.compacting',
  ],
  refusal: (_name, reason) => ({ status: 'deny', reason }),
})
