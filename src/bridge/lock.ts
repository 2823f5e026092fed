import { lstatSync } from 'node:fs'
import { waitForLock } from '../files/lock.ts'
import { limits } from '../model/limits.ts'
import { setAside } from './set-aside.ts'

/**
 * Does something that only one process at a time may do, and lets go of the lock.
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
  setStrangerAside(file)
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

/** SQLite would follow a link. What is no lock of ours nobody can be holding. */
function setStrangerAside(file: string): void {
  const stats = lstatSync(file, { throwIfNoEntry: false })
  if (stats !== undefined && (!stats.isFile() || stats.size > 0)) setAside(file)
}
