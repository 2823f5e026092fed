import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, open, readlink } from 'node:fs/promises'
import { lstatOf, realPathOf } from './file-system.ts'
import { isWithin } from './inside.ts'

/** What was read of a regular file. */
export interface FileBytes {
  readonly bytes: Buffer
  /** Whether that is all of it. */
  readonly whole: boolean
  /** Taken before the first byte was read. */
  readonly stat: BigIntStats
}

/** Named pipes are opened without waiting for a writer, terminals without becoming ours, and links not at all. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0) | (constants.O_NOFOLLOW ?? 0)

/**
 * The first bytes of a regular file that really lies in a folder; or in words why there are none. Both paths have no
 * symbolic links in them, as far as was seen.
 *
 * INVARIANT: only a regular file is opened, since opening is an act for anything else: it wakes a pipe's writer, it
 * rewinds a tape. Whatever is put in its place between the look and the opening is found out before it is read.
 */
export async function readRegularFile(real: string, folder: string, bytesMax: number): Promise<FileBytes | string> {
  const seen = await lstatOf(real)
  if (!seen.isFile()) return seen.isDirectory() ? 'is a folder' : 'is not a regular file'
  const file = await open(real, flags)
  try {
    const stat = await file.stat({ bigint: true })
    if (!stat.isFile() || stat.dev !== seen.dev || stat.ino !== seen.ino) return swapped
    if (!isWithin(folder, await pathOf(file, real))) return swapped
    const { bytes, whole } = await readUpTo(file, bytesMax, Number(stat.size))
    return { bytes, whole, stat }
  } finally {
    await file.close()
  }
}
const swapped = 'was replaced while it was being read'

/** Where an open file is: the kernel knows on Linux; elsewhere its path is asked once more. */
async function pathOf(file: FileHandle, path: string): Promise<string> {
  if (process.platform !== 'linux') return realPathOf(path)
  try {
    return await readlink(`/proc/self/fd/${file.fd}`)
  } catch {
    return realPathOf(path)
  }
}

/** The size is where to begin, not what to believe: `/proc` has files of size 0, and files grow. */
async function readUpTo(file: FileHandle, bytesMax: number, size: number): Promise<Pick<FileBytes, 'bytes' | 'whole'>> {
  const chunks: Buffer[] = []
  let total = 0
  // One byte more than it should have tells whether that is all.
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
