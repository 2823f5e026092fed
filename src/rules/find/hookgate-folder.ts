import { join } from 'node:path'
import { limits } from '../../model/limits.ts'
import { type Disk, isUnreadable } from '../../model/disk.ts'
import { nearestTo } from '../../words/suggest.ts'
import type { Problem } from '../../model/problem.ts'
import { findFile, type SearchResult, nothing, type SearchOrigin, problem, together } from './search.ts'
import { findPolicies } from './policies.ts'

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
