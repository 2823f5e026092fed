import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { codeOf } from './code-of.ts'

/**
 * Makes a folder and those above it, or throws what the system says. Node's own `recursive` never comes to an end where the
 * system says of a folder that is there that it is not, as it does below `/proc`.
 *
 * @returns the topmost folder that was made; `undefined` where all of them were there
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
    // Somebody else was faster.
    if (!isFolder(folder)) throw cause
  }
  return above ?? folder
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
