import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { checkPrivateFolder, ensurePrivateFolder as ensureFolder, type FolderRemedies } from '../private-folder.ts'
import { isOwnName, type ownNames } from './own-names.ts'
import type { GatePaths } from './places.ts'

const elsewhere = 'set HOOKGATE_HOME to a folder of your own'
const remedies: FolderRemedies = {
  elsewhere,
  link: `remove it, or ${elsewhere}`,
  noFolder: `move it away, or ${elsewhere}`,
  isOurs: isOwnName,
}

/**
 * Creates one of the gate's folders for its owner only, or checks that it is private. Anyone who could put a socket
 * there would be the gate, and would decide what an agent may do.
 *
 * @throws HookgateError `unavailable`
 */
export const ensurePrivateFolder = (folder: string) => ensureFolder(folder, remedies)

/**
 * Creates or checks a private folder inside the gate's folder, in which every file is hookgate's.
 *
 * @returns its path
 */
export function ensureFolderOf(places: Pick<GatePaths, 'folder'>, name: (typeof ownNames)[number]): string {
  ensurePrivateFolder(places.folder)
  const folder = join(places.folder, name)
  ensureFolder(folder, { ...remedies, isOurs: () => true })
  return folder
}

/** Creates or checks the folders of the gate and of its socket. @throws HookgateError `unavailable` */
export function ensurePlaces({ folder, socketFolder }: GatePaths): void {
  ensurePrivateFolder(folder)
  if (socketFolder !== undefined && socketFolder !== folder) ensurePrivateFolder(socketFolder)
}

/** Checks that the gate's folders, if they exist, are private. @throws HookgateError `unavailable` */
export function checkPlaces({ folder, socketFolder }: GatePaths): void {
  for (const one of [folder, socketFolder]) {
    if (one !== undefined && exists(one)) checkPrivateFolder(one, remedies)
  }
}

function exists(folder: string): boolean {
  try {
    lstatSync(folder)
    return true
  } catch {
    return false
  }
}
