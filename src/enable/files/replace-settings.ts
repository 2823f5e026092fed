import { mkdirSync, rmdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { replaceFile } from '../../files/replace-file.ts'
import { HookgateError } from '../../model/errors.ts'
import { type Present, reasonOf } from './look-at.ts'

/**
 * Puts a new content in a file's place, with the owner of the old.
 *
 * @throws HookgateError `settingsUnwritable`
 */
export function replaceSettings(real: string, bytes: Uint8Array, mode: number, before: Present | undefined): void {
  // To rename over a file asks nothing of the file itself; somebody who has taken the right to write meant it.
  if (before !== undefined && (before.mode & 0o200) === 0)
    throw unwritable(real, 'it is read-only', `run \`chmod u+w ${real}\``)
  try {
    replaceFile(real, bytes, { mode, owner: before })
  } catch (cause) {
    throw unwritable(real, `it cannot be written (${reasonOf(cause)})`, remedies[reasonOf(cause)], cause)
  }
}

/** @returns the folders that had to be made, the topmost first */
export function makeFolder(folder: string, mode: number): string[] {
  try {
    const first = mkdirSync(folder, { recursive: true, mode })
    if (first === undefined) return []
    const made = []
    for (let one = folder; one.length >= first.length; one = dirname(one)) made.unshift(one)
    return made
  } catch (cause) {
    throw unwritable(folder, `the folder cannot be made (${reasonOf(cause)})`, remedies[reasonOf(cause)], cause)
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

/** Those of the folders that nobody has put anything into, the innermost first. */
export function removeEmptyFolders(folders: readonly string[]): void {
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder)
    } catch {
      // Somebody has put something into it, or has removed it already.
    }
  }
}

const remedies: Readonly<Record<string, string>> = {
  EACCES: 'see that you may write to its folder',
  EPERM: 'see that it is yours, and that you may write to its folder',
  EROFS: 'its file system is read-only: register hookgate where you can write, or `--scope project`',
  ENOSPC: 'the disk is full: make room and run it again; nothing has been changed',
  EDQUOT: 'your quota is used up: make room and run it again; nothing has been changed',
  ENOTDIR: 'something above it is no folder: move that away',
  EEXIST: 'something of its name is no folder: move that away',
}

export const unwritable = (file: string, message: string, remedy?: string, cause?: unknown) =>
  new HookgateError('settingsUnwritable', message, { place: { file }, ...(remedy !== undefined && { remedy }), cause })
