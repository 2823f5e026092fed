import { readdirSync, renameSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { HookgateError } from '../../model/errors.ts'
import { limits } from '../../model/limits.ts'
import { ensureUnsharedFolder } from '../../files/private-folder.ts'

/**
 * Renames whatever is at a path, to make room for the bridge's own file. A link itself is renamed, not its target.
 *
 * @returns the new path
 * @throws HookgateError `unavailable` if this has happened so often that another program must keep replacing the file
 */
export function setAside(path: string, folder = dirname(path)): string {
  const mark = `${basename(path)}.set-aside-`
  if (readdirSync(folder).filter((name) => name.startsWith(mark)).length >= limits.bridgeSetAsideMax) {
    throw new HookgateError(
      'unavailable',
      `a file that is not an event file was there ${limits.bridgeSetAsideMax} times`,
      {
        place: { file: path },
        remedy: `review the files named \`${mark}…\`, then remove them`,
      },
    )
  }
  const aside = join(folder, `${mark}${uniqueName()}`)
  renameSync(path, aside)
  return aside
}

/**
 * Returns a name that is unique on this machine and sorts by time. `Math.random` suffices, because no other user can
 * write to the folders where the names are used; and `node:crypto` takes milliseconds to load.
 */
export function uniqueName(): string {
  const us = Math.floor((performance.timeOrigin + performance.now()) * 1000)
  return `${String(us).padStart(17, '0')}-${chance()}${chance()}`
}
export const uniqueNamePattern = /^\d{17}-[\da-z]{20}$/

function chance(): string {
  const number = Math.floor(Math.random() * 2 ** 48)
  return number.toString(36).padStart(10, '0')
}

/**
 * Creates the folder of event files, or ensures that no other user can write to it.
 *
 * @throws HookgateError `unavailable`
 */
export const ownFolder = (folder: string) =>
  ensureUnsharedFolder(folder, { elsewhere: 'name another one with `--dir`' })
