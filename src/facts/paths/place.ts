import { posix, win32 } from 'node:path'
import {
  type ShellBind,
  type ShellCommand,
  type ShellView,
  type ShellWord,
  unknownPart,
  unknownWord,
} from '../../model/shell.ts'
import { wayWithin } from '../../words/paths.ts'
import { shellLimits } from '../../model/limits.ts'
import { escapeGlob } from '../../model/text.ts'

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

/** Returns the directories of an event: those of the session, with the home if it is known. */
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

/** Removes `.`, `..` and double slashes from an absolute path; `undefined` if the path is not absolute. */
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

/** A working directory: its path, or a word for it of which only a part is known; `undefined` if nothing is. */
export type Folder = string | ShellWord | undefined

/** Returns the path of a folder that is known whole. */
export const knownFolder = (folder: Folder): string | undefined => (typeof folder === 'string' ? folder : undefined)

/** Returns what is known of a folder that is not known whole. */
export const partOf = (folder: Folder): ShellWord | undefined => (typeof folder === 'object' ? folder : undefined)

export const sameFolder = (one: Folder, other: Folder): boolean =>
  one === other || (typeof one === 'object' && typeof other === 'object' && one.value === other.value)

/** Returns the folder that a word names for a command in another one. */
export function folderIn(from: Folder, word: ShellWord): Folder {
  const { value, unresolved, pattern } = word
  const isOpen = unresolved === true || value.includes(unknownPart) || pattern !== undefined
  if (!isOpen && isAbsolute(value)) return posix.normalize(value).replace(/(.)\/$/, '$1')
  if (!isOpen && typeof from === 'string') return posix.join(from, value).replace(/(.)\/$/, '$1')
  if (from === undefined && !isOpen) return undefined
  const whole = wordIn(from ?? unknownWord, word)
  if (whole.value.length > shellLimits.pathCharactersMax) return undefined
  const [top = '', ...names] = whole.value.split('/')
  const plain = joinWay(top, names.join('/'))
  return plain === undefined ? unknownWord : { ...whole, value: plain }
}

/** Returns a relative word as it would be written elsewhere: below the part that is known of its folder. */
export function wordIn(folder: string | ShellWord, word: ShellWord): ShellWord {
  const { value, pattern } = word
  if (value === '' || isAbsolute(value) || value.startsWith(unknownPart)) return word
  const base: ShellWord = typeof folder === 'string' ? { value: folder } : folder
  const { pattern: basePattern, several: _, ...rest } = base
  const joined = joinWay(base.value, value)
  if (joined === undefined) return { value: unknownPart, unresolved: true }
  const whole =
    basePattern === undefined && pattern === undefined
      ? undefined
      : joinWay(basePattern ?? escapeGlob(base.value), pattern ?? escapeGlob(value))
  const from = [...(base.from ?? []), ...(word.from ?? [])]
  return {
    ...rest,
    value: joined,
    ...(word.variable !== undefined && rest.unresolved !== true && { variable: word.variable }),
    ...(joined.includes(unknownPart) && { unresolved: true }),
    ...(whole !== undefined && { pattern: whole }),
    ...(from.length > 0 && { from: [...new Set(from)] }),
  }
}

const isAbsolute = (path: string) => path.startsWith('/') || isWindows(path)

/** Joins a way to a folder; `undefined` if it goes up from a name that is not known. */
function joinWay(folder: string, way: string): string | undefined {
  const parts = folder.split('/')
  for (const part of way.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (/^$|[\uFDD0*?[]/.test(parts.pop() ?? '')) return undefined
  }
  return parts.join('/')
}

/** Returns true for a path that goes up again behind a part that is not known. */
function leadsOut(path: string): boolean {
  const at = path.search(/[\uFDD0\0]/)
  return at !== -1 && /\/\.\.(?:\/|$)/.test(path.slice(at))
}

/** Makes a path of a view absolute, by its own names; `undefined` if its beginning is unknown. */
export function absoluteIn({ cwd }: ShellView, path: string): string | undefined {
  if (/^[\uFDD0\0]/.test(path) || leadsOut(path)) return undefined
  if (path.startsWith('/')) return posix.resolve(path)
  return cwd?.startsWith('/') === true ? posix.resolve(cwd, path) : undefined
}

/** Returns the bind that holds a path of a view, if one does. */
function bindOf(path: string, binds: readonly ShellBind[]): ShellBind | undefined {
  let found: ShellBind | undefined
  for (const one of binds)
    if (one.there.length >= (found?.there.length ?? 0) && below(one.there, path) !== undefined) found = one
  return found
}

/** Returns the path that a path of a view has on this machine; `undefined` if it is in no folder of it. */
export function hereOf(path: string, binds: readonly ShellBind[]): string | undefined {
  const bind = bindOf(path, binds)
  return bind?.here === undefined ? undefined : joined(bind.here, path.slice(bind.there.length))
}

const joined = (folder: string, rest: string) => `${folder.replace(/\/$/, '')}/${rest.replace(/^\//, '')}`

/** Returns the word by which this machine would name what a word of a view names; `undefined` if it is not of it. */
export function wordHere(word: ShellWord, view: ShellView): ShellWord | undefined {
  const there = absoluteIn(view, word.value)
  const here = there === undefined ? undefined : hereOf(there, view.binds)
  if (there === undefined || here === undefined) return undefined
  const { pattern, ...rest } = word
  const moved = { ...rest, value: here, ...(here.includes('\uFDD0') && { unresolved: true as const }) }
  if (pattern === undefined) return moved
  const bind = bindOf(there, view.binds)
  const open = pattern.startsWith('/') ? pattern : `${escaped(view.cwd ?? '')}/${pattern}`
  const start = escaped(bind?.there ?? '').replace(/\/$/, '')
  // A pattern that leads out of the bind may match what is in no folder of it.
  if (!open.startsWith(start) || open.includes('/..'))
    return { ...moved, value: `${bind?.here}/\uFDD0`, unresolved: true }
  return { ...moved, pattern: joined(escaped(bind?.here ?? ''), open.slice(start.length)) }
}

/** Returns the binds below a path of a view, which whatever is done to all of that path is done to as well. */
export function bindsBelow(path: string, { binds }: ShellView): readonly ShellBind[] {
  return binds.filter(({ there }) => there !== path && below(path, there) !== undefined)
}
