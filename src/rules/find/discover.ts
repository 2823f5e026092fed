import { basename, dirname, join, normalize, relative, resolve, sep } from 'node:path'
import { type Disk, isUnreadable } from '../../model/disk.ts'
import { findOwn, findPolicies, findPolicy } from './policies.ts'
import {
  documentFolders,
  findFile,
  findScript,
  findScripts,
  nothing,
  problem,
  type SearchOrigin,
  type SearchResult,
  together,
  withoutRepeats,
  workspaceDisk,
} from './search.ts'
import type { Format, RulesPlaces } from '../places.ts'
import { eventSpellings } from '../../agents/registry.ts'
import { isError } from '../../model/errors.ts'
import { isModuleName, isPolicyName } from '../../files/policy-files.ts'

/**
 * Finds every file that may hold rules for the given workspace roots.
 *
 * They come in descending authority: managed, the signed `bundle`, explicit (`explicit`), the user's, then each root's. Within the user's and
 * each root's: hookgate's own file, the `policies/` beside it, `.cline/hooks.json`, then Cline's script folders: the
 * extension's first, then `.cline/hooks`, which Cline's SDK reads.
 */
export function discover(
  places: RulesPlaces,
  workspaceRoots: readonly string[],
  disk: Disk,
  bundle: SearchResult = nothing,
): SearchResult {
  const { found, problems } = together([
    places.discover ? findManaged(places, disk) : nothing,
    bundle,
    ...places.explicit.map((path) => findExplicit(path, places, disk)),
    ...(places.discover ? [findUsers(places, disk), ...findProjects(places, [...new Set(workspaceRoots)], disk)] : []),
  ])
  return { found: withoutRepeats(found), problems }
}

function findManaged({ managedFolder }: RulesPlaces, disk: Disk): SearchResult {
  const origin: SearchOrigin = { scope: 'managed', prefix: 'managed:', base: managedFolder, workspaceRoot: undefined }
  return findOwn(disk, origin, managedFolder, { short: true })
}

function findUsers(places: RulesPlaces, disk: Disk): SearchResult {
  const { home, configFolder, platform } = places
  const origin: SearchOrigin = { scope: 'user', prefix: 'user:', base: home, workspaceRoot: undefined }
  return together([
    findOwn(disk, origin, configFolder, { short: true }),
    findFile(disk, origin, join(home, '.cline', 'hooks.json'), 'cline'),
    ...documentFolders(places, disk).map((folder) =>
      findScripts(disk, origin, join(folder, 'Cline', 'Hooks'), platform),
    ),
    findScripts(disk, origin, join(home, '.cline', 'hooks'), platform),
  ])
}

function findProjects(
  { home, platform }: RulesPlaces,
  workspaceRoots: readonly string[],
  disk: Disk,
): readonly SearchResult[] {
  const reaches = workspaceRoots.map((root) => [root, ...repositoryAbove(root, home, disk)])
  const tops = reaches.map((folders) => folders.at(-1) ?? '')
  const prefixes = prefixesFor([...new Set(tops)])
  return reaches.map((folders, index) => {
    const top = tops[index] ?? ''
    return together(
      folders.map((folder) => {
        const steps = relative(top, folder).split(sep).join('/')
        const prefix = `${prefixes.get(top) ?? ''}${steps === '' ? '' : `${steps}/`}`
        const origin: SearchOrigin = { scope: 'project', prefix, base: folder, workspaceRoot: folder }
        return findProject(workspaceDisk(folder, home, disk), origin, platform)
      }),
    )
  })
}

function findProject(disk: Disk, origin: SearchOrigin, platform: NodeJS.Platform): SearchResult {
  const { base } = origin
  return together([
    findOwn(disk, origin, join(base, '.hookgate'), { short: true }),
    findFile(disk, origin, join(base, '.cline', 'hooks.json'), 'cline'),
    findScripts(disk, origin, join(base, '.clinerules', 'hooks'), platform),
    findScripts(disk, origin, join(base, '.cline', 'hooks'), platform),
  ])
}

/**
 * Maps the top folder of each repository to the prefix of its rule ids.
 *
 * Ids do not depend on the folder of the repository from which an agent calls. With several repositories the prefix
 * holds the folder's name, or its whole path where two folders have the same name.
 */
function prefixesFor(tops: readonly string[]): ReadonlyMap<string, string> {
  if (tops.length === 1) return new Map(tops.map((top) => [top, 'project:']))
  const names = tops.map((top) => basename(top))
  return new Map(
    tops.map((top) => {
      const unique = names.indexOf(basename(top)) === names.lastIndexOf(basename(top))
      return [top, `project:${unique ? basename(top) : top}/`]
    }),
  )
}

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

/**
 * Finds the rules at an explicitly named path.
 *
 * The path may be a rules file, a policy or a folder of them, a Cline hooks folder or one hook of it, a plugin's root,
 * or a folder that holds any of these. INVARIANT: a named path that holds no rules is an error, never an empty rule
 * set.
 */
function findExplicit(path: string, { cwd, platform }: RulesPlaces, disk: Disk): SearchResult {
  const whole = resolve(cwd, path)
  const origin: SearchOrigin = {
    scope: 'explicit',
    prefix: `explicit:${prefixOf(path)}`,
    base: whole,
    workspaceRoot: undefined,
  }
  const seen = disk.see(whole)
  if (seen === 'absent')
    return problem('error', whole, 'the rules file does not exist', 'name an existing file or folder')
  if (isUnreadable(seen))
    return problem('error', whole, `the rules cannot be read: ${seen.why}`, 'fix it, or name another')
  if (seen === 'file') {
    const prefix = `explicit:${prefixOf(dirname(normalize(path)))}`
    return explicitFile(disk, { ...origin, base: dirname(whole), prefix }, whole, platform)
  }
  // Without search permission, each file that could be in the folder would report the same error.
  if (!disk.executable(whole)) {
    return problem('error', whole, 'the rules cannot be read: permission is denied', 'fix it, or name another')
  }
  const named = explicitFolder(disk, origin, whole, platform)
  if (named.found.length > 0 || named.problems.some(isError)) return named
  // Policies may lie in subfolders only, as in hookgate's own `policies/`.
  const finding = findPolicies(disk, origin, whole)
  if (finding.found.length > 0 || finding.problems.some(isError)) return finding
  const remedy = 'name a hooks.json, a Cline hooks folder, the root of a plugin, a policy, or a folder that holds one'
  return together([finding, problem('error', whole, 'this folder has no rules', remedy)])
}

function explicitFile(disk: Disk, origin: SearchOrigin, file: string, platform: NodeJS.Platform): SearchResult {
  const folder = dirname(file)
  const event = basename(file, platform === 'win32' ? '.ps1' : '')
  if (eventSpellings('cline').includes(event)) return findScript(disk, origin, folder, event, platform)
  if (basename(folder) === 'hooks' && basename(file) === 'hooks.json') {
    return findFile(disk, origin, file, 'plugin', { pluginRoot: dirname(folder) })
  }
  if (isModuleName(file)) return findPolicy(origin, file)
  return findFile(disk, origin, file, formatOf(file))
}

/**
 * Determines a file's format by its name and its folder.
 *
 * Unknown keys are mistakes only in hookgate's own format. A copy of an agent's settings may have any name but
 * `hooks.json`.
 */
function formatOf(file: string): Format {
  const folder = basename(dirname(file))
  if (folder === '.cline') return 'cline'
  if (folder === '.claude') return 'settings'
  return basename(file) === 'hooks.json' ? 'hookgate' : 'copy'
}

function explicitFolder(disk: Disk, origin: SearchOrigin, folder: string, platform: NodeJS.Platform): SearchResult {
  const names = disk.list(folder)
  if (isUnreadable(names))
    return problem('error', folder, `the rules cannot be read: ${names.why}`, 'fix it, or name another')
  const own = join(folder, 'hooks.json')
  const scripts = findScripts(disk, origin, folder, platform)
  return together([
    findFile(disk, origin, join(folder, 'hooks', 'hooks.json'), 'plugin', { pluginRoot: folder }),
    findFile(disk, origin, own, formatOf(own)),
    policiesBeside(disk, origin, folder, names),
    // Misspelt names are reported only in a folder that holds Cline hooks.
    scripts.found.length > 0 ? scripts : { found: [], problems: scripts.problems.filter(isError) },
    findOwn(disk, origin, join(folder, '.hookgate'), { short: false }),
    findFile(disk, origin, join(folder, '.cline', 'hooks.json'), 'cline'),
    findScripts(disk, origin, join(folder, '.clinerules', 'hooks'), platform),
    findScripts(disk, origin, join(folder, '.cline', 'hooks'), platform),
    ['.clinerules', '.cline'].includes(basename(folder))
      ? findScripts(disk, origin, join(folder, 'hooks'), platform)
      : nothing,
  ])
}

/** Finds policies in the folder itself if it holds any or is called `policies`, else in its `policies/`. */
function policiesBeside(disk: Disk, origin: SearchOrigin, folder: string, names: readonly string[]): SearchResult {
  const whole = basename(folder) === 'policies' || names.some(isPolicyName)
  return findPolicies(disk, origin, whole ? folder : join(folder, 'policies'))
}

/** Returns the path as it was written, so that users recognise it: `./rules` gives `explicit:rules/hooks.json`. */
function prefixOf(path: string): string {
  const written = normalize(path).split(sep).join('/').replace(/\/$/, '')
  return written === '.' ? '' : `${written}/`
}
