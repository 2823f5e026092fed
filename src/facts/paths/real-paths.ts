import { lstatSync, realpathSync } from 'node:fs'
import { readlink } from 'node:fs/promises'
import { limits } from '../../model/limits.ts'
import type { LeftOut } from '../bounds.ts'
import type { ShellCommand, TouchedPath } from '../../model/shell.ts'
import type { ToolFacts } from '../../model/tool-facts.ts'
import { isAbsentError, lstatOf, orAbsent, realPathOf, lookUpInTime, type StuckRoots } from '../timed-lookups.ts'
import { below, isWindows, projectRoots, resolved, rootOf } from './place.ts'
import { folderOf } from './touched.ts'

/**
 * Returns the facts with symbolic links in their paths resolved. Only `facts.paths` are resolved: paths on another
 * machine or in a container do not exist on this disk, and are not among them.
 *
 * @param real what the disk says of `facts.paths`
 */
export function withRealPaths(facts: ToolFacts, { found, isCut }: RealPaths): ToolFacts {
  const { paths } = facts
  if (paths.length === 0) return facts
  const byText = new Map(paths.map((path, at) => [path, found[at] ?? path]))
  const commands = facts.shell.commands.map((one): ShellCommand =>
    one.paths.length === 0 ? one : { ...one, paths: one.paths.map((path) => byText.get(path) ?? path) },
  )
  const { shell } = facts
  const uncertain = isCut && commands.length > 0 ? [...shell.uncertain, morePaths] : shell.uncertain
  return { ...facts, shell: { ...shell, commands, uncertain }, paths: found }
}
const morePaths: LeftOut = 'it touches more paths than are analyzed'

interface RealPlace {
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
 * not exist yet may be created elsewhere. Never rejects, and takes no longer than `lookMs`; paths not looked up by then are
 * returned as derived from the text.
 */
export async function realPaths(
  paths: readonly TouchedPath[],
  place: RealPlace,
  stuck: StuckRoots,
  lookMs: number = limits.realPathsMs,
): Promise<RealPaths> {
  const looks = [...new Set(paths.flatMap((path) => lookOf(path) ?? []))]
  const wanted = new Set(looks.slice(0, limits.realPathsMax))
  const isCut = wanted.size < looks.length
  if (wanted.size === 0) return { found: paths, isCut }
  const places = [...place.workspaceRoots, ...(place.home === undefined ? [] : [place.home])]
  const found = await lookUpPaths(wanted, places, stuck, lookMs)
  const home = place.home === undefined ? undefined : { home: place.home, real: found.get(place.home) ?? place.home }
  const own = place.workspaceRoots.map((root) => ({ root, real: found.get(root) ?? root }))
  const projects = projectRoots(
    own.map(({ real }) => real),
    home?.real,
  )
  const roots = own.filter(({ real }) => projects.includes(real))
  return { found: paths.map((path) => withReal(path, found, roots, home)), isCut }
}

/**
 * Looks up the wanted paths and the places around them. A place with a path below it comes second: if that path leads
 * nowhere else, no folder above it is a link, and the place is known.
 */
async function lookUpPaths(
  wanted: ReadonlySet<string>,
  places: readonly string[],
  stuck: StuckRoots,
  lookMs: number,
): Promise<ReadonlyMap<string, string | undefined>> {
  const untilMs = performance.now() + lookMs
  const known: KnownPaths = { reals: new Map(), atOnceLeft: realPathsAtOnceMax }
  const look = (some: Iterable<string>) => {
    const lookups = [...some].map(
      (path) => [path, { root: driveOf(path), run: async () => realOf(path, known) }] as const,
    )
    return lookUpInTime(new Map(lookups), { ms: Math.max(0, untilMs - performance.now()), stuck, skipped: undefined })
  }
  const paths = [...wanted]
  const above = new Set(places.filter((one) => !wanted.has(one) && paths.some((path) => isAbove(one, path))))
  const found = new Map(await look(new Set([...paths, ...places.filter((one) => !above.has(one))])))
  for (const one of above) {
    if (!paths.some((path) => found.get(path) === path && isAbove(one, path))) continue
    found.set(one, one)
    above.delete(one)
  }
  if (above.size > 0) for (const [path, real] of await look(above)) found.set(path, real)
  return found
}
/** Absent paths of one event whose folders are looked at on the gate's own thread: about 10 µs each. */
export const realPathsAtOnceMax = 100

/** Exact, also where a drive ignores case: the place is then taken as it is written. */
const isAbove = (place: string, path: string) => path.startsWith(place) && below(place, path) !== undefined

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

/** The lookups of one event. */
interface KnownPaths {
  /** The real paths looked up so far. */
  readonly reals: Map<string, Promise<string | undefined>>
  /** Absent paths whose folders may still be looked at on this thread. */
  atOnceLeft: number
}

/**
 * Resolves a path's links as far as the path exists. Returns `undefined` if that is impossible: a cycle of links, or a
 * folder without permission to read.
 */
async function realOf(path: string, known: KnownPaths, links = 0, hasAnswered = false): Promise<string | undefined> {
  const look = known.reals.get(path) ?? resolveLinks(path, known, links, hasAnswered)
  known.reals.set(path, look)
  return look
}

/**
 * @param hasAnswered the disk has just said that something below the path is absent. It answers, so that the path is
 * looked at on this thread: that takes a tenth of the time.
 */
async function resolveLinks(
  path: string,
  known: KnownPaths,
  links: number,
  hasAnswered: boolean,
): Promise<string | undefined> {
  try {
    return hasAnswered ? realpathSync.native(path) : await realPathOf(path)
  } catch (error) {
    if (!isAbsentError(error)) return undefined
  }
  try {
    const folder = folderOf(path)
    if (folder === path) return path
    const isHere = known.atOnceLeft-- > 0
    if (isHere ? isLink(path) : (await orAbsent(lstatOf(path)))?.isSymbolicLink() === true) {
      const target = resolved(folder, await readlink(path))
      return links >= linksMax || target === undefined ? undefined : await resolveLinks(target, known, links + 1, false)
    }
    const there = await realOf(folder, known, links, isHere)
    return there === undefined ? undefined : joined(there, path.slice(folder.length))
  } catch {
    return undefined
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
  } catch (error) {
    if (isAbsentError(error)) return false
    throw error
  }
}

/** The maximum of links that Linux follows in one path. */
const linksMax = 40
