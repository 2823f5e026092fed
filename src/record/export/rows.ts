import { rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { readPrivate, writePrivate } from '../../files/private-folder.ts'
import { lostDecisions } from '../answer-count.ts'
import { chainEnds, ChainRow, headText } from '../chain.ts'
import { openForReading } from '../database.ts'
import { isNotable } from '../filter.ts'
import { idAt, momentOf } from '../record-id.ts'
import { DecisionRecord } from '../record.ts'

/** Bytes of the records in one request. Their OTLP is about twice as long. */
const exportBatchBytesMax = 512 * 1024

/** A row that is sent: the record, and its text as it is stored. */
export interface ExportRow {
  readonly record: DecisionRecord
  readonly text: string
  /** The chain's head once this row was written, as `hookgate log --verify --expect` takes it. */
  readonly head: string
}

/** Rows that follow a cursor. */
interface ExportBatch {
  readonly rows: readonly ExportRow[]
  /** The cursor before the batch. It differs from the given one if rows were removed, or the database is another. */
  readonly before: Cursor
  /** The cursor after it, if all its rows are sent. */
  readonly after: Cursor
}

/** The row at which an export begins that has no cursor yet. */
interface ExportStart {
  readonly from: 'now' | 'start'
  /** The time when the export was turned on, ms since the epoch. */
  readonly sinceMs: number
}

/** The end of the record's chain. */
export interface RecordEnds {
  /** The head, as `hookgate log --verify --expect` takes it. */
  readonly head: string
  readonly headSeq: number
  /** Rows that are there. */
  readonly count: number
  /** Rows that were removed for their age or for room: the chain begins after them. */
  readonly removed: number
  /** The moment of each agent's last decision, ms since the epoch. */
  readonly lastEventMs: ReadonlyMap<string, number>
}

/** Reads the record for an export. */
export interface ExportReader {
  /** Returns the rows that come next; `undefined` if there are none. @throws HookgateError `unavailable` */
  next(cursor: Cursor | undefined, rowsMax: number): ExportBatch | undefined
  /** Returns how many decisions the record itself has lost. */
  lostDecisions(): number
  /** Returns where the chain ends; `undefined` if nothing is recorded. @throws HookgateError `unavailable` */
  ends(): RecordEnds | undefined
  close(): void
}

export function openExportReader(file: string, what: 'all' | 'decisions', start: ExportStart): ExportReader {
  let opened: { readonly database: DatabaseSync; readonly inode: number } | undefined

  /** A damaged database is set aside, and another one begun. */
  function databaseNow(): DatabaseSync | undefined {
    const inode = statSync(file, { throwIfNoEntry: false })?.ino
    if (inode !== opened?.inode) close()
    if (inode === undefined) return undefined
    if (opened === undefined) {
      const database = openForReading(file)
      opened = database && { database, inode }
    }
    return opened?.database
  }

  function close(): void {
    opened?.database.close()
    opened = undefined
  }

  return {
    next(cursor, rowsMax) {
      const database = databaseNow()
      if (database === undefined) {
        // All that will be in a database which does not exist yet is new.
        const zero = { ...beginning, seq: 0 }
        return cursor === undefined ? { rows: [], before: zero, after: zero } : undefined
      }
      const before = cursor === undefined ? firstCursor(database, start) : placedIn(database, cursor)
      const found = rowsAfter(database, before.seq, rowsMax)
      const last = found.at(-1)
      // Rows that were removed are worth a look even if none has come since.
      if (last === undefined) return before === cursor ? undefined : { rows: [], before, after: before }
      const records = found.map(recordOfRow)
      const rows = records.flatMap((one) => (one === undefined ? [] : [one]))
      const sent = what === 'all' ? rows : rows.filter(({ record }) => isNotable(record))
      return {
        rows: sent,
        before,
        after: {
          ...before,
          seq: last.seq,
          id: last.id,
          sent: before.sent + sent.length,
          refused: before.refused + found.length - rows.length,
        },
      }
    },
    lostDecisions() {
      const database = databaseNow()
      return database === undefined ? 0 : lostDecisions(database, file)
    },
    ends() {
      const database = databaseNow()
      if (database === undefined) return undefined
      const { base, head } = chainEnds(database)
      const lastEventMs = new Map<string, number>()
      for (const raw of database.prepare(lastEventQuery).iterate()) {
        const { agent, id } = LastRow.parse({ ...raw })
        lastEventMs.set(agent, momentOf(id))
      }
      return { head: headText(head), headSeq: head.seq, count: head.seq - base.seq, removed: base.seq, lastEventMs }
    },
    close,
  }
}

/** Reads the index alone. */
const lastEventQuery = 'SELECT agent, max(id) AS id FROM decisions WHERE agent IS NOT NULL GROUP BY agent'
const LastRow = z.strictObject({ agent: z.string(), id: z.string() })

const beginning = { id: '', sent: 0, refused: 0, removed: 0 }

function firstCursor(database: DatabaseSync, { from, sinceMs }: ExportStart): Cursor {
  const { base, head } = chainEnds(database)
  if (from === 'start') return { ...beginning, seq: base.seq }
  const row = database.prepare('SELECT min(seq) AS seq FROM decisions WHERE id >= ?').get(idAt(sinceMs))
  const first = row?.['seq']
  return { ...beginning, seq: typeof first === 'number' ? first - 1 : head.seq }
}

/** Returns a cursor as it applies to a database, from which rows were removed since, or which was begun anew. */
function placedIn(database: DatabaseSync, cursor: Cursor): Cursor {
  const { base, head } = chainEnds(database)
  const row = database.prepare('SELECT id FROM decisions WHERE seq = ?').get(cursor.seq)
  const isOther = cursor.seq > head.seq || (row !== undefined && cursor.id !== '' && row['id'] !== cursor.id)
  const seq = isOther ? 0 : cursor.seq
  if (seq < base.seq) return { ...cursor, seq: base.seq, id: '', removed: cursor.removed + base.seq - seq }
  return isOther ? { ...cursor, seq, id: '' } : cursor
}

function rowsAfter(database: DatabaseSync, seq: number, rowsMax: number): readonly z.infer<typeof ChainRow>[] {
  const rows: z.infer<typeof ChainRow>[] = []
  let bytes = 0
  const query = database.prepare('SELECT seq, id, record, hash FROM decisions WHERE seq > ? ORDER BY seq LIMIT ?')
  for (const raw of query.iterate(seq, rowsMax)) {
    const row = ChainRow.parse({ ...raw })
    bytes += Buffer.byteLength(row.record)
    if (rows.length > 0 && bytes > exportBatchBytesMax) break
    rows.push(row)
  }
  return rows
}

function recordOfRow({ record: text, ...end }: z.infer<typeof ChainRow>): ExportRow | undefined {
  try {
    const record = DecisionRecord.safeParse(JSON.parse(text)).data
    return record && { record, text, head: headText(end) }
  } catch {
    return undefined
  }
}

/** A destination of the record: a collector's logs, its metrics, a file. */
const destinations = ['logs', 'metrics', 'file'] as const
export type Destination = (typeof destinations)[number]

/** The last row that a destination has. */
const Cursor = z.strictObject({
  /** The last row that it has, by number and by id; the id is `''` where there is no such row any more, or none yet. */
  seq: z.int(),
  id: z.string(),
  /** Rows that it has got. */
  sent: z.int(),
  /** Rows that it refused, or that are no records. */
  refused: z.int(),
  /** Rows that the record's own limits of age and size removed before they could be sent. */
  removed: z.int(),
})
export type Cursor = Readonly<z.infer<typeof Cursor>>

const Cursors = z.strictObject({
  version: z.literal(1),
  logs: Cursor.optional(),
  metrics: Cursor.optional(),
  file: Cursor.optional(),
})

/** Returns the file of the cursors beside a database. */
const cursorsFile = (databaseFile: string): string => join(dirname(databaseFile), 'export.json')

/** The cursors, kept in a file. They are moved only after a destination has confirmed: rows come twice, never not. */
export interface CursorFile {
  get(destination: Destination): Cursor | undefined
  /** @throws if the file cannot be written; in memory, the cursor is moved all the same */
  set(destination: Destination, cursor: Cursor): void
}

/**
 * Reads the cursors, and removes those of destinations that are no longer exported to: what is recorded while an export
 * is off is not to be sent once it is on again.
 *
 * @throws HookgateError `unavailable` if the file is not private
 */
export function openCursors(databaseFile: string, kept: readonly Destination[]): CursorFile {
  const file = cursorsFile(databaseFile)
  const cursors = new Map<Destination, Cursor>()
  const read = parseCursors(readPrivate(file))
  for (const name of kept) {
    const cursor = read?.[name]
    if (cursor !== undefined) cursors.set(name, cursor)
  }
  return {
    get: (name) => cursors.get(name),
    set(name, cursor) {
      cursors.set(name, cursor)
      writePrivate(file, `${JSON.stringify({ version: 1, ...Object.fromEntries(cursors) })}\n`)
    },
  }
}

/** Forgets all cursors, once nothing is exported any more. */
export function removeCursors(databaseFile: string): void {
  rmSync(cursorsFile(databaseFile), { force: true })
}

/** A malformed file counts as none: the export then begins like a new one. */
function parseCursors(text: string | undefined): z.infer<typeof Cursors> | undefined {
  try {
    return text === undefined ? undefined : Cursors.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
