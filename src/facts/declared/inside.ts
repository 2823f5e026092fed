import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { lstatOf, orAbsent, realPathOf } from './file-system.ts'
import { type Missing, missing } from './missing.ts'

/** A place in the workspace, by its name alone: nothing was looked at yet. */
export interface Place {
  /** Absolute. */
  readonly root: string
  /** As its policy wrote it, for messages. */
  readonly written: string
  /** Absolute. */
  readonly path: string
}

export function placeIn(root: string, written: string): Place | Missing {
  if (!isAbsolute(root)) return missing(root, 'is not an absolute path of a workspace')
  if (written === '') return missing(written, 'is not a path')
  if (written.includes('\0')) return missing(written, 'is not a path: it contains a NUL character')
  if (isAbsolute(written)) return missing(written, 'is not a path relative to the workspace')
  const path = resolve(root, written)
  if (!isWithin(root, path)) return missing(written, 'leads outside the workspace')
  return { root: resolve(root), written, path }
}

/** Whether a path is a folder itself or lies below it, both absolute and without symbolic links. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/**
 * Where a place really is, every symbolic link resolved; `undefined` where there is nothing.
 *
 * INVARIANT: of what lies outside of the workspace nothing is told, not even whether it is there. That is why links that
 * lead out, nowhere or round in a circle, or to where nobody may look, are all told in the same words.
 */
export async function realPlace({ root, written, path }: Place): Promise<string | Missing | undefined> {
  const realRoot = await orAbsent(realPathOf(root))
  if (realRoot === undefined) return undefined
  try {
    const real = await orAbsent(realPathOf(path))
    if (real !== undefined) return isWithin(realRoot, real) ? real : missing(written, untold)
    const nearest = await nearestAbove(path, root)
    if (nearest === undefined) return undefined
    const there = await orAbsent(realPathOf(nearest))
    return there !== undefined && isWithin(realRoot, there) ? undefined : missing(written, untold)
  } catch {
    return missing(written, untold)
  }
}
const untold = 'cannot be followed within the workspace'

/** The deepest thing on the way to a path that is there: it tells on whose side the absent rest is. */
async function nearestAbove(path: string, root: string): Promise<string | undefined> {
  if (path === root || path === dirname(path)) return undefined
  return (await orAbsent(lstatOf(path))) === undefined ? nearestAbove(dirname(path), root) : path
}
