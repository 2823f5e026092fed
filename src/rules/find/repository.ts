import { dirname, join } from 'node:path'
import type { Disk } from '../../model/disk.ts'

/**
 * The folders above a root that is part of a repository, up to the repository's own; none for any other root. An agent
 * that names only its working directory follows `cd` with it, and must not get away from a guard by going into a folder.
 *
 * Of several repositories within each other it is the outermost: a folder called `.git` is made in no time. Neither the
 * home folder nor the disk's root is taken for one, since what is around all of somebody's work belongs to none of it.
 */
export function repositoryAbove(root: string, home: string, disk: Disk): readonly string[] {
  const above: string[] = []
  let reach = 0
  for (let folder = root; folder !== home && folder !== dirname(folder); folder = dirname(folder)) {
    if (folder !== root) above.push(folder)
    if (disk.see(join(folder, '.git')) !== 'absent') reach = above.length
  }
  return above.slice(0, reach)
}
