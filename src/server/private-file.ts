import { randomUUID } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { HookgateError } from '../model/errors.ts'
import { limits } from '../model/limits.ts'

/** Writes a file for its owner only. A reader finds the old content or the new, never half of one. */
export function writePrivate(file: string, text: string): void {
  const draft = draftOf(file, text)
  try {
    renameSync(draft, file)
  } catch (cause) {
    rmSync(draft, { force: true })
    throw cause
  }
}

/** The same where there is none yet. @returns false where there is one, which is left as it is */
export function makePrivate(file: string, text: string): boolean {
  const draft = draftOf(file, text)
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

function draftOf(file: string, text: string): string {
  const draft = `${file}.${randomUUID()}`
  try {
    const descriptor = openSync(draft, 'wx', 0o600)
    try {
      const bytes = Buffer.from(text)
      // A disk that is about to be full takes a part, and says nothing until the next write.
      for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    return draft
  } catch (cause) {
    rmSync(draft, { force: true })
    throw cause
  }
}

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
    if (!stats.isFile()) throw unfit(file, 'it is no file')
    if (uid !== undefined && stats.uid !== uid) throw unfit(file, `it belongs to the user with the id ${stats.uid}`)
    if (uid !== undefined && (stats.mode & 0o077) !== 0) throw unfit(file, 'others than its owner can get at it')
    if (stats.size > limits.gateFileBytesMax) throw unfit(file, `it is over ${limits.gateFileBytesMax} bytes`)
    const bytes = Buffer.alloc(stats.size)
    return bytes.toString('utf8', 0, readSync(descriptor, bytes))
  } finally {
    closeSync(descriptor)
  }
}

export const codeOf = (cause: unknown): string | undefined =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined

const unfit = (file: string, message: string) =>
  new HookgateError('unavailable', message, { place: { file }, remedy: 'remove it, and it is made anew' })
