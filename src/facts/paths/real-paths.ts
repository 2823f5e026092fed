import { type Stats, lstat as lstatNow, readlink as readlinkNow, realpath } from 'node:fs'
import { promisify } from 'node:util'
import { limits } from '../../model/limits.ts'
import type { TouchedPath } from '../../model/shell.ts'
import { saysAbsent } from '../declared/file-system.ts'
import type { StuckRoots } from '../stuck-roots.ts'
import { below, isWindows, resolved, rootOf } from './place.ts'
import { folderOf } from './touched.ts'

const realPathOf: (path: string) => Promise<string> = promisify(realpath.native)
const lstatOf: (path: string) => Promise<Stats> = promisify(lstatNow)
const readLink: (path: string) => Promise<string> = promisify(readlinkNow)

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
  const found = await lookUpAll(wanted, stuck)
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
  found: ReadonlyMap<string, string>,
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

/** Looks up the paths in `limits.factsAtOnce` parallel lanes, skipping drives that have not answered earlier lookups. */
async function lookUpAll(wanted: ReadonlySet<string>, stuck: StuckRoots): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  const known = new Map<string, Promise<string | undefined>>()
  const underWay = new Map<string, Promise<unknown>>()
  const waiting = wanted.values()
  let over = false
  const lane = async () => {
    for (const path of waiting) {
      const drive = driveOf(path)
      if (stuck.has(drive)) continue
      const look = realOf(path, known, 0)
      underWay.set(drive, look)
      // oxlint-disable-next-line no-await-in-loop -- a lane is what looks at one path after the other
      const real = await look
      if (underWay.get(drive) === look) underWay.delete(drive)
      if (over) return
      if (real !== undefined) found.set(path, real)
    }
  }
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, limits.realPathsMs)
  timer.unref()
  await Promise.race([Promise.all(Array.from({ length: limits.factsAtOnce }, lane)), promise])
  clearTimeout(timer)
  over = true
  for (const [drive, look] of underWay) stuck.hold(drive, look)
  return new Map(found)
}

/** Approximates a path's drive (its mount point) by its first two folders. */
function driveOf(path: string): string {
  const second = path.indexOf('/', path.indexOf('/', 1) + 1)
  return second <= 0 ? path : path.slice(0, second)
}

/**
 * Resolves a path's links as far as the path exists. Returns `undefined` if that is impossible: a cycle of links, or a
 * folder without permission to read.
 */
async function realOf(
  path: string,
  known: Map<string, Promise<string | undefined>>,
  links: number,
): Promise<string | undefined> {
  const before = known.get(path)
  if (before !== undefined) return before
  const look = lookUp(path, known, links)
  known.set(path, look)
  return look
}

async function lookUp(
  path: string,
  known: Map<string, Promise<string | undefined>>,
  links: number,
): Promise<string | undefined> {
  try {
    return await realPathOf(path)
  } catch (error) {
    if (!saysAbsent(error)) return undefined
  }
  try {
    const folder = folderOf(path)
    if (folder === path) return path
    const to = await linkAt(path)
    if (to !== undefined) {
      const target = resolved(folder, to)
      return links >= linksMax || target === undefined ? undefined : await lookUp(target, known, links + 1)
    }
    const there = await realOf(folder, known, links)
    return there === undefined ? undefined : joined(there, path.slice(folder.length))
  } catch {
    return undefined
  }
}
/** The maximum of links that Linux follows in one path. */
const linksMax = 40

/** Reads the target of a dangling link; `undefined` if there is no link at the path. */
async function linkAt(path: string): Promise<string | undefined> {
  try {
    return (await lstatOf(path)).isSymbolicLink() ? await readLink(path) : undefined
  } catch (error) {
    if (saysAbsent(error)) return undefined
    throw error
  }
}
