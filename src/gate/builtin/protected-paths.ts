import { descriptorOf } from '../../agents/registry.ts'
import type { HookEvent } from '../../model/event.ts'
import type { ProtectedPath, SelfProtection } from '../../model/rule.ts'
import type { TouchedPath } from '../../model/shell.ts'
import { folded, literal, meeting, pathGlob } from '../../rules/match/glob.ts'
import { isWithin } from '../../words/paths.ts'

/** The protected files and folders of one event, without regard to case. */
export interface Guarded {
  readonly paths: readonly GuardedPath[]
  /** The names of all protected files, and of the folders that they are in. */
  names(): ReadonlySet<string>
  /** The protected paths without their home directory or project: `/.claude/settings.json`. */
  readonly ways: readonly string[]
  /** Folders that hold a home directory or a workspace, so that much else is written below them. */
  isOpen(folder: string): boolean
  /** A home directory, or a folder above one. */
  isHome(folder: string): boolean
}

interface GuardedPath extends ProtectedPath {
  /** Its home directory or project, which may be deleted with all it holds; `''` if nothing above it may. */
  readonly base: string
}

/** Finds what is protected: hookgate's own files, and in homes and projects the settings of all enabled agents. */
export function guardedFor({ paths, homes, agents }: SelfProtection, event: HookEvent): Guarded {
  const roots = [...event.workspaceRoots, event.session.cwd].map(spellPath)
  const ownHomes = homes.map(spellPath)
  const settings = [event.agent, ...agents].flatMap((agent) => descriptorOf(agent)?.hookSettings ?? [])
  const inProjects: readonly (readonly [string, ProtectedPath['part']])[] = [
    ['.hookgate', 'rules'],
    ...[...new Set(settings)].map((way) => [way, 'settings'] as const),
  ]
  const bases = new Set([...ownHomes, ...roots.flatMap(withAbove)])
  const isOpen = (folder: string) => [...ownHomes, ...roots].some((one) => isWithin(one, folder))
  const own = paths
    .map(({ path, part }) => ({ path: spellPath(path), part, base: '' }))
    .filter(({ path, part }) => part !== 'program' || !isDeveloped(path, roots, ownHomes))
  const placed = [...bases].flatMap((base) =>
    inProjects.map(([way, part]) => ({ path: `${base}/${spellPath(way)}`, part, base })),
  )
  const inHomes = own.flatMap(({ path, part }) =>
    part === 'program' ? [] : ownHomes.flatMap((one) => (isWithin(path, one) ? [path.slice(one.length)] : [])),
  )
  const ways = [...new Set([...inProjects.map(([way]) => `/${spellPath(way)}`), ...inHomes])].filter(
    (way) => way !== '',
  )
  const isHome = (folder: string) => ownHomes.some((one) => isWithin(one, spellPath(folder)))
  const all = [...own, ...placed]
  let names: ReadonlySet<string> | undefined
  return {
    paths: all,
    ways,
    isOpen,
    isHome,
    names: () => (names ??= new Set(all.flatMap(({ path }) => path.split('/')))),
  }
}

/** Returns true for an installation inside a project: it is what is worked on, or one of its dependencies. */
const isDeveloped = (program: string, roots: readonly string[], homes: readonly string[]) =>
  roots.some((root) => isWithin(program, root) && !homes.some((home) => isWithin(home, root)))

/** A path as it is compared: on many disks `.CLAUDE` is `.claude`. */
const spellPath = (path: string) => folded(path.replaceAll('\\', '/').replace(/(?<=[^/])\/+$/, ''))
/** Stands in what is protected for a folder of any name. */
const anyName = '/*/'

/** Does what `isWithin` does for a protected path, in which `*` stands for any name. */
function isIn(path: string, own: string): boolean {
  if (!own.includes(anyName)) return isWithin(path, own)
  const names = path.split('/')
  return own.split('/').every((part, at) => (part === '*' ? names[at] !== undefined : part === names[at]))
}

const parentOf = (path: string) => path.slice(0, path.lastIndexOf('/'))

/** Returns a folder and those above it, without the disk's root. */
function withAbove(folder: string): readonly string[] {
  return folder === '' || folder === '/' ? [] : [folder, ...withAbove(parentOf(folder))]
}

/** A command's use of paths, beyond the paths themselves. */
export interface TouchedBy {
  /** Names of what is copied or moved: in a folder, it gets the same name. */
  readonly sources: readonly string[]
  /** In a workspace, Git deletes and overwrites only what the repository says. */
  readonly isGit: boolean
  /** A link makes what it leads to reachable under another name. */
  readonly isLink: boolean
}
export const byTool: TouchedBy = { sources: [], isGit: false, isLink: false }

/** Finds what is protected and would be changed: itself, what holds it, or what a link would lead to. */
export function changedPart(path: TouchedPath, by: TouchedBy, guarded: Guarded): ProtectedPath | undefined {
  const { access, recursive, metadata, unresolved, pattern } = path
  const isLinked = by.isLink && access === 'read'
  if (access !== 'write' && access !== 'delete' && !isLinked) return undefined
  const takesAll = isLinked || (access === 'delete' && recursive === true && !by.isGit)
  const coversBelow = recursive === true || metadata === true
  /**
   * A folder above something protected: a call takes away all of it, or may write everything in it. The program is
   * below folders such as `/usr/local`, into which much else is unpacked and copied.
   */
  const holds = (folder: string, { path: own, base, part }: GuardedPath, covers: boolean) =>
    isWithin(own, folder) &&
    !own.includes(anyName) &&
    folder.length > base.length &&
    (takesAll || (covers && part !== 'program' && !guarded.isOpen(folder)))
  const names = pathSpellings(path)
  const fittingOf = pattern === undefined ? undefined : fittingPart(spellPath(pattern))
  const put = access === 'write' ? putInto(names, by.sources, guarded) : []
  return guarded.paths.find((own) => {
    if (names.some((name) => isIn(name, own.path))) return true
    if (unresolved === true) return names.some((name) => name === parentOf(own.path) && !guarded.isOpen(name))
    if (pattern !== undefined) {
      const fitting = fittingOf?.(own.path)
      return fitting !== undefined && (fitting === own.path || holds(fitting, own, coversBelow))
    }
    return (
      names.some((name) => holds(name, own, coversBelow)) ||
      put.some((name) => isIn(name, own.path) || holds(name, own, true))
    )
  })
}

/** Returns the paths that sources get in a folder, each once, without those whose name nothing protected has. */
function putInto(folders: readonly string[], sources: readonly string[], guarded: Guarded): readonly string[] {
  const named = [...new Set(sources)].filter((source) => guarded.names().has(source))
  return named.flatMap((source) => folders.map((folder) => `${folder}/${source}`))
}

/** Returns every spelling of a path: as named, where its links lead, and below its workspace as that is named. */
function pathSpellings({ absolute, real, root, inRoot }: TouchedPath): readonly string[] {
  const named = root === undefined || inRoot === undefined ? undefined : `${root}/${inRoot}`
  return [...new Set([absolute, real, named].flatMap((name) => (name === undefined ? [] : [spellPath(name)])))]
}

/**
 * Returns a function that returns the folder of a path, or the path itself, that a shell's pattern matches; the pattern may
 * go on below it. Each of many patterns is compared with each of many paths, of which most begin otherwise.
 */
function fittingPart(pattern: string): (path: string) => string | undefined {
  const all = pattern.split('/')
  const known = /^[^*?[\\{(]*\//.exec(pattern)?.[0] ?? ''
  return (path) => {
    if (!path.startsWith(known) && !known.startsWith(`${path}/`) && !path.includes(anyName)) return undefined
    const names = path.split('/')
    const parts = all.slice(0, names.length)
    const fits = parts.every((part, at) => fitsName(part, names[at] ?? ''))
    return fits ? names.slice(0, parts.length).join('/') : undefined
  }
}

/** Tells whether a pattern with `**` in it, which may be any number of folders, asks for the name of a path. */
function fitsDeep(pattern: string, path: string): boolean {
  const [top, tail] = [pattern.indexOf('/**/'), pattern.lastIndexOf('/**/')]
  const parts = pattern.slice(tail + '/**/'.length).split('/')
  const names = path.split('/').slice(-parts.length)
  if (top === -1 || parts.every((part) => /^[*.]*$/.test(part))) return false
  return (
    fittingPart(pattern.slice(0, top))(path) !== undefined && parts.every((part, at) => fitsName(part, names[at] ?? ''))
  )
}

/** A shell's wildcard at the start of a name matches no hidden file. */
const fitsName = (part: string, name: string) =>
  part === name ||
  name === '*' ||
  (!(name.startsWith('.') && /^[*?[]/.test(part)) && meeting(pathGlob('/', part))(literal(`/${name}`)))

/** Returns what is protected and has this path, is above it, or is directly in it. */
export function heldPart(path: string, guarded: Guarded): ProtectedPath | undefined {
  const name = spellPath(path)
  return guarded.paths.find(
    (own) =>
      isIn(name, own.path) ||
      (own.base !== '' && parentOf(own.path) === name && name.length > own.base.length && !guarded.isOpen(name)),
  )
}

/** Tells whether a path that ends so may be protected, whatever folder it begins with. */
export function guardedTail(tail: string, guarded: Guarded): boolean {
  const end = spellPath(tail)
  return guarded.ways.some((way) => isIn(end, way) || end === parentOf(way))
}

/** Tells whether something below a folder whose path ends so is protected. */
export function holdsBelow(folder: string, tail: string, guarded: Guarded): boolean {
  const [top, end] = [spellPath(folder), spellPath(tail)]
  return guarded.paths.some(({ path }) => isWithin(path, top) && path.endsWith(end))
}

/** Finds what is protected below a folder, or anywhere, by its name or by that of its folder in a home or project. */
export function namedPart(fits: (name: string) => boolean, folder: string | undefined, guarded: Guarded) {
  const top = folder === undefined ? undefined : spellPath(folder)
  return guarded.paths.find(
    ({ path, base }) =>
      (top === undefined || isWithin(path, top)) &&
      (fits(path.slice(path.lastIndexOf('/') + 1)) ||
        (base !== '' && fits(path.slice(base.length + 1).split('/')[0] ?? ''))),
  )
}

/**
 * Tells whether a path is a secret in the folder of the state, as a pattern may say, or a folder with all that is in it
 * that holds this one, below the home directory.
 */
export function isStateSecret({ absolute, pattern, recursive, unresolved }: TouchedPath, guarded: Guarded): boolean {
  if (absolute === undefined) return false
  const name = spellPath(absolute)
  const isWhole = recursive === true || unresolved === true
  const asked = pattern !== undefined && unresolved !== true ? spellPath(pattern) : undefined
  const fittingOf = asked === undefined ? undefined : fittingPart(asked)
  return guarded.paths.some(({ part, path: own }) => {
    if (part !== 'state') return false
    if (asked !== undefined && fittingOf !== undefined) {
      return stateSecrets.some((secret) => {
        const fitting = fittingOf(`${own}/${secret}`)
        return (
          fitting === `${own}/${secret}` ||
          fitsDeep(asked, `${own}/${secret}`) ||
          (recursive === true && fitting !== undefined && !guarded.isOpen(fitting))
        )
      })
    }
    if (isWithin(name, own)) return /\/(?:token|[^/]*\.key)$/.test(name) || (isWhole && name === own)
    return isWhole && isWithin(own, name) && !guarded.isOpen(name)
  })
}
const stateSecrets = ['token', 'gate.key', 'approvals.key', 'export.key', 'refusals/seal.key']
