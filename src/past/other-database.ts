import { closeSync, constants, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import { pathToFileURL } from 'node:url'

/** Wait for a program that is writing to its database: a transaction takes some milliseconds. */
const writingMs = 2000

/** A row of another program's database. */
export type OtherRow = Readonly<Record<string, SQLOutputValue>>

/**
 * Reads the rows of a query from another program's database, which is only read, and closed again at once.
 *
 * @throws Error that says why it cannot be read
 */
export function rowsOfOther(
  path: string,
  query: string,
  parameters: Readonly<Record<string, string | number>>,
): readonly OtherRow[] {
  const database = new DatabaseSync(urlOf(path), { readOnly: true, timeout: writingMs })
  try {
    return database.prepare(query).all({ ...parameters })
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
