import type { DatabaseSync } from 'node:sqlite'
import type { RecordSettings } from '../model/record-settings.ts'
import { chainEnds } from './chain.ts'
import { inTransaction } from './database.ts'
import { dayOf } from '../words/moment.ts'
import { idAt } from './record-id.ts'

/** Rows removed in one transaction, for which other writers wait some milliseconds. */
const rowsAtOnceMax = 200
const dayMs = 86_400_000

/**
 * Removes what is older than the settings say, then the oldest rows until the database is as small as they say. The
 * chain then begins after the last removed row, whose hash it keeps.
 */
export function prune(
  database: DatabaseSync,
  { days, megabytes }: Pick<RecordSettings, 'days' | 'megabytes'>,
  nowMs: number,
): void {
  const sinceMs = Math.max(0, nowMs - days * dayMs)
  const since = idAt(sinceMs)
  const oldest = database.prepare('SELECT id FROM decisions ORDER BY id LIMIT 1').get()?.['id']
  if (typeof oldest === 'string' && oldest < since) {
    // Deletes by number: writers take turns, so ids are only nearly in order. The plus keeps SQLite from the index.
    const firstKept = database.prepare('SELECT seq FROM decisions WHERE +id >= ? ORDER BY seq LIMIT 1').get(since)
    const end = firstKept === undefined ? chainEnds(database).head.seq + 1 : Number(firstKept['seq'])
    while (removeOldest(database, end));
  }
  const day = dayOf(sinceMs)
  for (const table of ['counts', 'times']) {
    const first = database.prepare(`SELECT min(day) AS day FROM ${table}`).get()?.['day']
    if (typeof first === 'string' && first < day) database.prepare(`DELETE FROM ${table} WHERE day < ?`).run(day)
  }
  for (const table of ['counts', 'times']) removeSurplusDays(database, table)
  while (bytesOf(database) > megabytes * 1024 * 1024 && removeOldest(database, Infinity));
  if (pragma(database, 'freelist_count') > freePagesMax) database.exec('PRAGMA incremental_vacuum')
}

/** Pages that stay free for the next rows: less than a megabyte. */
const freePagesMax = 200

/** Removes some of the oldest rows with a smaller number than `end`. @returns false if there are none */
function removeOldest(database: DatabaseSync, end: number): boolean {
  return inTransaction(database, () => {
    const { base, head } = chainEnds(database)
    const last = Math.min(base.seq + rowsAtOnceMax, head.seq, end - 1)
    if (last <= base.seq) return false
    const row = database.prepare('SELECT hash FROM decisions WHERE seq = ?').get(last)
    // A row that someone removed: the chain is broken there, and must stay so.
    const hash = row?.['hash'] instanceof Uint8Array ? row['hash'] : Buffer.alloc(32)
    database.prepare('DELETE FROM decisions WHERE seq <= ?').run(last)
    database.prepare('UPDATE chain SET base_seq = ?, base_hash = ?').run(last, hash)
    return true
  })
}

/** Removes the oldest days of a table of figures that is too large: it must not drive the decisions out. */
function removeSurplusDays(database: DatabaseSync, table: string): void {
  const rows = database.prepare(`SELECT count(*) AS number FROM ${table}`)
  while (Number(rows.get()?.['number']) > recordedFiguresMax)
    database.exec(`DELETE FROM ${table} WHERE day = (SELECT min(day) FROM ${table})`)
}
/** Rows of figures in the record, of counts and of times: for 90 days of a hundred rules, in some 5 MB. */
export const recordedFiguresMax = 100_000

/** Returns the bytes of the database that are in use. */
function bytesOf(database: DatabaseSync): number {
  return (pragma(database, 'page_count') - pragma(database, 'freelist_count')) * pragma(database, 'page_size')
}

const pragma = (database: DatabaseSync, name: string) => Number(database.prepare(`PRAGMA ${name}`).get()?.[name])
