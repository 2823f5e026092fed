import type { DatabaseSync } from 'node:sqlite'
import { chmodSync, closeSync, existsSync, openSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { errorText, HookgateError } from '../model/errors.ts'
import { limits } from '../model/limits.ts'

/** Version of the tables, in `PRAGMA user_version`. Another one is set aside by a writer, and refused by a reader. */
export const tablesVersion = 1

/**
 * The tables of `decisions.db`.
 *
 * `decisions`: one row a decision; `record` is a `DecisionRecord` as JSON, and the other columns are read from it. `hash`
 * chains the rows: see `chain.ts`. `outcome` is what the agent was told, or the decision if no agent was; `spoken` is 1 if
 * a rule spoke or failed. The index has what `stats.ts` counts, so that it reads no records for it. `chain`: one row, with the place where the chain begins and where it ends. `counts`:
 * decisions that are only counted. `times`: for each day and rule how many evaluations took how long; rule `''` is the
 * whole decision. `writers`: how many decisions each process has written or counted, and how many it lost.
 */
const tables = `
CREATE TABLE decisions (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  record TEXT NOT NULL,
  hash BLOB NOT NULL,
  at TEXT AS (record ->> '$.at'),
  agent TEXT AS (record ->> '$.agent'),
  session TEXT AS (record ->> '$.session'),
  project TEXT AS (record ->> '$.project'),
  event TEXT AS (record ->> '$.event'),
  tool TEXT AS (record ->> '$.tool'),
  subject TEXT AS (record ->> '$.subject'),
  decision TEXT AS (record ->> '$.decision'),
  told TEXT AS (record ->> '$.told'),
  refusal TEXT AS (record ->> '$.refusal'),
  reason TEXT AS (record ->> '$.reason'),
  duration_ms REAL AS (record ->> '$.durationMs'),
  day TEXT AS (substr(record ->> '$.at', 1, 10)),
  outcome TEXT AS (coalesce(record ->> '$.told', record ->> '$.decision')),
  spoken INTEGER AS (json_array_length(record, '$.evaluations') > 0 OR record ->> '$.error' IS NOT NULL)
) STRICT;
CREATE INDEX decisions_id ON decisions (id, day, agent, project, outcome, spoken);
CREATE INDEX decisions_refusal ON decisions (refusal) WHERE refusal IS NOT NULL;
CREATE TABLE chain (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  base_seq INTEGER NOT NULL, base_hash BLOB NOT NULL,
  head_seq INTEGER NOT NULL, head_hash BLOB NOT NULL
) STRICT;
INSERT INTO chain VALUES (1, 0, zeroblob(32), 0, zeroblob(32));
CREATE TABLE counts (
  day TEXT NOT NULL, agent TEXT NOT NULL, project TEXT NOT NULL, event TEXT NOT NULL, tool TEXT NOT NULL,
  decision TEXT NOT NULL, number INTEGER NOT NULL,
  PRIMARY KEY (day, agent, project, event, tool, decision)
) STRICT, WITHOUT ROWID;
CREATE TABLE times (
  day TEXT NOT NULL, rule TEXT NOT NULL, bucket INTEGER NOT NULL, number INTEGER NOT NULL,
  PRIMARY KEY (day, rule, bucket)
) STRICT, WITHOUT ROWID;
CREATE TABLE writers (
  writer TEXT PRIMARY KEY, started_at TEXT NOT NULL, written INTEGER NOT NULL, lost INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
PRAGMA user_version = ${tablesVersion};
`

/** Loaded late: it takes milliseconds, and the answer to an event does not wait for it. */
const sqlite = () => process.getBuiltinModule('node:sqlite')

/**
 * Opens the database for writing, and creates it if it does not exist.
 *
 * @throws an SQLite error; `isCorrupt` and `isBusy` tell which
 */
export function openForWriting(file: string): DatabaseSync {
  // SQLite would create it readable by others; its `-wal` and `-shm` get the database's mode.
  closeSync(openSync(file, 'a', 0o600))
  const database = new (sqlite().DatabaseSync)(file, { timeout: limits.recordLockMs })
  try {
    database.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    createTables(database)
    chmodSync(file, 0o600)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function createTables(database: DatabaseSync): void {
  if (versionOf(database) === tablesVersion) return
  inTransaction(database, () => {
    // Another process may have created them since.
    const version = versionOf(database)
    if (version === 0) database.exec(tables)
    else if (version !== tablesVersion) throw new OtherVersion(version)
  })
}

/** The database was written by another version of hookgate, whose tables are different. */
export class OtherVersion extends Error {
  constructor(version: number) {
    super(`its tables are of version ${version}, and this hookgate has version ${tablesVersion}`)
  }
}

/** Runs a piece of work in one write transaction, all or nothing. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/**
 * Opens the database for reading; `undefined` if nothing was written yet.
 *
 * @throws HookgateError `unavailable` if it cannot be read: it is no database, or of another version
 */
export function openForReading(file: string): DatabaseSync | undefined {
  if (!existsSync(file)) return undefined
  let database: DatabaseSync | undefined
  try {
    // Not read-only: a reader of a database in WAL mode must be able to create its `-shm`. It never creates the database.
    const url = pathToFileURL(file)
    url.search = 'mode=rw'
    database = new (sqlite().DatabaseSync)(url, { timeout: limits.recordLockMs })
    database.exec('PRAGMA query_only = ON')
    if (isEmpty(database)) {
      database.close()
      return undefined
    }
    const version = versionOf(database)
    if (version !== tablesVersion) throw new OtherVersion(version)
    return database
  } catch (cause) {
    database?.close()
    throw unreadable(file, cause)
  }
}

export function unreadable(file: string, cause: unknown): HookgateError {
  return new HookgateError('unavailable', `the record cannot be read: ${errorText(cause)}`, {
    place: { file },
    remedy: 'move the file away: the next decision begins a new one',
    cause,
  })
}

/** Returns whether nothing was written yet: another process has just created the file. */
const isEmpty = (database: DatabaseSync): boolean =>
  database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version'])
}

/** Returns the primary code of an SQLite error; `undefined` for any other error. */
function sqliteCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : undefined
}

/** Returns whether an error says that the file is damaged or no database: SQLITE_CORRUPT, SQLITE_NOTADB, our tables. */
export const isCorrupt = (error: unknown): boolean =>
  error instanceof OtherVersion || [1, 11, 26].includes(sqliteCode(error) ?? 0)

/** Returns whether an error says that another process holds the lock: SQLITE_BUSY. */
export const isBusy = (error: unknown): boolean => sqliteCode(error) === 5
