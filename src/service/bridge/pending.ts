import { existsSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { ensureUnsharedFolder } from '../../files/private-folder.ts'
import { writeNewFile } from '../../files/replace-file.ts'
import { HookgateError } from '../../model/errors.ts'
import { limits } from '../../model/limits.ts'

/** The folder of entries that are not in the event file yet, each in its own file. */
export interface PendingFolder {
  readonly folder: string
}

/** A pending entry, and the name of its file. */
interface Waiting {
  readonly name: string
  readonly line: string
}

/**
 * The bridge does not fsync, so that events do not wait for the disk. A power cut may tear the newest entries, which
 * are detected and set aside.
 */
export const unflushed = { flush: false }

/** Creates the folder for pending entries. Anything else in its place, such as a link, is set aside. */
export function openPending(folder: string): PendingFolder {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) setAside(folder)
  ownFolder(folder)
  return { folder }
}

/**
 * Stores an entry in its own file.
 *
 * INVARIANT: this comes before anything else is changed, and the file stays until a complete event file holds the
 * entry. So nothing is lost if a writer is killed at any point, or cannot continue.
 */
export function putIn({ folder }: PendingFolder, line: string): string {
  // Names sort by time. A draft becomes an entry only once it is complete.
  const name = `${uniqueName()}.json`
  const draft = join(folder, `${name}.part`)
  writeNewFile(draft, [Buffer.from(line)], unflushed)
  renameSync(draft, join(folder, name))
  return name
}

export const isWaiting = ({ folder }: PendingFolder, name: string) => existsSync(join(folder, name))

export function takeOut({ folder }: PendingFolder, names: readonly string[]): void {
  for (const name of names) if (isEntry(name)) rmSync(join(folder, name), { force: true })
}

/** Removes old drafts of writers that were killed before their entry was complete. */
export function sweep({ folder }: PendingFolder): void {
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.part'))) {
    const path = join(folder, name)
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats !== undefined && Date.now() - stats.mtimeMs > bridgeDraftMsMax) rmSync(path, { force: true })
  }
}
/** Age at which the draft of an event counts as abandoned: writing one takes milliseconds. */
export const bridgeDraftMsMax = 600_000

/**
 * Returns the oldest entries, up to `bytesMax` bytes but at least one. Entries that are not JSON are set aside: they
 * would corrupt the event file.
 */
export function oldest(
  pending: PendingFolder,
  bytesMax: number,
  asideFolder: string,
  onNote: (note: string) => void,
): Waiting[] {
  const batch: Waiting[] = []
  let bytes = 0
  for (const name of names(pending)) {
    const path = join(pending.folder, name)
    const line = lineIn(path)
    if (line === undefined) {
      renameSync(path, join(asideFolder, `${name}.set-aside`))
      onNote(`the event in \`${name}\` was incomplete, and was set aside as \`${name}.set-aside\``)
      continue
    }
    bytes += Buffer.byteLength(line)
    if (bytes > bytesMax && batch.length > 0) break
    batch.push({ name, line })
  }
  return batch
}

function lineIn(path: string): string | undefined {
  try {
    const line = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path))
    JSON.parse(line)
    return line.includes('\n') ? undefined : line
  } catch (cause) {
    if (cause instanceof Error && 'syscall' in cause) throw cause
    return undefined
  }
}

const names = ({ folder }: PendingFolder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && isEntry(entry.name))
    .map(({ name }) => name)
    .toSorted()
const isEntry = (name: string) => name.endsWith('.json') && uniqueNamePattern.test(name.slice(0, -'.json'.length))

/** Removes an entry again if too many are pending. @throws HookgateError `unavailable` in that case */
export function checkRoom(pending: PendingFolder, name: string): void {
  const waiting = names(pending)
  const sizes = waiting.map((one) => statSync(join(pending.folder, one), { throwIfNoEntry: false })?.size ?? 0)
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  if (waiting.length <= bridgePendingMax && bytes <= bridgePendingBytesMax) return
  takeOut(pending, [name])
  throw new HookgateError(
    'unavailable',
    `${waiting.length - 1} events are already waiting to be added to the event file, which is the maximum`,
    {
      place: { file: pending.folder },
      remedy: 'free some disk space, or stop the process that keeps the file locked',
    },
  )
}
/** Events that wait to be written into an event file, and their bytes. They wait for long only if the disk is full. */
export const bridgePendingMax = 1000
export const bridgePendingBytesMax = 64 * 1024 * 1024

/**
 * Renames whatever is at a path, to make room for the bridge's own file. A link itself is renamed, not its target.
 *
 * @returns the new path
 * @throws HookgateError `unavailable` if this has happened so often that another program must keep replacing the file
 */
export function setAside(path: string, folder = dirname(path)): string {
  const mark = `${basename(path)}.set-aside-`
  if (readdirSync(folder).filter((name) => name.startsWith(mark)).length >= limits.bridgeSetAsideMax) {
    throw new HookgateError(
      'unavailable',
      `a file that is not an event file was there ${limits.bridgeSetAsideMax} times`,
      {
        place: { file: path },
        remedy: `review the files named \`${mark}…\`, then remove them`,
      },
    )
  }
  const aside = join(folder, `${mark}${uniqueName()}`)
  renameSync(path, aside)
  return aside
}

/**
 * Returns a name that is unique on this machine and sorts by time. `Math.random` suffices, because no other user can
 * write to the folders where the names are used; and `node:crypto` takes milliseconds to load.
 */
function uniqueName(): string {
  const us = Math.floor((performance.timeOrigin + performance.now()) * 1000)
  return `${String(us).padStart(17, '0')}-${chance()}${chance()}`
}
const uniqueNamePattern = /^\d{17}-[\da-z]{20}$/

function chance(): string {
  const number = Math.floor(Math.random() * 2 ** 48)
  return number.toString(36).padStart(10, '0')
}

/**
 * Creates the folder of event files, or ensures that no other user can write to it.
 *
 * @throws HookgateError `unavailable`
 */
export const ownFolder = (folder: string) =>
  ensureUnsharedFolder(folder, { elsewhere: 'name another one with `--dir`' })
