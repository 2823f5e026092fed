import { lastResortBy } from '../last-resort-table.ts'

// INVARIANT: nothing but the table of last resorts is imported here, types included.

/** What a gate that cannot decide tells the plugin of OpenCode at each event. */
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
