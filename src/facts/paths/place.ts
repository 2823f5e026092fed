import { posix, win32 } from 'node:path'

/** What a written path is relative to. */
export interface Place {
  /** Absolute; absent where it is not known, or on another machine. */
  readonly cwd?: string
  readonly home?: string
  /** Absolute and normalised. */
  readonly roots: readonly string[]
}

export function placeOf(around: {
  readonly cwd?: string
  readonly home?: string | undefined
  readonly workspaceRoots: readonly string[]
}): Place {
  const home = around.home === undefined ? undefined : normalised(around.home)
  return {
    ...(around.cwd !== undefined && { cwd: around.cwd }),
    ...(home !== undefined && { home }),
    roots: around.workspaceRoots.flatMap((root) => normalised(root) ?? []),
  }
}

/** An absolute path without `.`, `..` and doubled slashes; `undefined` for what is not absolute. */
function normalised(path: string): string | undefined {
  // A drive alone would be the folder that this process has on it.
  if (isWindows(path)) return win32.resolve(path.length === 2 ? `${path}\\` : path)
  return path.startsWith('/') ? posix.resolve(path) : undefined
}

/** The path as it is from a folder, both of them of one kind; `undefined` where that is not known. */
export function resolved(cwd: string | undefined, path: string): string | undefined {
  if (path.startsWith('/') || isWindows(path))
    return cwd !== undefined && isWindows(cwd) ? onDrive(cwd, path) : normalised(path)
  if (cwd === undefined) return undefined
  if (isWindows(cwd)) return win32.resolve(cwd, path)
  return cwd.startsWith('/') ? posix.resolve(cwd, path) : undefined
}

/** A shell on Windows says `/c/Users` for `C:\Users`. */
function onDrive(cwd: string, path: string): string {
  const drive = /^\/([A-Za-z])(?=\/|$)/.exec(path)
  return win32.resolve(cwd, drive === null ? path : `${drive[1]}:/${path.slice(3)}`)
}

/** `C:\…`, `C:/…`, or a share. They are told by their looks, whatever machine this is. */
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

/** A path relative to a folder that holds it, `''` for the folder itself; both absolute and normalised. */
export function below(folder: string, path: string): string | undefined {
  if (isWindows(folder)) {
    const way = win32.relative(folder, path)
    return way === '..' || way.startsWith('..\\') || win32.isAbsolute(way) ? undefined : way
  }
  if (!path.startsWith(folder)) return undefined
  if (path.length === folder.length) return ''
  if (folder === '/') return path.slice(1)
  return path.charCodeAt(folder.length) === slash ? path.slice(folder.length + 1) : undefined
}

/** The innermost root that holds a path. */
export function rootOf(roots: readonly string[], path: string): { root: string; inRoot: string } | undefined {
  let found: { root: string; inRoot: string } | undefined
  for (const root of roots) {
    const inRoot = below(root, path)
    if (inRoot !== undefined && root.length > (found?.root.length ?? -1)) found = { root, inRoot }
  }
  return found
}
