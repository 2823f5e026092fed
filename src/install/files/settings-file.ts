import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { makeFolders } from '../../files/entries.ts'
import { type NewFileOptions, replaceFile } from '../../files/replace-file.ts'
import { parseToml } from '../../files/settings-values.ts'
import { codeOf, errorText, HookgateError } from '../../model/errors.ts'
import { limits } from '../../model/limits.ts'
import { shellWord } from '../../model/text.ts'
import { isBelow } from '../../words/machine-paths.ts'
import { parseDocument } from '../json/edit.ts'

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

/** The format by which a file is parsed before it is written; `own`: a file that is wholly ours. */
export type SettingsFormat = 'json' | 'commentedJson' | 'toml' | 'own'

/**
 * Puts a new content in a file's place, with the owner of the old.
 *
 * INVARIANT: what is changed in a person's file is parsed before it is written, so that its agent still starts.
 *
 * @throws HookgateError `settingsUnwritable`, `internal`
 */
export function replaceSettings(
  real: string,
  bytes: Uint8Array,
  format: SettingsFormat,
  mode: number,
  before: Present | undefined,
): void {
  checkParses(real, bytes, format)
  restoreSettings(real, bytes, mode, before)
}

/** Puts a content back that was there before, whatever it is. @throws HookgateError `settingsUnwritable` */
export function restoreSettings(real: string, bytes: Uint8Array, mode: number, before: Present | undefined): void {
  checkMode(real, before)
  write(real, bytes, { mode, owner: before })
}

/** Checks that a new content is one that the file's reader can read. @throws HookgateError `internal` */
export function checkParses(file: string, bytes: Uint8Array, format: SettingsFormat): void {
  try {
    if (format === 'toml') parseToml(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    else if (format !== 'own') parseDocument(bytes, file, format === 'json' ? 'none' : 'allowed')
  } catch (cause) {
    const message = `the change would leave a file that cannot be read, so nothing was changed (${errorText(cause)})`
    const remedy = 'change it by hand, and report this: it is a mistake of hookgate'
    throw new HookgateError('internal', message, { place: { file }, remedy, cause })
  }
}

/** Writes one of hookgate's own files, for its owner only. @throws HookgateError `settingsUnwritable` */
export const writeOwn = (file: string, bytes: Uint8Array): void => write(file, bytes, {})

function write(file: string, bytes: Uint8Array, options: NewFileOptions): void {
  try {
    replaceFile(file, bytes, options)
  } catch (cause) {
    throw unwritable(file, `it cannot be written (${reasonOf(cause)})`, remedies[reasonOf(cause)], cause)
  }
}

/** Renaming over a file needs no right to write to it, but a person who made it read-only meant it. */
function checkMode(real: string, before: Present | undefined): void {
  if (before !== undefined && (before.mode & 0o200) === 0)
    throw unwritable(real, 'it is read-only', `run \`chmod u+w ${shellWord(real)}\``)
}

/** Checks that a file could be replaced, without doing it. @throws HookgateError `settingsUnwritable` */
export function checkReplaceable(real: string, before: Present | undefined): void {
  checkMode(real, before)
  checkFolder(dirname(real))
}

/** Checks that a folder, which may have to be made, could be written to. @throws HookgateError `settingsUnwritable` */
export function checkFolder(folder: string): void {
  let there = folder
  while (!existsSync(there) && dirname(there) !== there) there = dirname(there)
  try {
    accessSync(there, constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw unwritable(folder, `nothing can be written there (${reasonOf(cause)})`, remedies[reasonOf(cause)], cause)
  }
}

/** @returns the folders that had to be made, the topmost first */
export function makeFolder(folder: string, mode: number): string[] {
  try {
    const first = makeFolders(folder, mode)
    if (first === undefined) return []
    const made = []
    for (let one = folder; one.length >= first.length; one = dirname(one)) made.unshift(one)
    return made
  } catch (cause) {
    throw unwritable(folder, `the folder cannot be created (${reasonOf(cause)})`, remedies[reasonOf(cause)], cause)
  }
}

/** @throws HookgateError `settingsUnwritable` */
export function removeFile(real: string): void {
  try {
    rmSync(real, { force: true })
  } catch (cause) {
    throw unwritable(real, `it cannot be removed (${reasonOf(cause)})`, remedies[reasonOf(cause)], cause)
  }
}

/** Removes the folders that are empty, the innermost first. */
export function removeEmptyFolders(folders: readonly string[]): void {
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder)
    } catch {
      // It is not empty, or is removed already.
    }
  }
}

const remedies: Readonly<Record<string, string>> = {
  EACCES: 'check that you can write to its folder',
  EPERM: 'check that you own it and can write to its folder',
  EROFS: 'its file system is read-only: register hookgate where you can write, or use `--scope project`',
  ENOSPC: 'the disk is full: free some space and run it again; nothing was changed',
  EFBIG: 'the file size limit is too low (`ulimit -f`): raise it and run it again; nothing was changed',
  EDQUOT: 'your quota is used up: free some space and run it again; nothing was changed',
  ENOENT: 'its file system does not allow new folders: register hookgate where you can write',
  ENOTDIR: 'something above it is not a folder: move that away',
  EEXIST: 'something of the same name is not a folder: move that away',
}

export const unwritable = (file: string, message: string, remedy?: string, cause?: unknown) =>
  new HookgateError('settingsUnwritable', message, { place: { file }, ...(remedy !== undefined && { remedy }), cause })
