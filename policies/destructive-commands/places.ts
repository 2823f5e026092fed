import { isInside, isWithin, setOf, tableOf, type TouchedPath } from 'hookgate/policy'
import { isEverything, pathMatcher } from './globs.ts'
import { isDevice, partsOf, temporary, partsOfAll, systemFolders, systemParts, vitalBelow } from './system.ts'

/**
 * The importance of a path to the machine's owner, from vital to disposable. `whole` ones
 * are the folder itself or all that is in it.
 */
export type Place =
  | 'system'
  | 'home'
  | 'workspace'
  /** The entries directly below `~`. */
  | 'own'
  /** Below a folder of the system's, by a name that is none of its own. */
  | 'installed'
  /** Deeper in the home directory, outside of the workspace. */
  | 'private'
  | 'outside'
  | 'temp'
  | 'in-workspace'
  | 'in-temp'
  | 'unknown'

/** The surroundings that a path is judged in. */
export interface Around {
  readonly roots: readonly string[]
  readonly cwd: string
  /** Folders besides the usual whose content may go. */
  readonly temporary: readonly string[]
}

/** The folders in a home directory with the user's keys, settings or programs. */
const vitalInHome = setOf([
  '.ssh', '.gnupg', '.config', '.local', '.aws', '.azure', '.kube', '.docker', '.password-store', '.mozilla',
  '.thunderbird', '.pki', '.git', '.claude', '.codex', '.gemini', '.cursor', '.hookgate',
]) // prettier-ignore

const systemFolderNames = tableOf(partsOfAll, systemFolders)

/** The place of what a path names, or of the worst of what its pattern may. */
export function placeOf(path: TouchedPath, around: Around): Place {
  const { absolute, pattern } = path
  if (absolute === undefined) return 'unknown'
  if (pattern !== undefined) return placeOfPattern(path, absolute, pattern, around)
  const real = path.real === undefined ? undefined : placeOfOne(path.real, path, around)
  const own = placeOfOne(absolute, path, around)
  return real === 'system' || real === 'home' ? real : own
}

function placeOfPattern(path: TouchedPath, folder: string, pattern: string, around: Around): Place {
  // A search at any depth is as bad as deleting its whole folder, except in a workspace.
  if (pattern.includes('/**/')) {
    const place = placeOfOne(folder, path, around)
    if (pattern.endsWith('/**/*')) return place
    return place === 'workspace' ? 'in-workspace' : place === 'temp' ? 'in-temp' : place
  }
  const last = pattern.slice(pattern.lastIndexOf('/') + 1)
  const holds = pattern.slice(0, pattern.lastIndexOf('/')) || '/'
  // All of what is in a folder is as bad as the folder, but for those that are there to be emptied.
  if (isEverything(last) && !/[*?[]/.test(holds)) {
    const place = placeOfOne(holds, path, around)
    return place === 'temp' ? 'in-temp' : place
  }
  const matches = pathMatcher(pattern)
  if (systemFolderNames.some(matches)) return 'system'
  if (holds === '/' || /^\/(?:home|Users)$/.test(holds)) return 'system'
  const place = placeOfOne(folder, path, around)
  if (place === 'temp') return 'in-temp'
  if (place === 'workspace') return 'in-workspace'
  if (place === 'home' && tempOf(folder, around) === folder) {
    return vitalInHome.members.some((one) => matches([...partsOf(folder), one])) ? 'own' : 'in-temp'
  }
  if (place === 'home') return 'private'
  if (place !== 'system') return place
  return vitalBelow.some((one) => isWithin(folder, one)) ? 'system' : 'installed'
}

function placeOfOne(absolute: string, path: TouchedPath, around: Around): Place {
  if (absolute === '/' || isAbove(absolute, around)) return absolute === '/' ? 'system' : ancestor(absolute, path)
  if (around.roots.includes(absolute) && !isWide(absolute, absolute, path)) return 'workspace'
  if (around.roots.some((root) => isInside(absolute, root) && !isWide(root, absolute, path))) return 'in-workspace'
  const temp = tempOf(absolute, around)
  if (temp !== undefined && !isOfHome(absolute, path, temp)) return absolute === temp ? 'temp' : 'in-temp'
  if (isSystem(absolute)) return 'system'
  const names = partsOf(absolute)
  const isHomes = names[0] === 'home' || names[0] === 'Users'
  if (path.inHome === '' || (isHomes && names.length === 2)) return 'home'
  if (path.inHome !== undefined) return placeInHome(path.inHome)
  if (systemFolders.some((one) => isInside(absolute, one)) && !isHomes && names[0] !== 'root') return 'installed'
  return 'outside'
}

/** The folder for temporary files that a path is in, the innermost of several. */
function tempOf(absolute: string, around: Around): string | undefined {
  const all = [...temporary, ...around.temporary].filter((one) => isWithin(absolute, one))
  return all.reduce<string | undefined>(
    (inner, one) => (inner === undefined || isInside(one, inner) ? one : inner),
    undefined,
  )
}

/**
 * True if a path in a folder for temporary files is in a home directory. Of the two, the inner one says what is
 * meant: where the home is `/tmp/agent`, all in it is kept there, and where `~/scratch` may be emptied, that is no home. Where
 * both are the same folder, as with a HOME of `/tmp`, it is the home as a whole, for `~` and `~/*` then mean everything
 * that there is; single things in it are what programs put there to be gone, but for keys and settings by their names.
 */
function isOfHome(absolute: string, path: TouchedPath, temp: string): boolean {
  const { inHome } = path
  const home = homeOf(absolute, path)
  if (inHome === undefined || home === undefined) return false
  return isInside(home, temp) || (home === temp && (inHome === '' || vitalInHome.has(inHome.split('/', 1)[0] ?? '')))
}

/** Returns the home directory that a path is in; `undefined` if it is in none, or not by this name. */
function homeOf(absolute: string, { inHome }: TouchedPath): string | undefined {
  if (inHome === undefined || (inHome !== '' && !absolute.endsWith(`/${inHome}`))) return undefined
  return inHome === '' ? absolute : absolute.slice(0, -inHome.length - 1) || '/'
}

/** True if a workspace is so wide that being in it says nothing of a path: the whole disk, the home, or what it is in. */
function isWide(root: string, absolute: string, path: TouchedPath): boolean {
  const home = homeOf(absolute, path)
  return root === '/' || (home !== undefined && isWithin(home, root))
}

/** True for a path in the home where the session works in that home, in no project of its own. */
export const isWorkedIn = (path: TouchedPath, { roots }: Pick<Around, 'roots'>): boolean =>
  path.absolute !== undefined &&
  path.inHome !== undefined &&
  roots.some((root) => isWide(root, path.absolute ?? '', path))

const isAbove = (path: string, { roots, cwd }: Around) =>
  [...roots, cwd].some((one) => isInside(one, path)) && !roots.some((root) => isWithin(path, root))
const ancestor = (absolute: string, { inHome }: TouchedPath): Place =>
  isSystem(absolute) ? 'system' : inHome === '' ? 'home' : inHome === undefined ? 'workspace' : 'own'

function placeInHome(inHome: string): Place {
  const [first = '', ...deeper] = inHome.split('/')
  if (deeper.length > 0) return 'private'
  return !first.startsWith('.') || vitalInHome.has(first) ? 'own' : 'private'
}

/** True if the system itself needs the path. */
function isSystem(absolute: string): boolean {
  return (
    systemFolders.includes(absolute) ||
    systemParts.has(absolute) ||
    isDevice(absolute) ||
    vitalBelow.some((one) => isInside(absolute, one))
  )
}
