import { dirname, join, sep } from 'node:path'
import { isJsonObject } from '../../model/json.ts'
import { firstSaid, jsonAt } from './read-json.ts'

/**
 * What keeps Gemini CLI, and what descends from it, from running hooks in a folder that nobody has trusted. It is only
 * asked for where the settings turn that on.
 *
 * @param folder its own, with the list of folders
 */
export function distrustOf(
  program: string,
  folder: string,
  settings: readonly string[],
  cwd: string,
): readonly string[] {
  if (firstSaid(settings, 'security', 'folderTrust', 'enabled')?.value !== true) return []
  const list = jsonAt(join(folder, 'trustedFolders.json'))
  const known = isJsonObject(list) ? Object.entries(list) : []
  const covering = known
    .map(([path, trust]) => ({ root: trust === 'TRUST_PARENT' ? dirname(path) : path, trust }))
    .filter(({ root }) => isBelow(cwd, root))
    .toSorted((a, b) => b.root.length - a.root.length)
  const [nearest] = covering
  if (nearest !== undefined && nearest.trust !== 'DO_NOT_TRUST') return []
  return [`it does not run hooks in an untrusted folder: start \`${program}\` in ${cwd} and trust it`]
}

export const isBelow = (path: string, root: string) => path === root || path.startsWith(join(root, sep))
