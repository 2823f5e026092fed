import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, open, readlink } from 'node:fs/promises'
import { lstatOf, realPathOf } from '../file-system.ts'
import { below } from '../paths/place.ts'

/** The bytes read from a regular file. */
interface FileBytes {
  readonly bytes: Buffer
  /** True if `bytes` is the whole file. */
  readonly whole: boolean
  /** The file's status before the first byte was read. */
  readonly stat: BigIntStats
}

/** Open flags: don't wait for a named pipe's writer, don't acquire a controlling terminal, don't follow links. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0) | (constants.O_NOFOLLOW ?? 0)

/**
 * Reads the first bytes of a regular file inside a folder, or returns a message saying why it cannot. The caller has
 * resolved symbolic links in both paths.
 *
 * INVARIANT: only a regular file is opened, since opening anything else has side effects: it wakes a pipe's writer, or
 * rewinds a tape. A file that is swapped between the check and the opening is detected before it is read.
 */
export async function readRegularFile(real: string, folder: string, bytesMax: number): Promise<FileBytes | string> {
  const seen = await lstatOf(real)
  if (!seen.isFile()) return seen.isDirectory() ? 'is a folder' : 'is not a regular file'
  const file = await open(real, flags)
  try {
    const stat = await file.stat({ bigint: true })
    if (!stat.isFile() || stat.dev !== seen.dev || stat.ino !== seen.ino) return swapped
    if (below(folder, await pathOf(file, real)) === undefined) return swapped
    const { bytes, whole } = await readUpTo(file, bytesMax, Number(stat.size))
    return { bytes, whole, stat }
  } finally {
    await file.close()
  }
}
const swapped = 'was replaced while it was being read'

/** Returns an open file's real path: from the kernel on Linux; elsewhere by resolving its path once more. */
async function pathOf(file: FileHandle, path: string): Promise<string> {
  if (process.platform !== 'linux') return realPathOf(path)
  try {
    return await readlink(`/proc/self/fd/${file.fd}`)
  } catch {
    return realPathOf(path)
  }
}

/** Reads up to `bytesMax` bytes. `size` is only a hint: files in `/proc` report size 0, and files grow. */
async function readUpTo(file: FileHandle, bytesMax: number, size: number): Promise<Pick<FileBytes, 'bytes' | 'whole'>> {
  const chunks: Buffer[] = []
  let total = 0
  // Reading one byte beyond the limit shows whether the file ends there.
  while (total <= bytesMax) {
    const length = Math.min(Math.max(size - total + 1, pageBytes), bytesMax - total + 1)
    // oxlint-disable-next-line no-await-in-loop -- a file is read from its beginning on
    const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, null)
    if (bytesRead === 0) return { bytes: Buffer.concat(chunks), whole: true }
    chunks.push(buffer.subarray(0, bytesRead))
    total += bytesRead
  }
  return { bytes: Buffer.concat(chunks).subarray(0, bytesMax), whole: false }
}
const pageBytes = 4096
