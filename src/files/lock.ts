import type { DatabaseSync } from 'node:sqlite'
import { closeSync, lstatSync, openSync, truncateSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf, HookgateError } from '../model/errors.ts'
import { whyFailed } from './disk.ts'
import { limits } from '../model/limits.ts'

/** A held lock. The system releases it when this process exits, even if it is killed. */
export interface Lock {
  release(): void
}

/** Keeps databases reachable: the garbage collector would close them, and release their locks. */
const held = new Set<DatabaseSync>()

/**
 * Takes a lock; returns `undefined` if it is held by someone else.
 *
 * Node has no `flock`, but SQLite locks files on every system: a transaction that never writes holds a kernel lock on
 * an empty file. The alternative, a file that names its owner, becomes stale when the owner is killed; and two
 * processes that both judge it stale can both take the lock.
 *
 * @param waitMs how long to block this thread while the lock is held by someone else
 * @throws HookgateError `unavailable` if the file cannot be created, opened or locked at all
 */
export function tryLock(file: string, waitMs = 0): Lock | undefined {
  try {
    makePlainFile(file)
    return openLock(file, waitMs) ?? openLock(emptied(file), waitMs) ?? fail(file, new Error('it stays damaged'))
  } catch (cause) {
    if (isBusy(cause)) return undefined
    return fail(file, cause)
  }
}

function fail(file: string, cause: unknown): never {
  throw new HookgateError('unavailable', `it cannot be locked: ${whyFailed(cause)}`, { place: { file }, cause })
}

/**
 * Empties a lock file that a loss of power has left full of zeros or garbage: it holds nothing.
 *
 * INVARIANT: it is not replaced. Of two processes that find it damaged, the second would take away what the first has
 * locked.
 */
function emptied(file: string): string {
  truncateSync(file)
  return file
}

/** Takes a lock; returns `undefined` if the file is damaged. @throws if it is held by someone else, or cannot be opened */
function openLock(file: string, waitMs: number): Lock | undefined {
  // Loaded lazily: it takes milliseconds, and most processes that may lock something never do.
  const sqlite = process.getBuiltinModule('node:sqlite')
  let database: DatabaseSync | undefined
  try {
    database = new sqlite.DatabaseSync(file, { timeout: waitMs })
    // Nothing is ever written, but a journal on disk would still be created, which fails on a full disk.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    const taken = database
    held.add(taken)
    return {
      release() {
        held.delete(taken)
        taken.close()
      },
    }
  } catch (cause) {
    database?.close()
    if (isDamage(cause)) return undefined
    throw cause
  }
}

/** Waits for a lock; returns `undefined` at the deadline, or once `until` returns that it is no longer needed. */
export async function waitForLock(
  file: string,
  deadlineMs: number,
  until: () => Promise<boolean> = async () => false,
  lookMs: number = limits.gateLookMs,
): Promise<Lock | undefined> {
  while (true) {
    const lock = tryLock(file)
    // oxlint-disable-next-line no-await-in-loop -- waiting is the point
    if (lock !== undefined || performance.now() > deadlineMs || (await until())) return lock
    // oxlint-disable-next-line no-await-in-loop -- waiting is the point
    await sleep(lookMs)
  }
}

/**
 * Creates a file for SQLite, which would make it readable by others, and would follow a link.
 *
 * INVARIANT: an existing file is not opened. In POSIX, closing any descriptor of a file releases all locks of the
 * process on that file, and this process may hold the lock.
 */
export function makePlainFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (cause) {
    if (codeOf(cause) !== 'EEXIST') throw cause
    if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === false) {
      throw new Error('it is not a regular file', { cause })
    }
  }
}

/** Returns the primary code of an SQLite error, of which there are extended ones; `undefined` for any other error. */
export const codeOfSqlite = (cause: unknown): number | undefined =>
  cause instanceof Error && 'errcode' in cause && typeof cause.errcode === 'number' ? cause.errcode & 0xff : undefined
/** SQLITE_BUSY. */
const isBusy = (cause: unknown) => codeOfSqlite(cause) === 5
/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const isDamage = (cause: unknown) => codeOfSqlite(cause) === 11 || codeOfSqlite(cause) === 26
