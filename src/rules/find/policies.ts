import { basename, dirname, join } from 'node:path'
import { limits } from '../../model/limits.ts'
import { isBelow } from '../below.ts'
import { type Disk, isUnreadable, realPath } from '../disk.ts'
import { isModuleName, isPolicyName } from '../load/policy/policy-file.ts'
import type { Problem } from '../problem.ts'
import { type Finding, nothing, type Origin, problem, sourceOf } from './found.ts'

/** A folder of policies, if there is one: every `*.policy.ts` and its like in it, in the order of their names. */
export function findPolicies(
  disk: Disk,
  origin: Origin,
  folder: string,
  details: { readonly shown?: string } = {},
): Finding {
  const seen = disk.see(folder)
  if (seen === 'absent' || seen === 'file') return nothing
  if (isUnreadable(seen)) return unreadable(folder, seen.why)
  const search: Search = {
    disk,
    origin,
    folder: realPath(folder),
    files: [],
    problems: [],
    visited: new Set(),
    entries: 0,
  }
  searchFolder(folder, 0, search)
  const { files, problems } = search
  const source = sourceOf(origin, folder, details.shown)
  return { found: files.length === 0 ? [] : [{ kind: 'policies', source, folder, files }], problems }
}

/** One policy that was named. */
export function findPolicy(origin: Origin, file: string): Finding {
  const source = sourceOf(origin, file)
  return { found: [{ kind: 'policies', source, folder: dirname(file), files: [file] }], problems: [] }
}

/** Whether a folder holds policies itself, so that it is one of policies. */
export function holdsPolicies(disk: Disk, folder: string): boolean {
  return disk.names(folder).some(isPolicyName)
}

interface Search {
  readonly disk: Disk
  readonly origin: Origin
  /** Where the links of the whole folder lead. */
  readonly folder: string
  readonly files: string[]
  readonly problems: Problem[]
  /** Folders by their real paths: links may go round in a circle. */
  readonly visited: Set<string>
  entries: number
}

function searchFolder(folder: string, depth: number, search: Search): void {
  const { disk, problems, visited } = search
  if (visited.has(realPath(folder))) return
  visited.add(realPath(folder))
  const names = disk.list(folder)
  if (isUnreadable(names)) {
    problems.push(...unreadable(folder, names.why).problems)
    return
  }
  search.entries += names.length
  if (search.entries > limits.policyFolderEntriesMax || depth > limits.policyFolderDepthMax) {
    const most =
      depth > limits.policyFolderDepthMax
        ? `folders nest more than ${limits.policyFolderDepthMax} deep here`
        : `there are more than ${limits.policyFolderEntriesMax} files in this folder of policies`
    const one = problem(
      'error',
      folder,
      `${most}, so not all of it is searched`,
      'move policies into a folder of their own',
    )
    if (!problems.some(({ message }) => message === one.problems[0]?.message)) problems.push(...one.problems)
    return
  }
  for (const name of names) searchEntry(join(folder, name), depth, search)
}

function searchEntry(path: string, depth: number, search: Search): void {
  const { disk, origin, folder, files, problems } = search
  const seen = disk.see(path)
  if (seen === 'folder') {
    searchFolder(path, depth + 1, search)
    return
  }
  if (!isPolicyName(basename(path))) {
    if (seen === 'file') problems.push(...stranger(disk, path))
    return
  }
  if (isUnreadable(seen)) problems.push(...unreadable(path, seen.why).problems)
  // What is said of a file that is no policy would tell of any file of the user's.
  else if (origin.workspaceRoot !== undefined && !isBelow(realPath(path), folder)) {
    const message = 'the policy is a link that leads out of its folder'
    problems.push(...problem('error', path, message, 'put the file itself into the folder').problems)
  } else files.push(path)
}

/** A policy by what it does and not by its name: a guard that its author believes in. */
function stranger(disk: Disk, file: string): readonly Problem[] {
  if (!isModuleName(file)) return []
  const bytes = disk.read(file, limits.policyFileBytesMax)
  if (isUnreadable(bytes) || !/\bdefinePolicy\s*\(/.test(new TextDecoder().decode(bytes))) return []
  const stem = basename(file).replace(/(\.?policy)?\.(m?[jt]s)$/i, '.policy.$2')
  return problem(
    'warning',
    file,
    'this policy is not loaded: its name does not say that it is one',
    `call it \`${stem}\``,
  ).problems
}

const unreadable = (path: string, why: string): Finding =>
  problem('error', path, `the policies cannot be read: ${why}`, 'mend it, or remove it')
