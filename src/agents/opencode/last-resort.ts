import { lastResortBy } from '../last-resort-table.ts'

// INVARIANT: imports only the table of last resorts, types included.

/** The last resort for OpenCode's plugin at each event. */
export const lastResort = lastResortBy(
  {
    'tool.execute.before': 'refuse',
    'permission.ask': 'refuse',
    'chat.message': 'refuse',
    'tool.execute.after': 'report',
    'session.created': 'report',
    'session.deleted': 'report',
    'session.idle': 'report',
    'experimental.session.compacting': 'report',
  },
  (_name, reason) => ({ status: 'deny', reason }),
)
