import { readdirSync, renameSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { HookgateError } from '../model/errors.ts'
import { limits } from '../model/limits.ts'
import { uniqueName } from './unique-name.ts'

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
