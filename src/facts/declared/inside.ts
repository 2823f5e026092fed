import { dirname, isAbsolute, resolve } from 'node:path'
import { below } from '../paths/place.ts'
import { lstatOf, orAbsent, realPathOf } from '../file-system.ts'
import { quoted } from '../../model/text.ts'

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

/** The reason why a fact is unavailable: one line, safe to show. */
export interface Missing {
  readonly missing: string
}

/** Builds a `Missing`. INVARIANT: `what` is a path or name, shown quoted; no file content is ever included. */
export function missing(what: string, why: string): Missing {
  return { missing: `${quoted(what)} ${why}` }
}

export function isMissing(value: object): value is Missing {
  return 'missing' in value
}

/** Translates a system error into words that follow the name of the file. */
export function whyNot(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
  return reasons.get(code) ?? `cannot be read: the system says ${quoted(code)}`
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'does not exist'],
  ['ENOTDIR', 'does not exist'],
  ['ENAMETOOLONG', 'is longer than a path can be'],
  ['EACCES', 'cannot be read: permission denied'],
  ['EPERM', 'cannot be read: permission denied'],
  // A regular file was seen a moment ago, and a link or a socket has taken its place.
  ['ELOOP', 'was replaced while it was being read'],
  ['ENXIO', 'was replaced while it was being read'],
])
