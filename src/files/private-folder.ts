import {
  chmodSync,
  lstatSync,
  readdirSync,
  type Stats,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { HookgateError, codeOf } from '../model/errors.ts'
import { whyFailed } from './disk.ts'
import { shellWord } from '../model/text.ts'
import { makeFolders } from './entries.ts'
import { makeFile, replaceFile } from './replace-file.ts'
import { limits } from '../model/limits.ts'

/** Remedies to suggest for an unsafe folder. */
export interface FolderRemedies {
  readonly elsewhere: string
  /** Default: `elsewhere`. */
  readonly link?: string
  /** Default: `elsewhere`. */
  readonly noFolder?: string
  /**
   * Returns whether a file of this name is hookgate's own: `chmod 700` is suggested only for folders with nothing else.
   */
  readonly isOurs: (name: string) => boolean
}

/** The remedies for a folder that others may read; write access of others is removed without asking. */
type SharedRemedies = Omit<FolderRemedies, 'isOurs'>

/**
 * Creates a folder for its owner only, or checks that it is private. Other users with access could read secrets in it,
 * or replace its files.
 *
 * @throws HookgateError `unavailable`
 */
export function ensurePrivateFolder(folder: string, remedies: FolderRemedies): void {
  makeFolder(folder, remedies)
  checkPrivateFolder(folder, remedies)
}

/** Checks that a folder is accessible to its owner only. @throws HookgateError `unavailable` */
export function checkPrivateFolder(folder: string, remedies: FolderRemedies): void {
  const mode = modeOfOwn(folder, remedies)
  if (mode === undefined || (mode & reachableByOthers) === 0) return
  const remedy = isForUs(folder, mode, remedies) ? `run \`chmod 700 ${shellWord(folder)}\`` : remedies.elsewhere
  throw unfit(folder, 'users other than its owner can access it', remedy)
}

/**
 * Returns whether a folder can be closed to other users without harm.
 *
 * INVARIANT: users are never advised to `chmod` a folder that others need, such as `/` or `/tmp`, nor any top-level
 * folder of the system, even if it is empty.
 */
function isForUs(folder: string, mode: number, { isOurs }: FolderRemedies): boolean {
  const parent = dirname(folder)
  if ((mode & sticky) !== 0 || parent === dirname(parent)) return false
  try {
    return readdirSync(folder).every(isOurs)
  } catch {
    return false
  }
}

/**
 * Creates a folder for its owner only, or ensures that no other user can write to it; others may read it. A file
 * replaced by a link could redirect writes elsewhere.
 *
 * @throws HookgateError `unavailable`
 */
export function ensureUnsharedFolder(folder: string, remedies: SharedRemedies): void {
  makeFolder(folder, remedies)
  const mode = modeOfOwn(folder, remedies)
  if (mode === undefined || (mode & writableByOthers) === 0) return
  // The folder is shared on purpose, such as /tmp.
  if ((mode & sticky) !== 0) throw unfit(folder, 'it is a folder shared between users', remedies.elsewhere)
  chmodSync(folder, mode & 0o755)
}

function makeFolder(folder: string, { elsewhere }: SharedRemedies): void {
  try {
    makeFolders(folder, 0o700)
  } catch (cause) {
    // If something else is in its place, the check that follows gives a better message than the system error.
    if (statsOf(folder) === undefined)
      throw unfit(folder, `the folder cannot be created: ${whyFailed(cause)}`, elsewhere)
  }
}

/**
 * Returns the mode of a folder, after checking that this user owns it. `undefined` on Windows, where Node reports
 * neither owners nor modes; there, other users cannot access a user's profile.
 */
function modeOfOwn(folder: string, { elsewhere, link, noFolder }: SharedRemedies): number | undefined {
  const stats = statsOf(folder)
  if (stats === undefined) throw unfit(folder, 'the folder cannot be accessed', elsewhere)
  if (stats.isSymbolicLink()) throw unfit(folder, 'it is a symbolic link', link ?? elsewhere)
  if (!stats.isDirectory()) throw unfit(folder, 'it is not a folder', noFolder ?? elsewhere)
  const uid = process.getuid?.()
  if (uid === undefined) return undefined
  if (stats.uid === uid) return stats.mode
  throw unfit(folder, `it belongs to user id ${stats.uid}, and you are ${uid}`, elsewhere)
}

function statsOf(folder: string): Stats | undefined {
  try {
    return lstatSync(folder)
  } catch {
    return undefined
  }
}

const reachableByOthers = 0o077
const writableByOthers = 0o022
const sticky = 0o1000

const unfit = (folder: string, message: string, remedy: string) =>
  new HookgateError('unavailable', message, { place: { file: folder }, remedy })

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
    throw unfitFile(file, `it cannot be opened (${codeOf(cause) ?? String(cause)})`)
  }
  try {
    const stats = fstatSync(descriptor)
    const uid = process.getuid?.()
    if (!stats.isFile()) throw unfitFile(file, 'it is not a file')
    if (uid !== undefined && stats.uid !== uid) throw unfitFile(file, `it belongs to user id ${stats.uid}`)
    if (uid !== undefined && (stats.mode & 0o077) !== 0)
      throw unfitFile(file, 'users other than its owner can access it')
    if (stats.size > bytesMax) throw unfitFile(file, `it is over ${bytesMax} bytes`)
    const bytes = Buffer.alloc(stats.size)
    return bytes.toString('utf8', 0, readSync(descriptor, bytes))
  } finally {
    closeSync(descriptor)
  }
}

const unfitFile = (file: string, message: string) =>
  new HookgateError('unavailable', message, { place: { file }, remedy: 'remove it: it will be created again' })
