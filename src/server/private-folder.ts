import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import {
  checkPrivateFolder,
  ensurePrivateFolder as ensureFolder,
  type FolderRemedies,
} from '../files/private-folder.ts'
import { isOwnName, type ownNames } from './own-names.ts'
import type { Places } from './places.ts'

const elsewhere = 'set HOOKGATE_HOME to a folder of your own'
const remedies: FolderRemedies = {
  elsewhere,
  link: `remove it, or ${elsewhere}`,
  noFolder: `move it away, or ${elsewhere}`,
  isOurs: isOwnName,
}

/**
 * Makes a folder of the gate's for its owner only, or sees that it is one. What is inside lets others decide what an agent
 * may do, so whoever could put a socket of his own there would be the gate.
 *
 * @throws HookgateError `unavailable`
 */
export const ensurePrivateFolder = (folder: string) => ensureFolder(folder, remedies)

/**
 * The same for a folder in that of the gate, where all is hookgate's.
 *
 * @returns where it is
 */
export function ensureFolderOf(places: Pick<Places, 'folder'>, name: (typeof ownNames)[number]): string {
  ensurePrivateFolder(places.folder)
  const folder = join(places.folder, name)
  ensureFolder(folder, { ...remedies, isOurs: () => true })
  return folder
}

/** The folders of the gate and of its socket. @throws HookgateError `unavailable` */
export function ensurePlaces({ folder, socketFolder }: Places): void {
  ensurePrivateFolder(folder)
  if (socketFolder !== undefined && socketFolder !== folder) ensurePrivateFolder(socketFolder)
}

/** Sees that the folders, where they exist, are fit to be trusted. @throws HookgateError `unavailable` */
export function checkPlaces({ folder, socketFolder }: Places): void {
  for (const one of [folder, socketFolder]) {
    if (one !== undefined && isThere(one)) checkPrivateFolder(one, remedies)
  }
}

function isThere(folder: string): boolean {
  try {
    lstatSync(folder)
    return true
  } catch {
    return false
  }
}
