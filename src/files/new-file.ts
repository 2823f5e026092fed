import { closeSync, constants, fchmodSync, fchownSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'

export interface Manner {
  /** The permission bits, regardless of the umask. Default: 0o600. */
  readonly mode?: number
  /** The file's owner. Default: the user who creates it. */
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined
  /** Whether to fsync the file before returning. Default: true. */
  readonly flush?: boolean
}

/** Creates a file from the pieces, and removes it again on an error. Throws if the path exists. */
export function writeNewFile(path: string, pieces: readonly Uint8Array[], manner: Manner = {}): void {
  const { mode, owner, flush = true } = manner
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
