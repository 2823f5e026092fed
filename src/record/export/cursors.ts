import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { readPrivate, writePrivate } from '../../files/private-file.ts'

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
