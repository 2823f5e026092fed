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

/** Paths in the order of the question, and whether there were more of them than are looked up. */
export interface RealPaths {
  readonly found: readonly TouchedPath[]
  readonly isCut: boolean
}

/**
 * The paths, with what symbolic links make of them: a path in the workspace may be a file of the home directory, and one
 * that is not there yet may come to be elsewhere. Never rejects, and takes no longer than `limits.realPathsMs`: what was
 * not looked up by then stays as the words have it.
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

/** What is looked up for a path: for one that is deleted, the folder it is an entry of. */
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
  // A path is in the home directory by its name, or by where it leads.
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

/** Lanes take one path after the other. A drive that does not answer is left alone until it does. */
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

/** What is on one drive, most likely: the first two folders of a path. */
function driveOf(path: string): string {
  const second = path.indexOf('/', path.indexOf('/', 1) + 1)
  return second <= 0 ? path : path.slice(0, second)
}

/** Where a path leads, as far as that exists; `undefined` where it cannot be told: a circle, a folder nobody may look into. */
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
/** As many as Linux follows in one path. */
const linksMax = 40

/** What a link says that leads nowhere; `undefined` where there is none. */
async function linkAt(path: string): Promise<string | undefined> {
  try {
    return (await lstatOf(path)).isSymbolicLink() ? await readLink(path) : undefined
  } catch (error) {
    if (saysAbsent(error)) return undefined
    throw error
  }
}
