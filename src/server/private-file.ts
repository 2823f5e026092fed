import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { codeOf } from '../files/code-of.ts'
import { makeFile, replaceFile } from '../files/replace-file.ts'
import { HookgateError } from '../model/errors.ts'
import { limits } from '../model/limits.ts'

/** Writes a file for its owner only. A reader finds the old content or the new, never half of one. */
export const writePrivate = (file: string, text: string) => replaceFile(file, Buffer.from(text))

/** The same where there is none yet. @returns false where there is one, which is left as it is */
export const makePrivate = (file: string, text: string) => makeFile(file, Buffer.from(text))

/**
 * The text of a file that only its owner can read or write; `undefined` where there is none.
 *
 * @throws HookgateError `unavailable` where it is no such file
 */
export function readPrivate(file: string): string | undefined {
  let descriptor: number
  try {
    // A pipe in its place would never be opened.
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
    if (stats.size > limits.gateFileBytesMax) throw unfit(file, `it is over ${limits.gateFileBytesMax} bytes`)
    const bytes = Buffer.alloc(stats.size)
    return bytes.toString('utf8', 0, readSync(descriptor, bytes))
  } finally {
    closeSync(descriptor)
  }
}

const unfit = (file: string, message: string) =>
  new HookgateError('unavailable', message, { place: { file }, remedy: 'remove it: it will be created again' })
