// INVARIANT: imports only the table of last resorts, types included.

/** The last resort for Kilo's plugin at each event. */
export { pluginLastResort as lastResort } from '../last-resort-table.ts'
