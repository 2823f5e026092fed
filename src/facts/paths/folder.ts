import { posix } from 'node:path'
import { type ShellWord, unknownPart, unknownWord } from '../../model/shell.ts'
import { shellLimits } from '../../model/limits.ts'
import { escapeGlob } from '../../model/text.ts'
import { isWindows } from './place.ts'

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
