import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, parse } from 'node:path'
import { waitForLock } from '../../files/lock.ts'
import { writeNewFile } from '../../files/replace-file.ts'
import { codeOf, errorText } from '../../model/errors.ts'
import {
  checkRoom,
  isWaiting,
  oldest,
  openPending,
  ownFolder,
  type PendingFolder,
  putIn,
  setAside,
  sweep,
  takeOut,
  unflushed,
} from './pending.ts'

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

/** The last writer's commit, pending or done: the entries it adds, and the signature of the new event file. */
interface Intent {
  readonly names: readonly string[]
  readonly signature: string
}

const intentIn = ({ folder }: PendingFolder) => join(folder, 'last-commit')
const draftIn = ({ folder }: PendingFolder) => join(folder, 'next')

/**
 * Replaces the event file atomically, and removes the pending entries that it now holds. If the writer is killed, the
 * next one can tell whether the rename happened: the draft still exists if it did not.
 */
function commit(pending: PendingFolder, path: string, pieces: readonly Uint8Array[], names: readonly string[]): void {
  const draft = draftIn(pending)
  try {
    writeNewFile(draft, pieces, unflushed)
    writeFileSync(intentIn(pending), JSON.stringify({ names, signature: signatureOf(draft) }), { mode: 0o600 })
    renameSync(draft, path)
  } catch (cause) {
    undo(pending)
    throw cause
  }
  takeOut(pending, names)
}

/**
 * Completes or undoes the commit of a writer that was killed.
 *
 * @returns the signature of the event file that was committed last
 */
function recover(pending: PendingFolder): string | undefined {
  const intent = readIntent(pending)
  if (lstatSync(draftIn(pending), { throwIfNoEntry: false }) !== undefined) {
    undo(pending)
    return undefined
  }
  if (intent !== undefined) takeOut(pending, intent.names)
  return intent?.signature
}

/**
 * INVARIANT: the intent is removed first. Without a draft beside it, it means that its entries are in the event file.
 */
function undo(pending: PendingFolder): void {
  rmSync(intentIn(pending), { force: true })
  rmSync(draftIn(pending), { recursive: true, force: true })
}

/** Returns a signature that survives a rename of the file, and changes if the file is written to or replaced. */
function signatureOf(file: string | number): string {
  const { dev, ino, size, mtimeNs } =
    typeof file === 'number' ? fstatSync(file, { bigint: true }) : statSync(file, { bigint: true })
  return [dev, ino, size, mtimeNs].join(' ')
}

/** Reads the intent; `undefined` if it is torn, which means that the rename after it never happened. */
function readIntent(pending: PendingFolder): Intent | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(intentIn(pending), 'utf8'))
    if (typeof value !== 'object' || value === null || !('names' in value) || !('signature' in value)) return undefined
    const { names, signature } = value
    if (!Array.isArray(names) || typeof signature !== 'string') return undefined
    return { names: names.filter((name) => typeof name === 'string'), signature }
  } catch {
    return undefined
  }
}

/** The framing of an event file: a JSON array with one element per line, so that the oldest can be cut off. */
const opening = '[\n'
const separator = ',\n'
const closing = '\n]\n'

/** The bytes of an event file beyond those of its older and newer lines. */
const framingBytes = opening.length + separator.length + closing.length

/** Puts JSON on one line without parsing it, which keeps its numbers: JSON strings cannot contain raw line breaks. */
export function onOneLine(json: string): string {
  return json.trim().replace(/[\r\n]+/g, ' ')
}

/** Returns the elements of a file that the bridge wrote, one per line, without the framing. */
export function linesIn(file: Uint8Array): Uint8Array {
  return file.subarray(opening.length, Math.max(opening.length, file.length - closing.length))
}

/** Returns the pieces to write, in order, for an event file of older and newer lines. */
export function arrayOf(older: Uint8Array, newer: readonly string[]): Uint8Array[] {
  const joint = older.length > 0 && newer.length > 0 ? separator : ''
  return [Buffer.from(opening), older, Buffer.from(`${joint}${newer.join(separator)}${closing}`)]
}

/** Drops whole lines from the front until at most `bytesMax` bytes are left. */
export function newestLines(
  lines: Uint8Array,
  bytesMax: number,
): { readonly kept: Uint8Array; readonly dropped: number } {
  if (lines.length <= bytesMax) return { kept: lines, dropped: 0 }
  const end = lines.indexOf(newline, Math.max(0, lines.length - bytesMax - 1))
  const start = end < 0 ? lines.length : end + 1
  let dropped = start === lines.length ? 1 : 0
  for (let at = lines.indexOf(newline); at >= 0 && at < start; at = lines.indexOf(newline, at + 1)) dropped += 1
  return { kept: lines.subarray(start), dropped }
}
const newline = 0x0a

/** Returns the elements of an array that another program wrote, each put on one line but otherwise verbatim. */
export function elementsOf(text: string): string[] | undefined {
  if (!isArray(text)) return undefined
  const elements: string[] = []
  let depth = 0
  let start = 0
  const end = (at: number) => {
    const element = onOneLine(text.slice(start, at))
    if (element !== '') elements.push(element)
    start = at + 1
  }
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at)
    else if (character === ',' && depth === 1) end(at)
    else if (character === '[' || character === '{') {
      depth += 1
      if (depth === 1) start = at + 1
    } else if (character === ']' || character === '}') {
      if (depth === 1) end(at)
      depth -= 1
    }
  }
  return elements
}

function isArray(text: string): boolean {
  try {
    return Array.isArray(JSON.parse(text))
  } catch {
    return false
  }
}

/** Returns the index of the closing quote of a string in valid JSON. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}
