import { basename, dirname, join } from 'node:path'
import type { Disk } from '../disk.ts'
import { findFile, type Finding, findScripts, nothing, type Origin, together, withoutRepeats } from './found.ts'
import { findGiven } from './given.ts'
import type { Places } from '../places.ts'
import { repositoryAbove } from './repository.ts'

/**
 * Every file that may hold rules for some workspace roots, those with the most authority first: managed, given, the
 * user's, then each root's. Within the user's and each root's: hookgate's own file, `.cline/hooks.json`, Cline's folder.
 */
export function discover(places: Places, workspaceRoots: readonly string[], disk: Disk): Finding {
  const { found, problems } = together([
    places.discover ? findManaged(places, disk) : nothing,
    ...places.given.map((path) => findGiven(path, places, disk)),
    ...(places.discover ? [findUsers(places, disk), ...findProjects(places, [...new Set(workspaceRoots)], disk)] : []),
  ])
  return { found: withoutRepeats(found), problems }
}

function findManaged({ managedFolder }: Places, disk: Disk): Finding {
  const origin: Origin = { scope: 'managed', prefix: 'managed:', base: managedFolder, workspaceRoot: undefined }
  return findFile(disk, origin, join(managedFolder, 'hooks.json'), 'hookgate')
}

function findUsers({ home, configFolder, platform }: Places, disk: Disk): Finding {
  const origin: Origin = { scope: 'user', prefix: 'user:', base: home, workspaceRoot: undefined }
  return together([
    findFile(disk, origin, join(configFolder, 'hooks.json'), 'hookgate', { shown: 'hooks.json' }),
    findFile(disk, origin, join(home, '.cline', 'hooks.json'), 'cline'),
    // Where Cline's settings put global hooks on every system.
    findScripts(disk, origin, join(home, 'Documents', 'Cline', 'Hooks'), platform),
  ])
}

function findProjects({ platform }: Places, workspaceRoots: readonly string[], disk: Disk): readonly Finding[] {
  const prefixes = prefixesFor(workspaceRoots)
  return workspaceRoots.map((root, index) =>
    together(
      [root, ...repositoryAbove(root, disk)].map((folder) => {
        const up = folder === root ? '' : `${upwards(root, folder)}/`
        const prefix = `${prefixes[index]}${up}`
        return findProject(disk, { scope: 'project', prefix, base: folder, workspaceRoot: folder }, platform)
      }),
    ),
  )
}

function findProject(disk: Disk, origin: Origin, platform: NodeJS.Platform): Finding {
  const { base } = origin
  return together([
    findFile(disk, origin, join(base, '.hookgate', 'hooks.json'), 'hookgate', { shown: 'hooks.json' }),
    findFile(disk, origin, join(base, '.cline', 'hooks.json'), 'cline'),
    findScripts(disk, origin, join(base, '.clinerules', 'hooks'), platform),
  ])
}

function upwards(root: string, folder: string): string {
  return root === folder ? '' : ['..', upwards(dirname(root), folder)].filter((step) => step !== '').join('/')
}

/** With several roots, ids begin with each root's name; the whole path where two have the same name. */
function prefixesFor(roots: readonly string[]): readonly string[] {
  if (roots.length === 1) return ['project:']
  const names = roots.map((root) => basename(root))
  return roots.map((root, index) => {
    const unique = names.indexOf(names[index] ?? '') === names.lastIndexOf(names[index] ?? '')
    return `project:${unique ? names[index] : root}/`
  })
}
