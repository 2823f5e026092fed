import { dirname, join, resolve } from 'node:path'
import type { FactValue } from '../../model/policy.ts'
import { textOf } from './file-content.ts'
import { orAbsent, realPathOf, statOf } from '../file-system.ts'
import { placeIn } from './inside.ts'
import { isMissing, missing } from './missing.ts'
import type { FileReader } from './remembered-files.ts'

/**
 * Reads the branch that is checked out in the repository around a root, as `git branch --show-current` prints it. Starts
 * no process, and reads nothing of a repository but the location of its `.git` and its `HEAD`.
 */
export async function gitBranch(root: string, home: string, files: FileReader): Promise<FactValue> {
  const own = await branchAt(root, files)
  if (own !== undefined) return own
  const realHome = await orAbsent(realPathOf(home))
  const above = await branchAbove(await realPathOf(root), realHome, files)
  return above ?? missing(root, 'is not in a git repository')
}

/** Searches the parent folders, up to the home folder: a repository above home would belong to no project in it. */
async function branchAbove(
  folder: string,
  home: string | undefined,
  files: FileReader,
): Promise<FactValue | undefined> {
  const parent = dirname(folder)
  if (folder === home || folder === parent) return undefined
  return (await branchAt(parent, files)) ?? branchAbove(parent, home, files)
}

/**
 * Reads the branch of the repository whose top is this folder; `undefined` if it is no repository's top. Like git, treats
 * a `.git` folder without a `HEAD` as no repository.
 */
async function branchAt(folder: string, files: FileReader): Promise<FactValue | undefined> {
  const branch = await branchIn(join(folder, '.git'), files)
  if (branch !== undefined) return branch
  const stat = await orAbsent(statOf(join(folder, '.git')))
  if (stat === undefined || stat.isDirectory()) return undefined
  const gitFolder = await pointedFolder(folder, files)
  if (typeof gitFolder !== 'string') return gitFolder
  return (await branchIn(gitFolder, files)) ?? missing('.git', 'does not lead to a repository')
}

/** Reads the `.git` file that worktrees and submodules have instead of a `.git` folder. */
async function pointedFolder(folder: string, files: FileReader): Promise<string | FactValue> {
  const pointing = await lineOf(folder, '.git', files)
  if (pointing === undefined || typeof pointing !== 'string') return pointing ?? missing('.git', 'does not exist')
  if (!pointing.startsWith('gitdir: ')) return missing('.git', 'is not a repository and does not lead to one')
  return resolve(folder, pointing.slice('gitdir: '.length))
}

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

/** Reads a one-line file, without its line end. */
async function lineOf(folder: string, name: string, files: FileReader): Promise<string | FactValue | undefined> {
  const place = placeIn(folder, name)
  if (isMissing(place)) return place
  const content = await files.read(place)
  if (content === undefined || isMissing(content)) return content
  return textOf(content.bytes, content.whole)?.trimEnd() ?? missing(name, 'is not UTF-8')
}
