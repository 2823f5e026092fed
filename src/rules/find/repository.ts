import { dirname, join } from 'node:path'
import type { Disk } from '../../model/disk.ts'

/**
 * Returns the folders above a root up to the top of its repository; none for a root outside any repository.
 *
 * An agent that reports only its working directory follows `cd` with it, and must not escape a guard by entering a
 * folder.
 *
 * Of nested repositories the outermost counts, since anyone can create a folder called `.git`. The home folder and the
 * disk's root never count as repositories: they contain unrelated work.
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
