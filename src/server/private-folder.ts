import { lstatSync, mkdirSync, type Stats } from 'node:fs'
import { errorText, HookgateError } from '../model/errors.ts'
import type { Places } from './places.ts'

/**
 * Makes a folder for its owner only, or sees that it is one. What is inside lets others decide what an agent may do, so
 * whoever could put a socket of his own there would be the gate.
 *
 * @throws HookgateError `unavailable`
 */
export function ensurePrivateFolder(folder: string, uid = process.getuid?.()): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (cause) {
    // It may be there as something else, of which the check has more to say than the system.
    if (statsOf(folder) === undefined) throw unfit(folder, `the folder cannot be made: ${errorText(cause)}`, elsewhere)
  }
  checkPrivateFolder(folder, uid)
}

/** The folders of the gate and of its socket. @throws HookgateError `unavailable` */
export function ensurePlaces({ folder, socketFolder }: Places): void {
  ensurePrivateFolder(folder)
  if (socketFolder !== undefined && socketFolder !== folder) ensurePrivateFolder(socketFolder)
}

/** Sees that the folders, where they exist, are fit to be trusted. @throws HookgateError `unavailable` */
export function checkPlaces({ folder, socketFolder }: Places): void {
  for (const one of [folder, socketFolder]) {
    if (one !== undefined && statsOf(one) !== undefined) checkPrivateFolder(one)
  }
}

/** @throws HookgateError `unavailable` */
function checkPrivateFolder(folder: string, uid = process.getuid?.()): void {
  const stats = statsOf(folder)
  if (stats === undefined) throw unfit(folder, 'the folder cannot be looked at', elsewhere)
  if (stats.isSymbolicLink()) throw unfit(folder, 'it is a symbolic link', `remove it, or ${elsewhere}`)
  if (!stats.isDirectory()) throw unfit(folder, 'it is no folder', `move it away, or ${elsewhere}`)
  // Windows has neither owners nor modes that Node could tell of; a user's profile is closed to others there.
  if (uid === undefined) return
  if (stats.uid !== uid) {
    throw unfit(folder, `it belongs to the user with the id ${stats.uid}, and this is ${uid}`, elsewhere)
  }
  if ((stats.mode & 0o077) !== 0) {
    throw unfit(folder, 'others than its owner can get at it', `run \`chmod 700 ${folder}\``)
  }
}

const elsewhere = 'set HOOKGATE_HOME to a folder of your own'

function statsOf(folder: string): Stats | undefined {
  try {
    return lstatSync(folder)
  } catch {
    return undefined
  }
}

const unfit = (folder: string, message: string, remedy: string) =>
  new HookgateError('unavailable', message, { place: { file: folder }, remedy })
