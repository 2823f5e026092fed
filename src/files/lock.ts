import type { DatabaseSync } from 'node:sqlite'
import { closeSync, lstatSync, openSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorText, HookgateError } from '../model/errors.ts'
import { limits } from '../model/limits.ts'
import { codeOf } from './code-of.ts'

/** A lock that is held. The system lets go of it when this process ends, however it does. */
export interface Lock {
  release(): void
}

/** One that nobody refers to is closed by the garbage collector, and its lock is gone. */
const held = new Set<DatabaseSync>()

/**
 * Takes a lock, or says that somebody has it.
 *
 * Node has no `flock`; SQLite has, on every system: a transaction that never writes holds a lock of the kernel's on a file
 * of no bytes. A file that names its owner would have to be judged stale or not when the owner is killed, and two that
 * judge at once can both win.
 *
 * @param waitMs how long this thread stands still for whoever has it
 * @throws HookgateError `unavailable` where the file cannot be made, opened or locked at all
 */
export function tryLock(file: string, waitMs = 0): Lock | undefined {
  // Loaded only here: most of what may lock something never does, and it takes milliseconds.
  const sqlite = process.getBuiltinModule('node:sqlite')
  let database: DatabaseSync | undefined
  try {
    makeLockFile(file)
    database = new sqlite.DatabaseSync(file, { timeout: waitMs })
    // Nothing is ever written; a journal would be a file all the same, for which a disk may be too full.
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
    if (isBusy(cause)) return undefined
    throw new HookgateError('unavailable', `it cannot be locked: ${errorText(cause)}`, { place: { file }, cause })
  }
}

/** Waits for a lock; `undefined` when the time is up, or when `until` says that there is no more need. */
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
 * SQLite would make it for others to read, and would follow a link.
 *
 * INVARIANT: one that is there is not opened. POSIX has a process lose its locks on a file with the first descriptor of it
 * that is closed, and this process may be the holder.
 */
function makeLockFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (cause) {
    if (codeOf(cause) !== 'EEXIST') throw cause
    if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === false) {
      throw new Error('it is not a regular file', { cause })
    }
  }
}

/** SQLITE_BUSY, whatever its extension. */
const isBusy = (cause: unknown) =>
  cause instanceof Error && 'errcode' in cause && typeof cause.errcode === 'number' && (cause.errcode & 0xff) === 5
