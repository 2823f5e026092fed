import { randomUUID } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { codeOf } from '../model/errors.ts'

/**
 * Replaces a file's content atomically, or leaves the file unchanged and throws the system error. Readers find the old
 * content or the new, even after a power failure. A link is itself replaced, not its target.
 */
export function replaceFile(file: string, bytes: Uint8Array, options: NewFileOptions = {}): void {
  const draft = draftOf(file, bytes, options)
  try {
    renameSync(draft, file)
  } catch (cause) {
    rmSync(draft, { force: true })
    throw cause
  }
}

/** Creates a file atomically. @returns false if the file exists, which is left unchanged */
export function makeFile(file: string, bytes: Uint8Array, options: NewFileOptions = {}): boolean {
  const draft = draftOf(file, bytes, options)
  try {
    linkSync(draft, file)
    return true
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST') return false
    throw cause
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Writes a draft in the file's own folder, since a rename is atomic only within one file system. */
function draftOf(file: string, bytes: Uint8Array, options: NewFileOptions): string {
  const draft = join(dirname(file), `.${basename(file)}.${randomUUID()}`)
  writeNewFile(draft, [bytes], options)
  return draft
}

export interface NewFileOptions {
  /** The permission bits, regardless of the umask. Default: 0o600. */
  readonly mode?: number
  /** The file's owner. Default: the user who creates it. */
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined
  /** Whether to fsync the file before returning. Default: true. */
  readonly flush?: boolean
}

/** Creates a file from the pieces, and removes it again on an error. Throws if the path exists. */
export function writeNewFile(path: string, pieces: readonly Uint8Array[], options: NewFileOptions = {}): void {
  const { mode, owner, flush = true } = options
  // `O_EXCL` does not follow links. The file is private until its mode is set.
  const descriptor = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
  try {
    for (const piece of pieces) {
      // On a full disk or at a file size limit, a write may be partial; only writing the rest fails.
      for (let at = 0; at < piece.length;) at += writeSync(descriptor, piece, at)
    }
    if (owner !== undefined && !isMine(owner)) fchownSync(descriptor, owner.uid, owner.gid)
    if (mode !== undefined) fchmodSync(descriptor, mode)
    if (flush) fsyncSync(descriptor)
  } catch (cause) {
    rmSync(path, { force: true })
    throw cause
  } finally {
    closeSync(descriptor)
  }
}

/** Always true on Windows, which has neither uid nor gid. */
const isMine = ({ uid, gid }: { readonly uid: number; readonly gid: number }) =>
  process.getuid === undefined || (uid === process.getuid() && gid === process.getgid?.())
