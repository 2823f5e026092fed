import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorText, HookgateError } from '../model/errors.ts'
import { limits } from '../model/limits.ts'

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
 * @throws HookgateError `unavailable` where the file cannot be opened or locked at all
 */
export function tryLock(file: string): Lock | undefined {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file, { timeout: 0 })
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
): Promise<Lock | undefined> {
  while (true) {
    const lock = tryLock(file)
    // oxlint-disable-next-line no-await-in-loop -- waiting is the point
    if (lock !== undefined || performance.now() > deadlineMs || (await until())) return lock
    // oxlint-disable-next-line no-await-in-loop -- waiting is the point
    await sleep(limits.gateLookMs)
  }
}

/** SQLITE_BUSY, whatever its extension. */
const isBusy = (cause: unknown) =>
  cause instanceof Error && 'errcode' in cause && typeof cause.errcode === 'number' && (cause.errcode & 0xff) === 5
