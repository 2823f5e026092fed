import { accessSync, constants, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { codeOf } from '../model/errors.ts'

/** Returns the names of a folder's entries, sorted; none if it cannot be listed, for it may go at any time. */
export function entryNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted()
  } catch {
    return []
  }
}

/**
 * Creates a folder and its missing parents, or throws the system error. Node's own `recursive` option loops forever
 * where the system reports an existing folder as missing, as it does below `/proc`.
 *
 * @returns the topmost folder that was created; `undefined` if all of them existed
 */
export function makeFolders(folder: string, mode = 0o777): string | undefined {
  try {
    mkdirSync(folder, { mode })
    return folder
  } catch (cause) {
    if (isFolder(folder)) return undefined
    if (codeOf(cause) !== 'ENOENT' || dirname(folder) === folder) throw cause
  }
  const above = makeFolders(dirname(folder), mode)
  try {
    mkdirSync(folder, { mode })
  } catch (cause) {
    // Another process may have created it in the meantime.
    if (!isFolder(folder)) throw cause
  }
  return above ?? folder
}

/** Whatever the system says of a path below a file: there is no such folder. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** Checks for the user of this process: an execute bit for other users does not let it run a program. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
