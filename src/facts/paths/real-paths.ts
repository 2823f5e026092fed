import { readlink } from 'node:fs/promises'
import { limits } from '../../model/limits.ts'
import type { LeftOut } from '../bounds.ts'
import type { ShellCommand, ShellSurroundings, TouchedPath } from '../../model/shell.ts'
import type { ToolFacts } from '../../model/tool-facts.ts'
import { lstatOf, orAbsent, realPathOf, isAbsentError } from '../file-system.ts'
import { lookUpInTime, type StuckRoots } from '../timed-lookups.ts'
import { below, isWindows, resolved, rootOf } from './place.ts'
import { folderOf } from './touched.ts'

/**
 * Returns the facts with symbolic links in their paths resolved. Only `facts.paths` are resolved: paths on another
 * machine or in a container do not exist on this disk, and are not among them.
 */
export async function withRealPaths(
  facts: ToolFacts,
  around: ShellSurroundings,
  stuck: StuckRoots,
): Promise<ToolFacts> {
  const { paths } = facts
  if (paths.length === 0) return facts
  const { found, isCut } = await realPaths(paths, around, stuck)
  const byText = new Map(paths.map((path, at) => [path, found[at] ?? path]))
  const commands = facts.shell.commands.map((one): ShellCommand =>
    one.paths.length === 0 ? one : { ...one, paths: one.paths.map((path) => byText.get(path) ?? path) },
  )
  const { shell } = facts
  const uncertain = isCut && commands.length > 0 ? [...shell.uncertain, morePaths] : shell.uncertain
  return { shell: { ...shell, commands, uncertain }, paths: found }
}
const morePaths: LeftOut = 'it touches more paths than are analyzed'

export interface RealPlace {
  readonly home?: string | undefined
  readonly workspaceRoots: readonly string[]
}

/** Paths in the order they were passed in. `isCut`: more than `limits.realPathsMax`, so some were not looked up. */
export interface RealPaths {
  readonly found: readonly TouchedPath[]
  readonly isCut: boolean
}

/**
 * Resolves symbolic links in the paths: a path in the workspace may lead into the home directory, and a file that does
 * not exist yet may be created elsewhere. Never rejects, and takes no longer than `limits.realPathsMs`; paths not looked
 * up by then are returned as derived from the text.
 */
export async function realPaths(
  paths: readonly TouchedPath[],
  place: RealPlace,
  stuck: StuckRoots,
): Promise<RealPaths> {
  const looks = [...new Set(paths.flatMap((path) => lookOf(path) ?? []))]
  const wanted = new Set(looks.slice(0, limits.realPathsMax))
  const isCut = wanted.size < looks.length
  if (wanted.size === 0) return { found: paths, isCut }
  const places = [...place.workspaceRoots, ...(place.home === undefined ? [] : [place.home])]
  for (const one of places) wanted.add(one)
  const known: KnownPaths = new Map()
  const lookups = new Map(
    [...wanted].map((path) => [path, { root: driveOf(path), run: async () => realOf(path, known) }] as const),
  )
  const found = await lookUpInTime(lookups, { ms: limits.realPathsMs, stuck, skipped: undefined })
  const roots = place.workspaceRoots.map((root) => ({ root, real: found.get(root) ?? root }))
  const home = place.home === undefined ? undefined : { home: place.home, real: found.get(place.home) ?? place.home }
  return { found: paths.map((path) => withReal(path, found, roots, home)), isCut }
}

/** Returns the path to look up: for a deletion the parent folder, since deleting a link does not follow it. */
function lookOf({ absolute, real, access, pattern, unresolved }: TouchedPath): string | undefined {
  const path = real ?? absolute
  if (path === undefined || path.length > limits.realPathCharactersMax || path.includes('\0')) return undefined
  if (isWindows(path) !== (process.platform === 'win32')) return undefined
  return access === 'delete' && pattern === undefined && unresolved !== true ? folderOf(path) : path
}

function withReal(
  path: TouchedPath,
  found: ReadonlyMap<string, string | undefined>,
  roots: readonly { readonly root: string; readonly real: string }[],
  home: { readonly home: string; readonly real: string } | undefined,
): TouchedPath {
  const { absolute, real: linked, root: _, inRoot: __, inHome, ...rest } = path
  const look = lookOf(path)
  const there = look === undefined ? undefined : found.get(look)
  if (absolute === undefined || look === undefined || there === undefined) return path
  const known = linked ?? absolute
  const real = look === known ? there : joined(there, known.slice(folderOf(known).length))
  const inReal = rootOf(
    roots.map((one) => one.real),
    real,
  )
  const root = inReal === undefined ? undefined : roots.find((one) => one.real === inReal.root)?.root
  // A path is in the home directory if its name is below it, or if its links lead there.
  const byPlace = home === undefined ? undefined : below(home.real, real)
  const inHomeNow = byPlace ?? inHome
  return {
    ...rest,
    absolute,
    ...(real !== absolute && { real }),
    ...(inReal !== undefined && root !== undefined && { root, inRoot: inReal.inRoot }),
    ...(inHomeNow !== undefined && { inHome: inHomeNow }),
  }
}

const joined = (folder: string, entry: string): string => {
  const name = entry.replace(/^[\\/]+/, '')
  return name === '' ? folder : folder.endsWith('/') ? folder + name : `${folder}/${name}`
}

/** Approximates a path's drive (its mount point) by its first two folders. */
function driveOf(path: string): string {
  const second = path.indexOf('/', path.indexOf('/', 1) + 1)
  return second <= 0 ? path : path.slice(0, second)
}

/** The real paths looked up so far. */
type KnownPaths = Map<string, Promise<string | undefined>>

/**
 * Resolves a path's links as far as the path exists. Returns `undefined` if that is impossible: a cycle of links, or a
 * folder without permission to read.
 */
async function realOf(path: string, known: KnownPaths, links = 0): Promise<string | undefined> {
  const look = known.get(path) ?? resolveLinks(path, known, links)
  known.set(path, look)
  return look
}

async function resolveLinks(path: string, known: KnownPaths, links: number): Promise<string | undefined> {
  try {
    return await realPathOf(path)
  } catch (error) {
    if (!isAbsentError(error)) return undefined
  }
  try {
    const folder = folderOf(path)
    if (folder === path) return path
    const entry = await orAbsent(lstatOf(path))
    if (entry?.isSymbolicLink() === true) {
      const target = resolved(folder, await readlink(path))
      return links >= linksMax || target === undefined ? undefined : await resolveLinks(target, known, links + 1)
    }
    const there = await realOf(folder, known, links)
    return there === undefined ? undefined : joined(there, path.slice(folder.length))
  } catch {
    return undefined
  }
}
/** The maximum of links that Linux follows in one path. */
const linksMax = 40
