import { counted } from '../../words/counted.ts'
import { statfsSync, statSync } from 'node:fs'
import type { GatePaths } from '../../files/state/places.ts'
import { chainEnds } from '../../record/chain.ts'
import { openForReading, unreadable } from '../../record/database.ts'
import { lostDecisions } from '../../record/answer-count.ts'
import { askStatus } from './heartbeats.ts'

/** How the record is doing, as its database says. */
export interface RecordHealth {
  /** Decisions that are recorded. */
  readonly decisions: number
  /** When the first of them was made, ISO 8601; `null` without one. */
  readonly since: string | null
  readonly bytes: number
  /** Decisions that could not be recorded, by whichever process. */
  readonly lost: number
}

/**
 * Reads how the record is doing from its database; `undefined` if nothing was written yet.
 *
 * @throws HookgateError `unavailable` if it cannot be read
 */
export function recordHealth(file: string): RecordHealth | undefined {
  const database = openForReading(file)
  if (database === undefined) return undefined
  try {
    const { base, head } = chainEnds(database)
    const since = database.prepare('SELECT at FROM decisions ORDER BY seq LIMIT 1').get()?.['at']
    const bytes = ['', '-wal']
      .map((part) => statSync(`${file}${part}`, { throwIfNoEntry: false })?.size ?? 0)
      .reduce((sum, size) => sum + size, 0)
    return {
      decisions: head.seq - base.seq,
      since: typeof since === 'string' ? since : null,
      bytes,
      lost: lostDecisions(database, file),
    }
  } catch (cause) {
    throw unreadable(file, cause)
  } finally {
    database.close()
  }
}

/** Says how many decisions could not be recorded, and why; `undefined` if none. */
export function lossText(lost: number, problem: string | undefined): string | undefined {
  if (lost === 0) return undefined
  return `${counted(lost, 'decision')} could not be recorded${problem === undefined ? ', in processes that were killed or on a full disk' : `: ${problem}`}`
}

/** What to do about a record that cannot be written. */
export const lossRemedy = 'no answer depends on it; recording goes on by itself once the cause is gone'

/** Says what a damaged database is that was set aside. */
export const setAsideText = (file: string) =>
  `${file} was set aside, and a new record began: delete it once you no longer need it`

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
