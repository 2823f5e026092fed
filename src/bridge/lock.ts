import { closeSync, constants, lstatSync, openSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { HookgateError } from '../model/errors.ts'
import { limits } from '../model/limits.ts'
import { setAside } from './set-aside.ts'

/**
 * Does something that only one process at a time may do, and lets go of the lock.
 *
 * Node has no `flock`; SQLite has, on every system: a transaction that never writes holds a lock of the kernel's on a file
 * of no bytes, and a writer that is killed or stopped for good needs no judgement of whether its lock is stale.
 *
 * @param unneeded whether somebody else has done it in the meantime
 * @returns false where others kept the lock for `waitMs`
 */
export async function withLock(
  file: string,
  waitMs: number,
  unneeded: () => boolean,
  work: () => void,
): Promise<boolean> {
  const deadline = performance.now() + waitMs
  prepare(file)
  while (!unneeded()) {
    const unlock = tryLock(file)
    if (unlock !== undefined) {
      try {
        work()
      } finally {
        unlock()
      }
      return true
    }
    if (performance.now() > deadline) return false
    // oxlint-disable-next-line no-await-in-loop -- waiting is the point
    await sleep(limits.bridgeLockLookMs)
  }
  return true
}

function tryLock(file: string): (() => void) | undefined {
  // Loaded only here: most events are taken by a listener, and need no file.
  const sqlite = process.getBuiltinModule('node:sqlite')
  const database = new sqlite.DatabaseSync(file, { timeout: 0 })
  try {
    database.exec('BEGIN EXCLUSIVE')
    return () => database.close()
  } catch (cause) {
    database.close()
    if (isBusy(cause)) return undefined
    throw new HookgateError('unavailable', 'it cannot be locked', { place: { file }, cause })
  }
}

/** SQLITE_BUSY, whatever its extension. */
const isBusy = (cause: unknown) =>
  cause instanceof Error && 'errcode' in cause && typeof cause.errcode === 'number' && (cause.errcode & 0xff) === 5

/** SQLite would follow a link, and make the file for others to read. What is no lock of ours nobody can be holding. */
function prepare(file: string): void {
  const stats = lstatSync(file, { throwIfNoEntry: false })
  if (stats !== undefined && (!stats.isFile() || stats.size > 0)) setAside(file)
  closeSync(openSync(file, constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0), 0o600))
}
