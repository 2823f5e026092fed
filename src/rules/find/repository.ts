import { dirname, join } from 'node:path'
import type { Disk } from '../disk.ts'

/**
 * The folders above a root that is part of a repository, up to the repository's own; none for any other root. An agent
 * that names only its working directory follows `cd` with it, and must not get away from a guard by going into a folder.
 */
export function repositoryAbove(root: string, disk: Disk): readonly string[] {
  const above: string[] = []
  for (let folder = root; ; folder = dirname(folder)) {
    if (folder !== root) above.push(folder)
    if (disk.see(join(folder, '.git')) !== 'absent') return above
    if (folder === dirname(folder)) return []
  }
}
