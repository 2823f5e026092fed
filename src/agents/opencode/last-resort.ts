// INVARIANT: imports only the table of last resorts, types included.

/** The last resort for OpenCode's plugin at each event. */
export { pluginLastResort as lastResort } from '../last-resort-table.ts'
