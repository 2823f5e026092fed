import { chmodSync, closeSync, existsSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolders } from '../../../files/entries.ts'
import { errorText, HookgateError } from '../../../model/errors.ts'

/** @throws HookgateError `usage` if any of the files exists */
export function refuseExisting(...files: readonly string[]): void {
  const file = files.find((path) => existsSync(path))
  if (file === undefined) return
  throw new HookgateError('usage', 'the file already exists', { place: { file }, remedy: 'choose another name' })
}

/**
 * Creates a file and its parent folders. Never overwrites.
 *
 * @throws HookgateError `usage` if it cannot be written
 */
export function writeNew(file: string, content: string, mode?: number): void {
  let at = dirname(file)
  try {
    makeFolders(at)
    at = file
    writeWhole(file, content)
    if (mode !== undefined) chmodSync(file, mode)
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : errorText(cause)
    const what = at === file ? 'it cannot be written' : 'the folder cannot be created'
    const remedy = remedies[code] ?? 'choose another folder with `--dir`'
    throw new HookgateError('usage', `${what} (${code})`, { place: { file: at }, remedy, cause })
  }
}

/**
 * Writes the file completely or removes it: a partial policy, or an empty file in its place, makes the gate refuse
 * every event.
 */
function writeWhole(file: string, content: string): void {
  const descriptor = openSync(file, 'wx')
  try {
    writeFileSync(descriptor, content)
  } catch (cause) {
    rmSync(file, { force: true })
    throw cause
  } finally {
    closeSync(descriptor)
  }
}

const remedies: Readonly<Record<string, string>> = {
  EACCES: 'check that you may write there, or choose another folder with `--dir`',
  EPERM: 'check that you may write there, or choose another folder with `--dir`',
  EROFS: 'the file system is read-only: choose another folder with `--dir`',
  ENOSPC: 'the disk is full: free some space and run it again',
  EFBIG: 'the file size limit is too low (`ulimit -f`): raise it and run it again',
  EDQUOT: 'your quota is used up: free some space and run it again',
  ENOTDIR: 'something above it is not a folder: move that away',
  EEXIST: 'something of the same name is in the way: move that away',
}
