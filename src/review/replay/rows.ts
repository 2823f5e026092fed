import { closeSync, constants, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { turn } from '../../files/turns.ts'
import type { Json, JsonObject } from '../../model/json.ts'

/** Wait for an agent that is writing to its database: a transaction takes some milliseconds. */
const sessionDatabaseMs = 2000

/**
 * Reads the rows of a query from another program's database. It is opened anew for each page of rows, so that neither a
 * lock nor an old state is kept while the caller works with them.
 *
 * @param query takes `:after`, the `key` of the last row, and `:rows`; its rows are in the order of their `key`
 */
export async function* rowsOf(path: string, query: string): AsyncGenerator<JsonObject> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const rows = pageOf(path, query, { after, rows: sessionRowsPerPage })
    for (const row of rows) yield valuesOf(row)
    const key = rows.at(-1)?.['key']
    after = typeof key === 'string' ? key : undefined
    // oxlint-disable-next-line no-await-in-loop -- yielding between pages is the point
    await turn()
  }
}
/** Rows of an agent's database that are read at once. Between pages the agent can write. */
export const sessionRowsPerPage = 100

type SessionRow = Readonly<Record<string, SQLOutputValue>>

function pageOf(path: string, query: string, page: Record<string, string | number>): readonly SessionRow[] {
  const database = new DatabaseSync(urlOf(path), { readOnly: true, timeout: sessionDatabaseMs })
  try {
    return database.prepare(query).all(page)
  } finally {
    database.close()
  }
}

/**
 * Returns how a database is opened. Without a write-ahead log no program has it open, and SQLite would leave an empty
 * one beside it, or fail in a folder that cannot be written.
 */
function urlOf(path: string): URL {
  const url = pathToFileURL(path)
  if (usesLog(path) && !existsSync(`${path}-wal`)) url.searchParams.set('immutable', '1')
  return url
}

/**
 * Returns whether the header of a database says that changes are written to a log first.
 *
 * @throws Error if it is no regular file, on which SQLite might wait for ever
 */
function usesLog(path: string): boolean {
  const header = new Uint8Array(20)
  // Non-blocking: opening a named pipe in a file's place would otherwise hang.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    if (!fstatSync(file).isFile()) throw new Error('it is not a regular file')
    readSync(file, header)
  } finally {
    closeSync(file)
  }
  return header[18] === 2
}

const valuesOf = (row: SessionRow): JsonObject =>
  Object.fromEntries(
    Object.entries(row).flatMap(([key, value]): [string, Json][] => (isJson(value) ? [[key, value]] : [])),
  )

const isJson = (value: SQLOutputValue): value is null | number | string =>
  value === null || (typeof value !== 'object' && typeof value !== 'bigint')
