import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { GatePaths } from '../../server/places.ts'
import { removeEmptyFolders } from './replace-settings.ts'

/** The folders that `enable` writes in hookgate's own. Its lock stays: others may wait for it. */
const own = ['backups', 'clients', 'enabled', 'hooks'] as const

/** Removes again what an `enable` that fails has put there since this call. Called with its lock held. */
export function traces({ folder }: GatePaths): { remove(): void } {
  const tops = own.map((name) => join(folder, name))
  const before = new Set([...tops.filter(isThere), ...tops.flatMap(below)])
  return {
    remove() {
      const made = [...tops.filter(isThere), ...tops.flatMap(below)].filter((path) => !before.has(path)).toSorted()
      for (const path of made) if (!isThere(path)) rmSync(path, { force: true })
      removeEmptyFolders(made)
    },
  }
}

/** Folders alone can be listed. */
function isThere(folder: string): boolean {
  try {
    readdirSync(folder)
    return true
  } catch {
    return false
  }
}

const below = (folder: string): readonly string[] =>
  isThere(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)) : []
