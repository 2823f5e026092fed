import { closeSync, constants, fchmodSync, fchownSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'

export interface Manner {
  /** Its permission bits, whatever the umask says. Default: for its owner only. */
  readonly mode?: number
  /** Whose it is to be. Default: whoever makes it. */
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined
  /** Whether it is on the disk before this returns. Default: true. */
  readonly flush?: boolean
}

/** Makes a file of all the pieces where there is none, or leaves none. */
export function writeNewFile(path: string, pieces: readonly Uint8Array[], manner: Manner = {}): void {
  const { mode, owner, flush = true } = manner
  // What is opened exclusively is no link, and nobody else reads it before its mode is set.
  const descriptor = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
  try {
    for (const piece of pieces) {
      // A disk that is full, and a limit on the size of files, take a part and say so only when they are given the rest.
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

/** Windows has neither of the two. */
const isMine = ({ uid, gid }: { readonly uid: number; readonly gid: number }) =>
  process.getuid === undefined || (uid === process.getuid() && gid === process.getgid?.())
