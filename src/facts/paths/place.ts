import { posix, win32 } from 'node:path'
import type { ShellCommand, ShellView, ShellWord } from '../../model/shell.ts'
import { wayWithin } from '../../words/paths.ts'

/** The directories that a written path is resolved against. */
export interface PathContext {
  /** Absolute; absent if it is unknown, or on another machine. */
  readonly cwd?: string
  /** The working directory as far as it is known; absent if it is known whole, or not at all. */
  readonly folder?: ShellWord
  readonly home?: string
  /** Absolute and normalised. */
  readonly roots: readonly string[]
  /** The file system that a command sees, where its paths are not those of this machine. */
  readonly view?: ShellView
  /** The directories of this machine, where there is a view. */
  readonly here?: PathContext
}

/** Returns the directories that a command's paths are resolved against. Roots and home do not exist elsewhere. */
export function placeFor(
  { cwd, folder, elsewhere, view }: Pick<ShellCommand, 'cwd' | 'folder' | 'elsewhere' | 'view'>,
  context: PathContext,
): PathContext {
  const { cwd: _, ...around } = context
  const place: PathContext = elsewhere === true ? { roots: [] } : around
  return {
    ...place,
    ...(cwd !== undefined && { cwd }),
    ...(folder !== undefined && { folder }),
    ...(view !== undefined && { view, here: around }),
  }
}

export function placeOf(around: {
  readonly cwd?: string
  readonly home?: string | undefined
  readonly workspaceRoots: readonly string[]
}): PathContext {
  const home = around.home === undefined ? undefined : normalised(around.home)
  return {
    ...(around.cwd !== undefined && { cwd: around.cwd }),
    ...(home !== undefined && { home }),
    roots: projectRoots(
      around.workspaceRoots.flatMap((root) => normalised(root) ?? []),
      home,
    ),
  }
}

/**
 * Returns the workspace roots that hold a project. A session in the home, or in a folder that the home is in, has none:
 * what is there is the person's own. A root below the home still counts beside it. All paths must be normalised.
 */
export const projectRoots = (roots: readonly string[], home: string | undefined): readonly string[] =>
  roots.filter((root) => root !== '/' && (home === undefined || below(root, home) === undefined))

/** Removes `.`, `..` and doubled slashes from an absolute path; returns `undefined` if the path is not absolute. */
function normalised(path: string): string | undefined {
  // `win32.resolve('C:')` returns this process's current folder on that drive, so a backslash is added.
  if (isWindows(path)) return win32.resolve(path.length === 2 ? `${path}\\` : path)
  return path.startsWith('/') ? posix.resolve(path) : undefined
}

/** Resolves a path against a folder, by Windows' or POSIX's rules; `undefined` if it is relative and `cwd` is unknown. */
export function resolved(cwd: string | undefined, path: string): string | undefined {
  if (path.startsWith('/') || isWindows(path))
    return cwd !== undefined && isWindows(cwd) ? onDrive(cwd, path) : normalised(path)
  if (cwd === undefined) return undefined
  if (isWindows(cwd)) return win32.resolve(cwd, path)
  return cwd.startsWith('/') ? posix.resolve(cwd, path) : undefined
}

/** Resolves a path on Windows, where shells such as Git Bash write `/c/Users` for `C:\Users`. */
function onDrive(cwd: string, path: string): string {
  const drive = /^\/([A-Za-z])(?=\/|$)/.exec(path)
  return win32.resolve(cwd, drive === null ? path : `${drive[1]}:/${path.slice(3)}`)
}

/** Recognises `C:\…`, `C:/…` and UNC shares by their syntax, whichever system this process runs on. */
export function isWindows(path: string): boolean {
  const first = path.charCodeAt(0)
  if (first === backslash) return path.charCodeAt(1) === backslash
  if (path.charCodeAt(1) !== colon) return false
  const letter = first | 0x20
  if (letter < 0x61 || letter > 0x7a) return false
  const third = path.charCodeAt(2)
  return path.length === 2 || third === backslash || third === slash
}
const backslash = 92
const slash = 47
const colon = 58

/**
 * Returns the path relative to a folder that holds it: `''` for the folder itself, `undefined` if it is outside. Both
 * must be absolute and normalised.
 */
export function below(folder: string, path: string): string | undefined {
  if (isWindows(folder)) {
    const way = win32.relative(folder, path)
    return way === '..' || way.startsWith('..\\') || win32.isAbsolute(way) ? undefined : way
  }
  return wayWithin(path, folder)
}

const globs = /[*?[\]\\(){}!+@|]/
const everyGlob = /[*?[\]\\(){}!+@|]/g

/** Writes a text as a pattern that matches nothing else. */
export const escaped = (literal: string): string => (globs.test(literal) ? literal.replace(everyGlob, '\\$&') : literal)

/** Returns the innermost root that holds a path, and the path relative to it. */
export function rootOf(roots: readonly string[], path: string): { root: string; inRoot: string } | undefined {
  let found: { root: string; inRoot: string } | undefined
  for (const root of roots) {
    const inRoot = below(root, path)
    if (inRoot !== undefined && root.length > (found?.root.length ?? -1)) found = { root, inRoot }
  }
  return found
}

/**
 * Returns the path of a socket's address: `/run/x`, `unix:/run/x`, `unix://x`, `unix:path=/run/x`, `unix-listen:x`, `x.sock`;
 * `undefined` for a port, a host or an abstract name. Options behind the path are left out: `,fork`, `?mode=600`.
 */
export function boundPath(address: string): string | undefined {
  const family = /^(?:http\+)?(?:unix(?:-[a-z]+)?|ipc|local)(?::{1,2}|\/)(?:\/\/)?(?:path=)?/i.exec(address)?.[0] ?? ''
  const path = address.slice(family.length).replace(/[,;?].*$/s, '')
  const isPath =
    family !== '' ? !path.startsWith('@') : /^[/~]|^\.{1,2}\/|^[^:]+\/[^:]*$|^[^:/]+\.sock(?:et)?$/.test(path)
  return isPath && path !== '' ? path : undefined
}
