import { dirname, join } from 'node:path'
import { isShipped } from '../../files/policy-files.ts'
import { isReallyWithin, realPath } from '../../files/real-path.ts'
import type { Disk, Unreadable } from '../../model/disk.ts'
import { isBelow } from '../../words/machine-paths.ts'

/**
 * Returns the disk as the rules of a workspace may see it; the disk itself for rules that come from none, or from home.
 *
 * INVARIANT: neither the content nor the existence of a file outside the repository is seen, since error messages about
 * it would disclose the content of any file of the user's. The policies that hookgate ships are the exception.
 *
 * @param workspaceRoot the folder in which the rules were found
 */
export function workspaceDisk(workspaceRoot: string | undefined, home: string, disk: Disk): Disk {
  // What is in the home folder itself did not come with a repository.
  if (workspaceRoot === undefined || realPath(workspaceRoot) === realPath(home)) return disk
  const made = disks.get(disk) ?? new Map<string, Disk>()
  disks.set(disk, made)
  const key = `${workspaceRoot}\0${home}`
  const one = made.get(key) ?? confined(disk, repositoryOf(workspaceRoot, home, disk))
  made.set(key, one)
  return one
}

/** Other code remembers by the disk what it has looked at, so that there is one for each workspace. */
const disks = new WeakMap<Disk, Map<string, Disk>>()

/**
 * Returns the top of the innermost repository around a folder; the folder itself outside any repository.
 *
 * Unlike for finding rules, the innermost repository counts: a cloned repository inside another is somebody else's.
 */
function repositoryOf(root: string, home: string, disk: Disk): string {
  for (let folder = root; folder !== home && folder !== dirname(folder); folder = dirname(folder)) {
    if (disk.see(join(folder, '.git')) !== 'absent') return folder
  }
  return root
}

function confined(disk: Disk, top: string): Disk {
  const real = realPath(top)
  const outside = (path: string): Unreadable | undefined => {
    if (isReallyWithin(path, real) || isShipped(path)) return undefined
    const why = isBelow(path, top) ? 'a symbolic link leads outside the workspace' : 'it is outside the workspace'
    return { kind: 'unreadable', why, isOutside: true }
  }
  return {
    ...disk,
    see: (path) => outside(path) ?? disk.see(path),
    executable: (path) => outside(path) === undefined && disk.executable(path),
    names: (folder) => (outside(folder) === undefined ? disk.names(folder) : []),
    list: (folder) => outside(folder) ?? disk.list(folder),
    read: (path, bytesMax) => outside(path) ?? disk.read(path, bytesMax),
    sha256: (path, bytesMax) => outside(path) ?? disk.sha256(path, bytesMax),
  }
}
