import { closeSync, constants, openSync, rmSync, writeSync } from 'node:fs'

/**
 * Makes a file of all the pieces, for its owner only, or leaves none. It is not forced to the disk: a power cut may tear
 * the newest, which is found and set aside, and each event would otherwise wait for the disk.
 */
export function writeNewFile(path: string, pieces: readonly Uint8Array[]): void {
  const descriptor = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
  try {
    for (const piece of pieces) {
      // A disk that is full takes a part and says so only when it is given the rest.
      for (let at = 0; at < piece.length;) at += writeSync(descriptor, piece, at)
    }
  } catch (cause) {
    rmSync(path, { force: true })
    throw cause
  } finally {
    closeSync(descriptor)
  }
}
