import type { DatabaseSync } from 'node:sqlite'
import { chmodSync, existsSync, lstatSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { codeOfSqlite, makePlainFile, tryLock } from '../files/lock.ts'
import { makeFolders } from '../files/entries.ts'
import { errorText, HookgateError } from '../model/errors.ts'
import { limits } from '../model/limits.ts'

/** Version of the tables, in `PRAGMA user_version`. A newer one is left as it is. */
const tablesVersion = 2

/**
 * The tables of `decisions.db`.
 *
 * `decisions`: one row a decision; `record` is a `DecisionRecord` as JSON, and the other columns are read from it.
 * `hash` chains the rows: see `chain.ts`. `outcome` is the answer that the agent got, or the decision if no agent got
 * one; `spoken` is 1 if a rule answered or failed, and `listed` is 1 if `isListed` says so. `call` is the same in the
 * events before and after a call: the agent's id of it, else the tool and its subject. The index of ids has what
 * `figures.ts` counts, so that it reads no records for it. `chain`: one row, with the place where the chain begins and
 * where it ends. `counts`: decisions that are only counted. `times`: for each day and rule how many evaluations took
 * how long; rule `''` is the decision itself. `writers`: how many decisions each process has written or counted, and
 * how many it lost.
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
  outcome TEXT AS (coalesce(record ->> '$.told', record ->> '$.decision')),
  spoken INTEGER AS (json_array_length(record, '$.evaluations') > 0 OR record ->> '$.error' IS NOT NULL),
  listed INTEGER AS (event IS NULL OR event = 'PreToolUse' OR outcome NOT IN ('allow', 'abstain') OR spoken),
  call TEXT AS (coalesce(record ->> '$.call', (record ->> '$.toolName') || char(10) || substr(record ->> '$.subject', 1, 200))),
  result TEXT AS (record -> '$.result')
) STRICT;
CREATE INDEX decisions_id ON decisions (id, agent, project, outcome, listed, spoken);
CREATE INDEX decisions_refusal ON decisions (refusal) WHERE refusal IS NOT NULL;
CREATE INDEX decisions_call ON decisions (session, call) WHERE call IS NOT NULL;
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

/** Returns the lock that is held while a database is created or set aside. */
export const creationLock = (file: string): string => `${file}.lock`

/**
 * Creates the database's file for its owner only, unless it exists. Returns its inode.
 *
 * @throws if it is not a plain file, or cannot be created
 */
export function makeDatabaseFile(file: string, lockMs: number): number {
  const known = inodeOf(file)
  if (known !== undefined) return known
  makeFolders(dirname(file), 0o700)
  const lock = tryLock(creationLock(file), lockMs)
  if (lock === undefined) throw new Error('another process is creating it')
  try {
    if (inodeOf(file) === undefined) {
      // Otherwise files of a database that was removed would be read into the new one.
      for (const part of ['-wal', '-shm', '-journal']) rmSync(`${file}${part}`, { force: true })
      makePlainFile(file)
    }
  } finally {
    lock.release()
  }
  return inodeOf(file) ?? 0
}

/** Returns the inode of a plain file; `undefined` if there is nothing. @throws if it is anything else, a link for one */
export function inodeOf(file: string): number | undefined {
  const stats = lstatSync(file, { throwIfNoEntry: false })
  if (stats?.isFile() === false) throw new Error('it is not a regular file')
  return stats?.ino
}

/**
 * Opens the database for writing, and creates its tables. Its file exists.
 *
 * @throws an SQLite error, `Damaged` or `Newer`
 */
export function openForWriting(file: string, lockMs: number): DatabaseSync {
  const untilMs = performance.now() + lockMs
  while (true) {
    try {
      return opened(file, lockMs)
    } catch (error) {
      // SQLite does not wait where two processes make a new file one with a WAL, or repair one.
      if (!isBusy(error) || performance.now() > untilMs) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
}

function opened(file: string, lockMs: number): DatabaseSync {
  // If it has just been set aside, it must not be created without its lock.
  const database = openExisting(file, lockMs)
  try {
    database.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    createTables(database)
    // Its `-wal` and `-shm` get the database's mode.
    chmodSync(file, 0o600)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Opens a database that exists. */
function openExisting(file: string, lockMs: number): DatabaseSync {
  const url = pathToFileURL(file)
  url.search = 'mode=rw'
  return new (sqlite().DatabaseSync)(url, { timeout: lockMs })
}

function createTables(database: DatabaseSync): void {
  if (versionOf(database) === tablesVersion) return
  inTransaction(database, () => {
    // Another process may have created them since.
    const version = versionOf(database)
    if (version === 0) database.exec(tables)
    else checkVersion(version)
  })
}

function checkVersion(version: number): void {
  const text = `its tables are of version ${version}, and this hookgate knows version ${tablesVersion}`
  if (version > tablesVersion) throw new Newer(text)
  if (version < tablesVersion) throw new Damaged(text)
}

/** The file is no database of hookgate's. */
export class Damaged extends Error {}

/** The database was written by a newer hookgate, which may be writing to it now. */
class Newer extends Error {}

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
    inodeOf(file)
    // Not read-only: a reader of a database in WAL mode must be able to create its `-shm`. It never creates the database.
    database = openExisting(file, limits.recordLockMs)
    database.exec('PRAGMA query_only = ON')
    if (isEmpty(database)) {
      database.close()
      return undefined
    }
    checkVersion(versionOf(database))
    return database
  } catch (cause) {
    database?.close()
    throw unreadable(file, cause)
  }
}

export function unreadable(file: string, cause: unknown): HookgateError {
  return new HookgateError('unavailable', `the record cannot be read: ${errorText(cause)}`, {
    place: { file },
    // SQLITE_IOERR, SQLITE_FULL: a reader writes beside the database, too, which may be intact.
    remedy: [10, 13].includes(codeOfSqlite(cause) ?? 0)
      ? 'its disk may be full, so that nothing can be recorded: make room'
      : isDamaged(cause)
        ? 'the next decision sets the file aside and begins a new one'
        : 'move the file away: the next decision begins a new one',
    cause,
  })
}

/** Returns whether nothing was written yet: another process has just created the file. */
const isEmpty = (database: DatabaseSync): boolean =>
  database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version'])
}

/**
 * Returns whether an error says that the file is damaged or not ours: SQLITE_CORRUPT, SQLITE_NOTADB, rows where the chain
 * says there are none (SQLITE_CONSTRAINT), other tables.
 */
export function isDamaged(error: unknown): boolean {
  if (error instanceof Damaged) return true
  const code = codeOfSqlite(error)
  if (code === 1)
    return /no such (?:table|column)|already exists|no column named|values were supplied/.test(errorText(error))
  return code === 11 || code === 19 || code === 26
}

/** Returns whether an error says that another process holds the lock: SQLITE_BUSY, SQLITE_PROTOCOL. */
export function isBusy(error: unknown): boolean {
  const code = codeOfSqlite(error)
  return code === 5 || code === 15
}
