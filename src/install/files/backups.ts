import { readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { limits } from '../../model/limits.ts'
import type { GatePaths } from '../../server/places.ts'
import { ensureFolderOf } from '../../server/private-folder.ts'
import { writeOwn } from './replace-settings.ts'

/**
 * Keeps a copy of a file from before it is changed, for its owner only, and of older copies the newest few. They are not
 * put beside the file: in a project they would be committed.
 *
 * @returns where the copy is
 * @throws HookgateError `settingsUnwritable`
 */
export function backUp(places: GatePaths, real: string, bytes: Uint8Array, now = new Date()): string {
  const folder = ensureFolderOf(places, 'backups')
  // Times in this form sort by age; the process id separates two at the same time.
  const stamp = now.toISOString().replace(/[:.]/g, '-')
  const copy = join(folder, `${stamp}-${process.pid}-${basename(real)}`)
  writeOwn(copy, bytes)
  const copies = readdirSync(folder).toSorted()
  for (const old of copies.slice(0, Math.max(0, copies.length - limits.settingsBackupsMax))) {
    rmSync(join(folder, old), { force: true })
  }
  return copy
}
