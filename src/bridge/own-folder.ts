import { chmodSync, lstatSync, mkdirSync } from 'node:fs'
import { errorText, HookgateError } from '../model/errors.ts'

/**
 * Makes a folder for its owner only, or sees that nobody else can put anything into it: what is put in the place of a file
 * there could lead what is written somewhere else.
 *
 * @throws HookgateError `unavailable`
 */
export function ownFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (cause) {
    // It may be there as something else, of which what follows has more to say than the system.
    if (!isThere(folder)) {
      throw unfit(folder, `the folder cannot be made: ${errorText(cause)}`)
    }
  }
  const stats = lstatSync(folder)
  if (stats.isSymbolicLink()) throw unfit(folder, 'it is a symbolic link')
  if (!stats.isDirectory()) throw unfit(folder, 'it is no folder')
  const uid = process.getuid?.()
  if (uid === undefined) return
  if (stats.uid !== uid) throw unfit(folder, `it belongs to the user with the id ${stats.uid}, and this is ${uid}`)
  if ((stats.mode & writableByOthers) === 0) return
  // Everybody's folder by intention, such as /tmp, which root owns.
  if ((stats.mode & sticky) !== 0) throw unfit(folder, 'it is a folder that users share')
  chmodSync(folder, stats.mode & 0o755)
}

function isThere(path: string): boolean {
  try {
    lstatSync(path)
    return true
  } catch {
    return false
  }
}

const writableByOthers = 0o022
const sticky = 0o1000

const unfit = (folder: string, message: string) =>
  new HookgateError('unavailable', message, { place: { file: folder }, remedy: 'name another one with `--dir`' })
