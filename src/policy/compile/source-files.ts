import { relative } from 'node:path'
import { realPath } from '../../files/real-path.ts'
import { type Disk, isUnreadable, type Unreadable } from '../../model/disk.ts'
import { limits } from '../../model/limits.ts'
import type { ReadText } from './syntax/resolve-import.ts'

/** Fingerprint of each file that was read, by path. */
export type FilesRead = ReadonlyMap<string, string>

/**
 * Reads the files of a policy, and notes a fingerprint of each.
 *
 * @param folder the folder that its imports must stay below
 */
export function openReads(folder: string, disk: Disk): { readonly readText: ReadText; readonly reads: FilesRead } {
  const texts = new Map<string, ReturnType<ReadText>>()
  const reads = new Map<string, string>()
  const readText = (path: string) => {
    if (!reads.has(path)) {
      texts.set(path, textOfFile(path, disk))
      reads.set(path, fingerprint(path, folder, disk))
    }
    return texts.get(path)
  }
  return { readText, reads }
}

/** Returns true if every file that was read is the same still. */
export function areUnchanged(reads: FilesRead, folder: string, disk: Disk): boolean {
  const known = fingerprintsOf(folder, disk)
  return [...reads].every(([path, was]) => {
    const now = known.get(path) ?? fingerprint(path, folder, disk)
    known.set(path, now)
    return now === was
  })
}

/** The policies of a pack are made of the same few files, and a look at each takes long: one is enough for a `Disk`. */
function fingerprintsOf(folder: string, disk: Disk): Map<string, string> {
  const folders = fingerprints.get(disk) ?? new Map<string, Map<string, string>>()
  fingerprints.set(disk, folders)
  const known = folders.get(folder) ?? new Map<string, string>()
  folders.set(folder, known)
  return known
}
const fingerprints = new WeakMap<Disk, Map<string, Map<string, string>>>()

/**
 * Identifies a file's content and its real path, which imports are relative to. The path is relative to the folder, so
 * that the fingerprints of shipped policies hold wherever hookgate is installed.
 */
function fingerprint(path: string, folder: string, disk: Disk): string {
  const hash = disk.sha256(path, limits.policyFileBytesMax)
  return typeof hash === 'string'
    ? `${relative(folder, realPath(path))} ${hash}`
    : JSON.stringify([hash, disk.see(path)])
}

/** @returns `undefined` if there is no such file */
function textOfFile(path: string, disk: Disk): string | Unreadable | undefined {
  if (disk.see(path) === 'absent') return undefined
  const bytes = disk.read(path, limits.policyFileBytesMax)
  if (isUnreadable(bytes)) return bytes
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return { kind: 'unreadable', why: 'it is not UTF-8' }
  }
}
