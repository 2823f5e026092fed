import { dirname, isAbsolute, resolve } from 'node:path'
import { below } from '../paths/place.ts'
import { lstatOf, orAbsent, realPathOf } from '../file-system.ts'
import { type Missing, missing } from './missing.ts'

/** A path in the workspace, checked by its text alone; the disk has not been looked at yet. */
export interface WorkspacePath {
  /** Absolute. */
  readonly root: string
  /** The path as the policy wrote it, for messages. */
  readonly written: string
  /** Absolute. */
  readonly path: string
}

export function placeIn(root: string, written: string): WorkspacePath | Missing {
  if (!isAbsolute(root)) return missing(root, 'is not an absolute path of a workspace')
  if (written === '') return missing(written, 'is not a path')
  if (written.includes('\0')) return missing(written, 'is not a path: it contains a NUL character')
  if (isAbsolute(written)) return missing(written, 'is not a path relative to the workspace')
  const path = resolve(root, written)
  if (below(resolve(root), path) === undefined) return missing(written, 'leads outside the workspace')
  return { root: resolve(root), written, path }
}

/**
 * Resolves every symbolic link in a place's path; returns `undefined` if nothing exists there.
 *
 * INVARIANT: nothing about files outside the workspace is disclosed, not even whether they exist. That is why links that
 * lead outside, are dangling, form a cycle or lead to an unreadable folder all give the same message.
 */
export async function realPlace({ root, written, path }: WorkspacePath): Promise<string | Missing | undefined> {
  const realRoot = await orAbsent(realPathOf(root))
  if (realRoot === undefined) return undefined
  try {
    const real = await orAbsent(realPathOf(path))
    if (real !== undefined) return below(realRoot, real) !== undefined ? real : missing(written, unfollowable)
    const nearest = await nearestAbove(path, root)
    if (nearest === undefined) return undefined
    const there = await orAbsent(realPathOf(nearest))
    return there !== undefined && below(realRoot, there) !== undefined ? undefined : missing(written, unfollowable)
  } catch {
    return missing(written, unfollowable)
  }
}
const unfollowable = 'cannot be followed within the workspace'

/** Returns the deepest existing ancestor of a path: it decides whether the missing rest is inside the workspace. */
async function nearestAbove(path: string, root: string): Promise<string | undefined> {
  if (path === root || path === dirname(path)) return undefined
  return (await orAbsent(lstatOf(path))) === undefined ? nearestAbove(dirname(path), root) : path
}
