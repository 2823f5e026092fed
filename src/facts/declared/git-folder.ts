import { dirname, join, resolve } from 'node:path'
import type { FactValue } from '../../model/policy.ts'
import { orAbsent, realPathOf, statOf } from '../file-system.ts'
import { textOf } from './file-content.ts'
import { placeIn } from './inside.ts'
import { isMissing, missing } from './missing.ts'
import type { FileReader } from './remembered-files.ts'

/** Reads a fact from a repository's git folder; `undefined` if the folder is none. */
type ReadGitFolder = (gitFolder: string, files: FileReader) => Promise<FactValue | undefined>

/** Finds the repository around a root, and reads a fact from its git folder. Starts no process. */
export async function inRepository(
  root: string,
  home: string,
  files: FileReader,
  read: ReadGitFolder,
): Promise<FactValue> {
  const own = await factAt(root, files, read)
  if (own !== undefined) return own
  const realHome = await orAbsent(realPathOf(home))
  const above = await factAbove(await realPathOf(root), realHome, files, read)
  return above ?? missing(root, 'is not in a git repository')
}

/** Searches the parent folders, up to the home folder: a repository above home would belong to no project in it. */
async function factAbove(
  folder: string,
  home: string | undefined,
  files: FileReader,
  read: ReadGitFolder,
): Promise<FactValue | undefined> {
  const parent = dirname(folder)
  if (folder === home || folder === parent) return undefined
  return (await factAt(parent, files, read)) ?? factAbove(parent, home, files, read)
}

/**
 * Reads the fact of the repository whose top is this folder; `undefined` if it is no repository's top. Like git, treats
 * a `.git` folder without a `HEAD` as no repository.
 */
async function factAt(folder: string, files: FileReader, read: ReadGitFolder): Promise<FactValue | undefined> {
  const fact = await read(join(folder, '.git'), files)
  if (fact !== undefined) return fact
  const stat = await orAbsent(statOf(join(folder, '.git')))
  if (stat === undefined || stat.isDirectory()) return undefined
  const gitFolder = await pointedFolder(folder, files)
  if (typeof gitFolder !== 'string') return gitFolder
  return (await read(gitFolder, files)) ?? missing('.git', 'does not lead to a repository')
}

/** Reads the `.git` file that worktrees and submodules have instead of a `.git` folder. */
async function pointedFolder(folder: string, files: FileReader): Promise<string | FactValue> {
  const pointing = await lineOf(folder, '.git', files)
  if (pointing === undefined || typeof pointing !== 'string') return pointing ?? missing('.git', 'does not exist')
  if (!pointing.startsWith('gitdir: ')) return missing('.git', 'is not a repository and does not lead to one')
  return resolve(folder, pointing.slice('gitdir: '.length))
}

/** Reads a one-line file, without its line end. */
export async function lineOf(folder: string, name: string, files: FileReader): Promise<string | FactValue | undefined> {
  const place = placeIn(folder, name)
  if (isMissing(place)) return place
  const content = await files.read(place)
  if (content === undefined || isMissing(content)) return content
  return textOf(content.bytes, content.whole)?.trimEnd() ?? missing(name, 'is not UTF-8')
}
