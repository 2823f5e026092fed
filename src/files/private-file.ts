import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { codeOf, HookgateError } from '../model/errors.ts'
import { makeFile, replaceFile } from './replace-file.ts'
import { limits } from '../model/limits.ts'

/** Writes a file for its owner only, atomically: a reader finds the old content or the new. */
export const writePrivate = (file: string, text: string) => replaceFile(file, Buffer.from(text))

/** Creates a file for its owner only, atomically. @returns false if the file exists, which is left unchanged */
export const makePrivate = (file: string, text: string) => makeFile(file, Buffer.from(text))

/**
 * Reads a file that only its owner can read or write; `undefined` if there is none.
 *
 * @throws HookgateError `unavailable` if it is not private, not a regular file, or too large
 */
export function readPrivate(file: string, bytesMax: number = limits.gateFileBytesMax): string | undefined {
  let descriptor: number
  try {
    // Non-blocking: opening a named pipe in the file's place would otherwise hang.
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined
    throw unfit(file, `it cannot be opened (${codeOf(cause) ?? String(cause)})`)
  }
  try {
    const stats = fstatSync(descriptor)
    const uid = process.getuid?.()
    if (!stats.isFile()) throw unfit(file, 'it is not a file')
    if (uid !== undefined && stats.uid !== uid) throw unfit(file, `it belongs to user id ${stats.uid}`)
    if (uid !== undefined && (stats.mode & 0o077) !== 0) throw unfit(file, 'users other than its owner can access it')
    if (stats.size > bytesMax) throw unfit(file, `it is over ${bytesMax} bytes`)
    const bytes = Buffer.alloc(stats.size)
    return bytes.toString('utf8', 0, readSync(descriptor, bytes))
  } finally {
    closeSync(descriptor)
  }
}

const unfit = (file: string, message: string) =>
  new HookgateError('unavailable', message, { place: { file }, remedy: 'remove it: it will be created again' })
