import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { turn } from '../files/turns.ts'
import type { Json, JsonObject } from '../model/json.ts'
import { limits } from '../model/limits.ts'

/**
 * Reads the rows of a query from another program's database, a page at a time: one long statement would keep a running
 * agent from writing.
 *
 * @param query takes `:after`, the `key` of the last row, and `:rows`; its rows are in the order of their `key`
 */
export async function* rowsOf(path: string, query: string): AsyncGenerator<JsonObject> {
  const database = opened(path)
  try {
    const page = database.prepare(query)
    for (let after: string | undefined = ''; after !== undefined;) {
      const rows: readonly Record<string, SQLOutputValue>[] = page.all({ after, rows: limits.sessionRowsPerPage })
      for (const row of rows) yield valuesOf(row)
      const key = rows.at(-1)?.['key']
      after = typeof key === 'string' ? key : undefined
      // oxlint-disable-next-line no-await-in-loop -- yielding between pages is the point
      await turn()
    }
  } finally {
    database.close()
  }
}

/**
 * Opens a database that is only read. In a folder that cannot be written, a database with a write-ahead log opens only
 * as one that nobody changes.
 */
function opened(path: string): DatabaseSync {
  const options = { readOnly: true, timeout: limits.sessionDatabaseMs }
  const database = new DatabaseSync(path, options)
  try {
    database.prepare('SELECT 1 FROM sqlite_schema').get()
    return database
  } catch {
    database.close()
    const url = pathToFileURL(path)
    url.searchParams.set('immutable', '1')
    return new DatabaseSync(url, options)
  }
}

const valuesOf = (row: Readonly<Record<string, SQLOutputValue>>): JsonObject =>
  Object.fromEntries(
    Object.entries(row).flatMap(([key, value]): [string, Json][] => (isJson(value) ? [[key, value]] : [])),
  )

const isJson = (value: SQLOutputValue): value is null | number | string =>
  value === null || (typeof value !== 'object' && typeof value !== 'bigint')
