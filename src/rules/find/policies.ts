import { basename, dirname, join } from 'node:path'
import { limits } from '../../model/limits.ts'
import { realPath } from '../../files/real-path.ts'
import { type Disk, isUnreadable } from '../../model/disk.ts'
import { isPolicyName } from '../../files/policy-files.ts'
import type { Problem } from '../../model/errors.ts'
import { isBelow } from '../../words/machine-paths.ts'
import { findFile, nothing, problem, type SearchOrigin, type SearchResult, sourceOf, together } from './search.ts'
import { nearestTo } from '../../words/suggest.ts'

/** Finds every policy file (`*.policy.ts` and the like) in or below a folder, in the order of their names. */
export function findPolicies(
  disk: Disk,
  origin: SearchOrigin,
  folder: string,
  details: { readonly shown?: string } = {},
): SearchResult {
  const seen = disk.see(folder)
  if (seen === 'absent' || seen === 'file') return nothing
  if (isUnreadable(seen)) return unreadable(folder, seen.why)
  const search: PolicySearch = {
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

/** Returns a policy file that was explicitly named. */
export function findPolicy(origin: SearchOrigin, file: string): SearchResult {
  const source = sourceOf(origin, file)
  return { found: [{ kind: 'policies', source, folder: dirname(file), files: [file] }], problems: [] }
}

interface PolicySearch {
  readonly disk: Disk
  readonly origin: SearchOrigin
  /** The real path of the whole folder: links must not lead out of it. */
  readonly folder: string
  readonly files: string[]
  readonly problems: Problem[]
  /** Real paths of the folders searched so far: links may form a cycle. */
  readonly visited: Set<string>
  entries: number
}

function searchFolder(folder: string, depth: number, search: PolicySearch): void {
  const { disk, problems, visited } = search
  if (visited.has(realPath(folder))) return
  visited.add(realPath(folder))
  const names = disk.list(folder)
  if (isUnreadable(names)) {
    problems.push(...unreadable(folder, names.why).problems)
    return
  }
  search.entries += names.length
  const { searched } = disk
  if (search.origin.workspaceRoot !== undefined) searched.workspaceEntries += names.length
  const entries = search.origin.workspaceRoot === undefined ? search.entries : searched.workspaceEntries
  if (entries > policyFolderEntriesMax || depth > limits.policyFolderDepthMax) {
    const most =
      depth > limits.policyFolderDepthMax
        ? `folders are nested more than ${limits.policyFolderDepthMax} levels deep here`
        : `there are more than ${policyFolderEntriesMax} files in this folder of policies`
    const one = problem(
      'error',
      folder,
      `${most}, so it is not searched completely`,
      'move policies into a folder of their own',
    )
    if (!problems.some(({ message }) => message === one.problems[0]?.message)) problems.push(...one.problems)
    return
  }
  for (const name of names) searchEntry(join(folder, name), depth, search)
}
/** Entries of a `policies/` folder, which is listed completely. With more, it holds dependencies or other files. */
const policyFolderEntriesMax = 10_000

function searchEntry(path: string, depth: number, search: PolicySearch): void {
  const { disk, origin, folder, files, problems } = search
  const seen = disk.see(path)
  if (seen === 'folder') {
    if (isPolicyName(basename(path))) problems.push(...folderInPlace(path))
    searchFolder(path, depth + 1, search)
    return
  }
  if (!isPolicyName(basename(path))) {
    if (seen === 'file') problems.push(...misnamedPolicy(disk, path))
    if (isUnreadable(seen) && seen.isOutside === true) problems.push(...notSearched(path, seen.why))
    return
  }
  if (isUnreadable(seen)) problems.push(...unreadable(path, seen.why).problems)
  // Error messages about the linked file would disclose the content of any file of the user's.
  else if (origin.workspaceRoot !== undefined && !isBelow(realPath(path), folder)) {
    const message = 'the policy is a link that points outside its folder'
    problems.push(...problem('error', path, message, 'put the file itself into the folder').problems)
  } else files.push(path)
}

/** Warns of a file that is a policy by most of its name or by its content: its author believes to be protected. */
function misnamedPolicy(disk: Disk, file: string): readonly Problem[] {
  const name = basename(file)
  if (!codeName.test(name) || !(/.\.policy\.\w+$/i.test(name) || definesPolicy(disk, file))) return []
  const called = name.replace(
    /(?:\.?policy)?\.([cm]?)([jt])sx?$/i,
    (_, kind: string, language: string) => `.policy.${kind.toLowerCase() === 'm' ? 'm' : ''}${language.toLowerCase()}s`,
  )
  const message = 'this policy is not loaded: its name does not mark it as a policy'
  return problem('warning', file, message, `rename it to \`${called}\``).problems
}

/** JavaScript or TypeScript of any kind, including extensions that a policy cannot have. */
const codeName = /\.[cm]?[jt]sx?$/i

function definesPolicy(disk: Disk, file: string): boolean {
  const { searched } = disk
  if (searched.misnamedBytes > limits.misnamedBytesMax) return false
  const bytes = disk.read(file, limits.policyFileBytesMax)
  searched.misnamedBytes += isUnreadable(bytes) ? 0 : bytes.length
  return !isUnreadable(bytes) && /\bdefinePolicy\s*\(/.test(new TextDecoder().decode(bytes))
}

function folderInPlace(folder: string): readonly Problem[] {
  const message = 'this is a folder, not a policy file, despite its name: only the policies in it are loaded'
  return problem('warning', folder, message, 'put the file itself here, or rename the folder').problems
}

const notSearched = (path: string, why: string): readonly Problem[] =>
  problem('warning', path, `no policies are read from here: ${why}`, 'put the policies themselves here').problems

const unreadable = (path: string, why: string): SearchResult =>
  problem('error', path, `the policies cannot be read: ${why}`, 'fix or remove it')

/** Finds the contents of one of hookgate's own folders: `hooks.json`, and the policies beside it. */
export function findOwn(
  disk: Disk,
  origin: SearchOrigin,
  folder: string,
  { short }: { readonly short: boolean },
): SearchResult {
  const shown = (name: string) => (short ? { shown: name } : {})
  const seen = disk.see(folder)
  if (seen === 'absent') return nothing
  if (seen === 'file') {
    const remedy = 'replace it with a folder, and put the rules into a hooks.json in it'
    return problem('warning', folder, 'no rules are read from here: it is not a folder', remedy)
  }
  if (isUnreadable(seen)) return problem('error', folder, `the rules cannot be read: ${seen.why}`, 'fix or remove it')
  return together([
    findFile(disk, origin, join(folder, rulesName), 'hookgate', shown(rulesName)),
    findPolicies(disk, origin, join(folder, policiesName), shown(policiesName)),
    { found: [], problems: misnamedEntries(disk, folder) },
  ])
}

const rulesName = 'hooks.json'
const policiesName = 'policies'

/** Warns of files and folders whose names are nearly right: their authors believe to be protected. */
function misnamedEntries(disk: Disk, folder: string): readonly Problem[] {
  const names = disk.names(folder)
  return names.flatMap((name) => {
    const path = join(folder, name)
    if (name === rulesName) return []
    if (name === policiesName) return disk.see(path) === 'file' ? noFolder(path).problems : []
    const meant = meantBy(name)
    // On a case-insensitive file system the name with the other case was already found.
    const isFound = name.toLowerCase() === meant && !names.includes(meant) && disk.see(join(folder, meant)) !== 'absent'
    if (meant === undefined || isFound) return []
    const seen = disk.see(path)
    const isOne = meant === policiesName ? seen === 'folder' : seen === 'file' && holdsRules(disk, path)
    if (!isOne) return []
    return problem('warning', path, 'ignored: names are matched exactly', `rename it to \`${meant}\``).problems
  })
}

const noFolder = (path: string) =>
  problem('warning', path, 'ignored: it is not a folder', 'replace it with a folder, and put the policies into it')

type EntryName = typeof rulesName | typeof policiesName

function meantBy(name: string): EntryName | undefined {
  const [, stem = '', suffix] = /^(.*?)(\.(?:json[c5]?|ya?ml))?$/i.exec(name) ?? []
  if (suffix !== undefined) return nearestTo(stem, ['hooks', 'rules', 'hookgate']) === undefined ? undefined : rulesName
  return nearestTo(stem, [policiesName, 'policy']) === undefined ? undefined : policiesName
}

/** Tells a rules file by its keys, so that a malformed one is recognised too. */
function holdsRules(disk: Disk, file: string): boolean {
  const bytes = disk.read(file, limits.rulesFileBytesMax)
  return !isUnreadable(bytes) && /(?:^|["'{,\s])(?:hooks|packs)["']?\s*:/.test(new TextDecoder().decode(bytes))
}
