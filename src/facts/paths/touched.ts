import { dirname, win32 } from 'node:path'
import {
  type PathAccess,
  type PathChange,
  type PathRight,
  type ShellView,
  type ShellWord,
  type TouchedPath,
  unknownPart,
} from '../../model/shell.ts'
import { plainReading } from '../../words/plain-reading.ts'
import {
  absoluteIn,
  below,
  bindsBelow,
  escaped,
  isWindows,
  type PathContext,
  resolved,
  rootOf,
  wordHere,
  wordIn,
} from './place.ts'

/** The attributes of a touched path besides its access. */
export interface TouchedHow {
  readonly recursive?: boolean
  readonly metadata?: boolean
  readonly sealed?: boolean
  readonly change?: PathChange | undefined
  readonly rights?: readonly PathRight[] | undefined
}

/**
 * Converts a shell word to the path that it names, without looking at the disk. In `written`, an unknown part that comes
 * from a variable is shown as `$NAME`.
 */
export function touchedPath(named: ShellWord, access: PathAccess, place: PathContext, how?: TouchedHow): TouchedPath {
  const { view, here, folder } = place
  const word = folder === undefined ? named : wordIn(folder, named)
  const bound = view === undefined ? undefined : (wordHere(word, view) ?? wordInRootHome(word, view, here?.home))
  if (bound !== undefined && here !== undefined) {
    const path = touchedPath(bound, access, here, how)
    return { ...path, ...(!bound.value.includes(unknownPart) && { written: writtenOf(word) }), bound: true }
  }
  const touched: Mutable<TouchedPath> = { written: writtenOf(word), access }
  if (how?.recursive === true) touched.recursive = true
  if (how?.metadata === true) touched.metadata = true
  if (how?.sealed === true) touched.sealed = true
  if (how?.change !== undefined) touched.change = how.change
  if (how?.rights !== undefined) touched.rights = how.rights
  if (word.unresolved === true || word.value.includes(unknownPart) || word.value.includes('\0'))
    touched.unresolved = true
  if (touched.unresolved === true && word.from !== undefined) touched.from = word.from
  const absolute = touched.unresolved ? holderOf(word.value, place) : absoluteOf(word, touched, place)
  if (absolute === undefined) return touched
  touched.absolute = absolute
  const inside = rootOf(place.roots, absolute)
  if (inside !== undefined) {
    touched.root = inside.root
    touched.inRoot = inside.inRoot
  }
  const inHome = place.home === undefined ? undefined : below(place.home, absolute)
  if (inHome !== undefined) touched.inHome = inHome
  if (isAscii.test(absolute)) return touched
  const way = inside?.inRoot ?? inHome ?? absolute
  const plain = plainWay(way)
  if (plain === way) return touched
  touched.real = absolute.slice(0, absolute.length - way.length) + plain
  if (inside !== undefined) touched.inRoot = plain
  if (inHome !== undefined) touched.inHome = below(place.home ?? '', touched.real) ?? inHome
  return touched
}
// oxlint-disable-next-line no-control-regex -- all of ASCII
const isAscii = /^[\0-\x7F]*$/

/**
 * Returns a way on which each name is the one of ASCII that it is taken for: `.ѕsh` with a Cyrillic letter is `.ssh`, which
 * it is the same as on some disks. Names of other letters alone are names, unless they begin with a dot.
 */
const plainWay = (way: string): string =>
  way.replaceAll(/[^\\/]+/g, (name) => {
    const plain = plainReading(name)
    return plain !== undefined && (plain.startsWith('.') || /[a-z]/i.test(name)) ? plain : name
  })
type Mutable<Whole> = { -readonly [Key in keyof Whole]: Whole[Key] }

/** The shell of a container takes `~` for the home of its own user, which is mostly root. */
function wordInRootHome(word: ShellWord, view: ShellView, home: string | undefined): ShellWord | undefined {
  const way = home === undefined ? undefined : below(home, word.value)
  return way === undefined ? undefined : wordHere({ value: `/root/${way}` }, view)
}

/** Returns the folder in front of the first name with a wildcard or an unknown part; a path without one as it is. */
function knownFolder(path: string): string {
  const at = path.search(/[*?[\uFDD0]/)
  return at === -1 ? path : path.slice(0, path.lastIndexOf('/', at) + 1) || '/'
}

/**
 * Returns the folders of this machine that are touched with a path of a command that sees them below it: all of what is
 * there, or what an unknown name or a pattern may mean.
 */
export function heldPaths(word: ShellWord, path: TouchedPath, { view, here }: PathContext): readonly TouchedPath[] {
  if (view === undefined || here === undefined) return []
  const isWhole = path.recursive === true || path.pattern !== undefined || path.unresolved === true
  const folder = isWhole ? absoluteIn(view, knownFolder(word.value)) : undefined
  if (folder === undefined) return []
  return bindsBelow(folder, view).flatMap((bind) => {
    if (bind.here === undefined) return []
    const value = path.recursive === true ? bind.here : `${bind.here}/${unknownPart}`
    const held = touchedPath({ value }, path.access, here, path)
    return [{ ...held, written: path.written, bound: true as const }]
  })
}

function writtenOf({ value, variable }: ShellWord): string {
  return variable === undefined ? value : value.replaceAll(unknownPart, `$${variable}`)
}

function absoluteOf(word: ShellWord, touched: Mutable<TouchedPath>, place: PathContext): string | undefined {
  if (word.pattern === undefined) return resolved(place.cwd, word.value)
  const pattern = patternOf(word.pattern, place.cwd)
  if (pattern === undefined) return resolved(place.cwd, word.value)
  touched.pattern = pattern
  return folderOfMatches(pattern)
}

/** Makes a glob pattern absolute. A `..` removes the part before it, also where that part is a wildcard. */
function patternOf(pattern: string, cwd: string | undefined): string | undefined {
  if (isWindows(pattern)) return pattern
  if (pattern.startsWith('/')) return joined(pattern)
  if (cwd === undefined) return undefined
  return joined(`${escaped(cwd)}/${pattern}`)
}

function joined(pattern: string): string {
  const parts: string[] = []
  for (const part of pattern.split('/')) {
    if (part === '' || part === '.') continue
    if (part === '..') parts.pop()
    else parts.push(part)
  }
  return `/${parts.join('/')}`
}

/** Tells whether a part of a pattern has wildcards, and so may match more than its own text. */
function isOpen(part: string): boolean {
  for (let at = 0; at < part.length; at++) {
    const one = part.charAt(at)
    if (one === '\\') at++
    else if (one === '*' || one === '?' || one === '[') return true
    else if (part.charAt(at + 1) === '(' && (one === '@' || one === '+' || one === '!')) return true
  }
  return false
}

function folderOfMatches(pattern: string): string {
  if (isWindows(pattern)) return win32.resolve(pattern.slice(0, pattern.search(/[*?[]/) + 1 || undefined), '..')
  const parts: string[] = []
  for (const part of pattern.split('/').slice(1)) {
    if (isOpen(part)) return `/${parts.join('/')}`
    parts.push(part.includes('\\') ? part.replace(/\\(.)/gs, '$1') : part)
  }
  return `/${parts.join('/')}`
}

/**
 * Returns the known folder that holds a partly unknown path. Returns `undefined` if a `..` follows the unknown part,
 * since the path may then lead anywhere.
 */
function holderOf(value: string, place: PathContext): string | undefined {
  const unknown = value.search(holes)
  const known = unknown === -1 ? value : value.slice(0, unknown)
  if (unknown === 0 || known === '') return undefined
  if (/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(value.slice(unknown))) return undefined
  const folder = /[\\/]$/.test(known) ? known : known.slice(0, known.lastIndexOf('/') + 1)
  if (folder === '') return place.cwd === undefined ? undefined : resolved(place.cwd, '.')
  return resolved(place.cwd, folder)
}
const holes = /[\uFDD0\0]/

/** Returns the parent folder, by the rules of the path's own system. */
export function folderOf(path: string): string {
  return isWindows(path) ? win32.dirname(path) : dirname(path)
}
