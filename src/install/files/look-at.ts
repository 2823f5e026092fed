import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, basename } from 'node:path'
import { codeOf, errorText, HookgateError } from '../../model/errors.ts'
import { limits } from '../../model/limits.ts'
import { isBelow } from '../../words/machine-paths.ts'

/** A file as it is now. */
export interface Present {
  readonly bytes: Buffer
  /** The permission bits. */
  readonly mode: number
  readonly uid: number
  readonly gid: number
}

export interface Looked {
  /** Where the file really is: what a symbolic link leads to is changed, not the link. */
  readonly real: string
  /** `undefined` where there is no such file. */
  readonly present: Present | undefined
}

/**
 * Looks at a file that may be changed.
 *
 * @param within INVARIANT: no symbolic link in a repository can make hookgate write outside of this folder
 * @throws HookgateError `settingsMalformed` where it is no file that could be settings
 */
export function lookAt(file: string, within: string | undefined): Looked {
  const real = realOf(file)
  if (within !== undefined && !isBelow(real, realOf(within))) {
    const message = `a symbolic link leads outside the project, to \`${real}\``
    throw new HookgateError('settingsUnwritable', message, { place: { file }, remedy: 'remove the link' })
  }
  let descriptor: number
  try {
    // A pipe in its place would never be opened.
    descriptor = openSync(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return { real, present: undefined }
    throw unreadable(file, `it cannot be read (${reasonOf(cause)})`, cause)
  }
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile()) throw unreadable(file, stats.isDirectory() ? 'it is a folder' : 'it is not a regular file')
    if (stats.size > limits.settingsBytesMax) throw unreadable(file, `it is over ${limits.settingsBytesMax} bytes`)
    const bytes = readFileSync(descriptor)
    return { real, present: { bytes, mode: stats.mode & 0o7777, uid: stats.uid, gid: stats.gid } }
  } finally {
    closeSync(descriptor)
  }
}

/** The system's code of an error, or its message. */
export const reasonOf = (cause: unknown): string => codeOf(cause) ?? errorText(cause)

/** With every symbolic link resolved, that of a file which is not there yet included. */
function realOf(path: string): string {
  try {
    return realpathSync.native(path)
  } catch (cause) {
    if (codeOf(cause) === 'ENOTDIR') {
      const message = 'something above it is not a folder'
      throw new HookgateError('settingsUnwritable', message, { place: { file: path }, remedy: 'move that away' })
    }
    if (codeOf(cause) !== 'ENOENT') throw unreadable(path, `it cannot be found (${reasonOf(cause)})`, cause)
    if (isLink(path)) throw unreadable(path, 'it is a symbolic link that leads nowhere')
    const parent = dirname(path)
    return parent === path ? path : join(realOf(parent), basename(path))
  }
}

export function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink()
  } catch {
    // Reading it as a file comes next, and reports why.
    return false
  }
}

const unreadable = (file: string, message: string, cause?: unknown) =>
  new HookgateError('settingsMalformed', message, { place: { file }, remedy: 'fix it, or move it away', cause })
