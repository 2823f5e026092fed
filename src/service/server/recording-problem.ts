import { statfsSync } from 'node:fs'
import type { GatePaths } from '../../files/state/places.ts'
import { askStatus } from './ask-status.ts'

/** Room on a disk below which it counts as full: a transaction of a few records takes some ten pages of 4 KiB. */
const recordRoomBytes = 40 * 1024

/**
 * Returns why decisions cannot be recorded now, as far as that can be known without writing; `undefined` if nothing is
 * in the way. A running gate knows why its last attempt failed; besides, the disk may be full.
 */
export async function recordingProblem(places: GatePaths): Promise<string | undefined> {
  const gate = await askStatus(places).catch(() => undefined)
  if (gate?.running !== true) return fullDisk(places.folder)
  if (gate.recorder === null) return undefined
  return gate.recorder.problem ?? fullDisk(places.folder)
}

/** Says that the disk of a folder is full; `undefined` if there is room, or where that cannot be known. */
function fullDisk(folder: string): string | undefined {
  try {
    const { bsize, bfree, bavail } = statfsSync(folder)
    // Some blocks are left to root alone.
    const bytes = bsize * (process.getuid?.() === 0 ? bfree : bavail)
    return bytes < recordRoomBytes ? `the disk of ${folder} is full` : undefined
  } catch {
    return undefined
  }
}
