import { createHash } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { isExecutable } from './entries.ts'
import { codeOf, errorText } from '../model/errors.ts'
import type { Disk, Seen, Unreadable } from '../model/disk.ts'
import { limits } from '../model/limits.ts'
import { sha256Of } from './digest.ts'

export function makeDisk(): Disk {
  const openedAtMs = Date.now()
  const signatures = new Map<string, string>()
  const listings = new Map<string, string>()
  const hashes = new Map<string, string | Unreadable>()
  let changedAtMs = 0
  /** INVARIANT: a path's signature is taken before it is read, so that `unchanged` detects a change in between. */
  const sign = (path: string) => {
    if (signatures.has(path)) return
    const { signature, ctimeMs } = signatureOf(path)
    signatures.set(path, signature)
    changedAtMs = Math.max(changedAtMs, ctimeMs)
  }
  /**
   * INVARIANT: if two reads of a file differ, its hash is unreadable: restoring the file must not vouch for other
   * content.
   */
  const remember = (path: string, hash: string) => {
    const known = hashes.get(path)
    hashes.set(path, known === undefined || known === hash ? hash : unreadable('it changed while it was read'))
  }
  return {
    searched: { workspaceEntries: 0, misnamedBytes: 0 },
    see(path) {
      sign(path)
      return see(path)
    },
    executable(path) {
      sign(path)
      return isExecutable(path)
    },
    names(folder) {
      sign(folder)
      try {
        return readdirSync(folder)
      } catch {
        return []
      }
    },
    list(folder) {
      sign(folder)
      const { signature, ctimeMs } = listingOf(folder)
      listings.set(folder, listings.get(folder) ?? signature)
      changedAtMs = Math.max(changedAtMs, ctimeMs)
      try {
        return readdirSync(folder).toSorted()
      } catch (error) {
        return unreadable(reasonOf(error))
      }
    },
    read(path, bytesMax) {
      sign(path)
      const chunks: Uint8Array[] = []
      const failed = readFile(path, bytesMax, (chunk) => chunks.push(chunk.slice()))
      if (failed !== undefined) return failed
      const content = Buffer.concat(chunks)
      remember(path, sha256Of(content))
      return content
    },
    sha256(path, bytesMax = limits.pinnedFileBytesMax) {
      sign(path)
      const known = hashes.get(path)
      if (known !== undefined) return known
      const now = sha256(path, bytesMax)
      // A file that is too large for one reader may not be for another.
      if (typeof now === 'string' || bytesMax === limits.pinnedFileBytesMax) hashes.set(path, now)
      return now
    },
    writableByOthers(path) {
      sign(path)
      sign(dirname(path))
      return isWritableByOthers(path) || isWritableByOthers(dirname(path))
    },
    unchanged() {
      // Two writes within one tick of the file system's clock look the same, so recently changed files are read again.
      if (changedAtMs > openedAtMs - limits.rulesSettleMs) return false
      for (const [path, signature] of signatures) if (signatureOf(path).signature !== signature) return false
      for (const [folder, signature] of listings) if (listingOf(folder).signature !== signature) return false
      return true
    },
  }
}

function sha256(path: string, bytesMax: number): string | Unreadable {
  const hash = createHash('sha256')
  return readFile(path, bytesMax, (chunk) => hash.update(chunk)) ?? hash.digest('hex')
}

function signatureOf(path: string): { signature: string; ctimeMs: number } {
  try {
    const stat = statOf(path)
    if (stat === undefined) return { signature: 'absent', ctimeMs: 0 }
    const { dev, ino, mode, uid, size, mtimeMs, ctimeMs } = stat
    // A folder's entries are tracked by their own paths: a change to other entries must not cause rules to be read
    // again.
    if (stat.isDirectory()) return { signature: [dev, ino, mode, uid].join(' '), ctimeMs: 0 }
    return { signature: [dev, ino, mode, uid, size, mtimeMs, ctimeMs].join(' '), ctimeMs }
  } catch (error) {
    return { signature: codeOf(error) ?? String(error), ctimeMs: 0 }
  }
}

/** Returns a signature of a folder's list of entries: its times change when entries are added or removed. */
function listingOf(folder: string): { signature: string; ctimeMs: number } {
  try {
    const { mtimeMs, ctimeMs } = statSync(folder)
    return { signature: `${mtimeMs} ${ctimeMs}`, ctimeMs }
  } catch (error) {
    return { signature: codeOf(error) ?? String(error), ctimeMs: 0 }
  }
}

function see(path: string): Seen {
  try {
    const stat = statOf(path)
    if (stat === undefined) return 'absent'
    if (stat.isFile()) return 'file'
    if (stat.isDirectory()) return 'folder'
    if (!stat.isSymbolicLink()) return unreadable('it is not a regular file')
    return { ...unreadable('it is a symbolic link that leads nowhere'), dangling: true }
  } catch (error) {
    return unreadable(reasonOf(error))
  }
}

/** Follows links, but returns a dangling link itself. `ENOTDIR` counts as absent: no file can be below another file. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if (codeOf(error) === 'ENOTDIR') return undefined
    throw error
  }
}

/** Always false on Windows: it has no mode bits, and a user's own folders are accessible only to that user. */
function isWritableByOthers(path: string): boolean {
  const user = process.getuid?.()
  const stat = statSync(path, { throwIfNoEntry: false })
  if (user === undefined || stat === undefined) return false
  return (stat.mode & 0o022) !== 0 || (stat.uid !== user && stat.uid !== 0)
}

/**
 * Reads a regular file in chunks. It is opened non-blocking and its type is checked first: a named pipe in a file's
 * place would otherwise block the gate forever.
 */
function readFile(path: string, bytesMax: number, take: (chunk: Uint8Array) => void): Unreadable | undefined {
  let descriptor: number | undefined
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const stat = fstatSync(descriptor)
    if (!stat.isFile()) return unreadable(stat.isDirectory() ? 'it is a folder' : 'it is not a regular file')
    if (stat.size > bytesMax) return tooLarge(bytesMax)
    const chunk = new Uint8Array(Math.min(stat.size + 1, chunkBytes))
    for (let total = 0; ;) {
      const bytes = readSync(descriptor, chunk)
      if (bytes === 0) return undefined
      total += bytes
      // The file may grow while it is read.
      if (total > bytesMax) return tooLarge(bytesMax)
      take(chunk.subarray(0, bytes))
    }
  } catch (error) {
    return unreadable(reasonOf(error))
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}
const chunkBytes = 1024 * 1024

const tooLarge = (bytesMax: number) => unreadable(`it is larger than ${bytesMax} bytes`)
const unreadable = (why: string): Unreadable => ({ kind: 'unreadable', why })

/** Returns a failure of the file system as a phrase about the file. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error) ?? String(error)
  return reasons.get(code) ?? `system error ${code}`
}

/** Says why something failed: of a failure of the file system, without its file, which the sentence around it names. */
export const whyFailed = (error: unknown): string =>
  reasons.has(codeOf(error) ?? '') ? reasonOf(error) : errorText(error)

const reasons: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'permission is denied'],
  ['EPERM', 'permission is denied'],
  ['ELOOP', 'its symbolic links form a loop'],
  ['EISDIR', 'it is a folder'],
  ['ENOENT', 'it does not exist'],
  ['ENOTDIR', 'it does not exist'],
  ['ENXIO', 'it is not a regular file'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the quota of the disk is used up'],
  ['EROFS', 'the file system is read-only'],
])
