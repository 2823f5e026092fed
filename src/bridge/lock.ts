import { lstatSync } from 'node:fs'
import { waitForLock } from '../files/lock.ts'
import { limits } from '../model/limits.ts'
import { setAside } from './set-aside.ts'

/**
 * Does work under a lock between processes, and releases the lock.
 *
 * @param unneeded returns whether another process has done the work in the meantime
 * @returns false if other processes held the lock for `waitMs`
 */
export async function withLock(
  file: string,
  waitMs: number,
  unneeded: () => boolean,
  work: () => void,
): Promise<boolean> {
  const deadline = performance.now() + waitMs
  setForeignFileAside(file)
  if (unneeded()) return true
  const lock = await waitForLock(file, deadline, async () => unneeded(), limits.bridgeLockLookMs)
  if (lock === undefined) return unneeded()
  try {
    work()
  } finally {
    lock.release()
  }
  return true
}

/**
 * Sets aside anything but an empty regular file: SQLite would follow a link, and only an empty file can be our lock.
 */
function setForeignFileAside(file: string): void {
  const stats = lstatSync(file, { throwIfNoEntry: false })
  if (stats !== undefined && (!stats.isFile() || stats.size > 0)) setAside(file)
}
