import { basename, dirname, join, relative, sep } from 'node:path'
import type { Disk } from '../../model/disk.ts'
import { findExplicit } from './explicit.ts'
import { findOwn } from './hookgate-folder.ts'
import {
  type SearchResult,
  type SearchOrigin,
  documentFolders,
  findFile,
  findScripts,
  nothing,
  together,
  withoutRepeats,
} from './search.ts'
import type { RulesPlaces } from '../places.ts'
import { workspaceDisk } from './workspace-disk.ts'

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
