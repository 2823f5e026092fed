import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs'
import { join, parse } from 'node:path'
import { codeOf, errorText } from '../../model/errors.ts'
import { commit, recover, signatureOf } from './commit.ts'
import { arrayOf, elementsOf, framingBytes, linesIn, newestLines, onOneLine } from './json-lines.ts'
import { ownFolder, setAside } from './own-files.ts'
import { checkRoom, isWaiting, oldest, openPending, type PendingFolder, putIn, sweep } from './pending.ts'
import { waitForLock } from '../../files/lock.ts'

/** Polling interval for that lock. */
const bridgeLockLookMs = 5

/**
 * A file with a JSON array, to which many processes append concurrently. Its content is a complete array at all times.
 */
export interface EventFile {
  readonly folder: string
  readonly name: string
  /** The maximum size. If an entry does not fit, the oldest are dropped until half of it is free. */
  readonly bytesMax: number
  /** How long to wait for other writers. */
  readonly waitMs: number
}

interface Appended {
  /** Why the entry is stored, but not in the file yet; the next writer adds it. */
  readonly waitsBecause: string | undefined
  /** Notes for the user: what was dropped or set aside. */
  readonly notes: readonly string[]
}

/**
 * Appends one JSON text to the array.
 *
 * @throws HookgateError `unavailable`, or a system error, if the entry could not be stored at all
 */
export async function append(file: EventFile, json: string): Promise<Appended> {
  ownFolder(file.folder)
  const notes: string[] = []
  const pending = openPending(join(file.folder, `${parse(file.name).name}.pending`))
  const mine = putIn(pending, onOneLine(json))
  const why = await tryToFold(file, pending, mine, notes)
  if (why === undefined || !isWaiting(pending, mine)) return { waitsBecause: undefined, notes }
  checkRoom(pending, mine)
  return { waitsBecause: why, notes }
}

/** @returns why the entry could not be added, `undefined` on success */
async function tryToFold(
  file: EventFile,
  pending: PendingFolder,
  mine: string,
  notes: string[],
): Promise<string | undefined> {
  try {
    const done = await withLock(
      join(pending.folder, 'lock'),
      file.waitMs,
      () => !isWaiting(pending, mine),
      () => {
        let trusted = recover(pending)
        sweep(pending)
        // More older entries may be waiting than fit into one batch.
        while (isWaiting(pending, mine)) trusted = fold(file, pending, trusted, notes)
      },
    )
    return done ? undefined : `other processes kept it locked for more than ${file.waitMs} ms`
  } catch (cause) {
    return errorText(cause)
  }
}

/** Adds a batch of the oldest pending entries to the file. @returns the signature of the new file */
function fold(file: EventFile, pending: PendingFolder, trusted: string | undefined, notes: string[]): string {
  const path = join(file.folder, file.name)
  const batch = oldest(pending, file.bytesMax / 2, file.folder, (what) => notes.push(what))
  const lines = batch.map(({ line }) => line)
  const older = present(path, trusted, file.bytesMax, notes)
  const added = Buffer.byteLength(lines.join(',\n')) + framingBytes
  const overflows = older.length + added > file.bytesMax
  const { kept, dropped } = newestLines(older, overflows ? Math.max(0, file.bytesMax / 2 - added) : older.length)
  commit(
    pending,
    path,
    arrayOf(kept, lines),
    batch.map(({ name }) => name),
  )
  if (dropped > 0) notes.push(`the oldest ${dropped} events were dropped from \`${file.name}\`, which was full`)
  return signatureOf(path)
}

/** Returns the lines of the event file. Anything else in its place is set aside, and the file starts empty. */
function present(path: string, trusted: string | undefined, bytesMax: number, notes: string[]): Uint8Array {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return new Uint8Array()
  const read = stats.isFile() ? readRegular(path, bytesMax) : { why: 'it is not a regular file' }
  if ('bytes' in read) {
    if (read.signature === trusted) return linesIn(read.bytes)
    const elements = elementsIn(read.bytes)
    if (elements !== undefined) return Buffer.from(elements.join(',\n'))
  }
  const why = 'why' in read ? read.why : 'it is not a JSON array'
  const aside = setAside(path)
  notes.push(`\`${parse(path).base}\` was set aside as \`${parse(aside).base}\`: ${why}`)
  return new Uint8Array()
}

type RegularFile = { readonly bytes: Uint8Array; readonly signature: string } | { readonly why: string }

function readRegular(path: string, bytesMax: number): RegularFile {
  let descriptor: number
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  } catch (cause) {
    if (codeOf(cause) === 'EACCES') return { why: 'it cannot be read' }
    throw cause
  }
  try {
    const signature = signatureOf(descriptor)
    if (fstatSync(descriptor).size > bytesMax) return { why: `it is larger than ${bytesMax} bytes` }
    return { bytes: readFileSync(descriptor), signature }
  } finally {
    closeSync(descriptor)
  }
}

function elementsIn(bytes: Uint8Array): string[] | undefined {
  try {
    return elementsOf(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

/**
 * Does work under a lock between processes, and releases the lock.
 *
 * @param unneeded returns whether another process has done the work in the meantime
 * @returns false if other processes held the lock for `waitMs`
 */
async function withLock(file: string, waitMs: number, unneeded: () => boolean, work: () => void): Promise<boolean> {
  const deadline = performance.now() + waitMs
  setForeignFileAside(file)
  if (unneeded()) return true
  const lock = await waitForLock(file, deadline, async () => unneeded(), bridgeLockLookMs)
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
