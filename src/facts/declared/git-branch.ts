import type { FactValue } from '../../model/policy.ts'
import { inRepository, lineOf } from './git-folder.ts'
import { missing } from './missing.ts'
import type { FileReader } from './remembered-files.ts'

/**
 * Reads the branch that is checked out in the repository around a root, as `git branch --show-current` prints it. Starts
 * no process, and reads nothing of a repository but the location of its `.git` and its `HEAD`.
 */
export const gitBranch = (root: string, home: string, files: FileReader): Promise<FactValue> =>
  inRepository(root, home, files, branchIn)

async function branchIn(gitFolder: string, files: FileReader): Promise<FactValue | undefined> {
  const head = await lineOf(gitFolder, 'HEAD', files)
  if (typeof head !== 'string') return head
  if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(head)) return missing('HEAD', 'is detached: no branch is checked out')
  const branch = /^ref:\s*refs\/heads\/(\S+)$/.exec(head)?.[1]
  // INVARIANT: of the file's content, only what git itself accepts as a branch name is disclosed.
  if (branch === undefined || isNoName.test(branch)) return missing('HEAD', 'does not name a branch')
  if (branch === '.invalid')
    return missing('HEAD', 'does not name a branch: the repository keeps its branches in a reftable')
  return { value: branch }
}
// oxlint-disable-next-line no-control-regex -- git refuses control characters in the names of branches
const isNoName = /[\u0000-\u0020\u007f-\u009f~^:?*[\\]|\.\./
