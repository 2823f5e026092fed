import { existsSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { writeNewFile } from '../files/new-file.ts'
import { HookgateError } from '../model/errors.ts'
import { limits } from '../model/limits.ts'
import { ownFolder } from './bridge-folder.ts'
import { setAside } from './set-aside.ts'
import { uniqueName, uniqueNamePattern } from './unique-name.ts'

/** Entries on their way into an event file, each in a file of its own. */
export interface Pending {
  readonly folder: string
}

/** An entry, and the file that it is in. */
export interface Waiting {
  readonly name: string
  readonly line: string
}

/**
 * Nothing of the bridge's is forced to the disk: a power cut may tear the newest, which is found and set aside, and each
 * event would otherwise wait for the disk.
 */
export const unflushed = { flush: false }

/** Makes the folder for them. A link in its place is set aside: what it leads to is somebody else's. */
export function openPending(folder: string): Pending {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) setAside(folder)
  ownFolder(folder)
  return { folder }
}

/**
 * INVARIANT: an entry is in a file of its own before anything else is touched, and stays there until a whole event file
 * with it is in place. So a writer that is killed at any moment loses nothing, and neither does one that cannot go on.
 */
export function putIn({ folder }: Pending, line: string): string {
  // The names sort by time; a draft is no entry until it is whole.
  const name = `${uniqueName()}.json`
  const draft = join(folder, `${name}.part`)
  writeNewFile(draft, [Buffer.from(line)], unflushed)
  renameSync(draft, join(folder, name))
  return name
}

export const isWaiting = ({ folder }: Pending, name: string) => existsSync(join(folder, name))

export function takeOut({ folder }: Pending, names: readonly string[]): void {
  for (const name of names) if (isEntry(name)) rmSync(join(folder, name), { force: true })
}

/** Drafts of writers that were killed before they had an entry to lose. */
export function sweep({ folder }: Pending): void {
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.part'))) {
    const path = join(folder, name)
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats !== undefined && Date.now() - stats.mtimeMs > limits.bridgeDraftMsMax) rmSync(path, { force: true })
  }
}

/**
 * The oldest entries, at least one and no more than `bytesMax` of them. What is no JSON is set aside: it would break the
 * file that it is put into.
 */
export function oldest(
  pending: Pending,
  bytesMax: number,
  asideFolder: string,
  tell: (what: string) => void,
): Waiting[] {
  const batch: Waiting[] = []
  let bytes = 0
  for (const name of names(pending)) {
    const path = join(pending.folder, name)
    const line = lineIn(path)
    if (line === undefined) {
      renameSync(path, join(asideFolder, `${name}.set-aside`))
      tell(`the event in \`${name}\` was incomplete, and was set aside as \`${name}.set-aside\``)
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

const names = ({ folder }: Pending) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && isEntry(entry.name))
    .map(({ name }) => name)
    .toSorted()
const isEntry = (name: string) => name.endsWith('.json') && uniqueNamePattern.test(name.slice(0, -'.json'.length))

/** Takes an entry back that would wait for long where too many do. @throws HookgateError `unavailable` */
export function checkRoom(pending: Pending, name: string): void {
  const waiting = names(pending)
  const sizes = waiting.map((one) => statSync(join(pending.folder, one), { throwIfNoEntry: false })?.size ?? 0)
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  if (waiting.length <= limits.bridgePendingMax && bytes <= limits.bridgePendingBytesMax) return
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
