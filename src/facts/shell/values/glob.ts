import { shellLimits } from '../../../model/limits.ts'

type GlobPart =
  | { readonly kind: 'character'; readonly character: string }
  | { readonly kind: 'any' }
  | { readonly kind: 'star' }
  | { readonly kind: 'set'; readonly negated: boolean; readonly ranges: readonly (readonly [string, string])[] }

/** A parsed shell pattern. */
type Glob = readonly GlobPart[]

/** Parses a pattern; `undefined` for extended globs, named classes (`[[:alpha:]]`) and patterns that are too long. */
export function readGlob(pattern: string): Glob | undefined {
  const parts: GlobPart[] = []
  for (let at = 0; at < pattern.length; at++) {
    if (parts.length > patternPartsMax) return undefined
    const character = pattern.charAt(at)
    if (/[?*+@!]/.test(character) && pattern[at + 1] === '(') return undefined
    if (character === '\\') {
      at++
      parts.push({ kind: 'character', character: pattern.charAt(at) })
    } else if (character === '*') parts.push({ kind: 'star' })
    else if (character === '?') parts.push({ kind: 'any' })
    else if (character === '[') {
      const end = pattern.indexOf(']', at + (/[!^]/.test(pattern.charAt(at + 1)) ? 3 : 2))
      if (end === -1) {
        parts.push({ kind: 'character', character })
        continue
      }
      const set = pattern.slice(at + 1, end)
      if (/\[[:.=]/.test(set)) return undefined
      parts.push(setOf(set))
      at = end
    } else parts.push({ kind: 'character', character })
  }
  return parts
}
/** Parts of a pattern. */
const patternPartsMax = 128

function setOf(text: string): GlobPart {
  const negated = /^[!^]/.test(text)
  const ranges: (readonly [string, string])[] = []
  for (let at = negated ? 1 : 0; at < text.length; at++) {
    if (text[at] === '\\') at++
    const from = text.charAt(at)
    if (text[at + 1] !== '-' || at + 2 >= text.length) ranges.push([from, from])
    else {
      at += 2
      ranges.push([from, text.charAt(at)])
    }
  }
  return { kind: 'set', negated, ranges }
}

function fits(part: GlobPart, character: string): boolean {
  switch (part.kind) {
    case 'character':
      return part.character === character
    case 'any':
    case 'star':
      return true
    case 'set':
      return part.ranges.some(([from, to]) => from <= character && character <= to) !== part.negated
  }
}

/**
 * Returns the ends of all matches that begin at `start`, in order. Simulates an NFA in one pass over the text, so that
 * many stars cannot make it exponential.
 */
function matchEnds(glob: Glob, text: string, start = 0): readonly number[] {
  const ends: number[] = []
  let at = new Set<number>()
  const reach = (part: number, into: Set<number>) => {
    for (let next = part; ; next++) {
      into.add(next)
      if (glob[next]?.kind !== 'star') return
    }
  }
  reach(0, at)
  for (let position = start; ; position++) {
    if (at.has(glob.length)) ends.push(position)
    if (position >= text.length || at.size === 0) return ends
    const after = new Set<number>()
    for (const one of at) {
      const part = glob[one]
      if (part === undefined || !fits(part, text.charAt(position))) continue
      reach(part.kind === 'star' ? one : one + 1, after)
    }
    at = after
  }
}

export const matchesWhole = (glob: Glob, text: string): boolean => matchEnds(glob, text).at(-1) === text.length

const backwards = (text: string) => text.split('').toReversed().join('')

/**
 * `${x#p}`, `${x##p}`, `${x%p}`, `${x%%p}`. Returns `undefined` for unsupported patterns and texts that are too long.
 */
export function removed(text: string, pattern: string, operator: '#' | '##' | '%' | '%%'): string | undefined {
  const glob = readGlob(pattern)
  if (glob === undefined || text.length > shellLimits.patternTextMax) return undefined
  const fromEnd = operator.startsWith('%')
  const ends = fromEnd ? matchEnds(glob.toReversed(), backwards(text)) : matchEnds(glob, text)
  const length = ends.at(operator.length === 2 ? -1 : 0)
  if (length === undefined) return text
  return fromEnd ? text.slice(0, text.length - length) : text.slice(length)
}

/**
 * `${x/p/r}`, `${x//p/r}`, `${x/#p/r}`, `${x/%p/r}`. Returns `undefined` if the pattern is unsupported or too costly.
 */
export function replacePattern(
  text: string,
  pattern: string,
  replacement: string,
  operator: '/' | '//' | '/#' | '/%',
): string | undefined {
  const glob = readGlob(pattern)
  if (glob === undefined) return undefined
  if (glob.every(({ kind }) => kind === 'character') && (operator === '/' || operator === '//')) {
    const plain = glob.map((part) => (part.kind === 'character' ? part.character : '')).join('')
    if (plain === '') return text
    // Native, since a function would be called for each of many matches. In a replacement, `$` means something of its own.
    const inserted = replacement.replaceAll('$', '$$$$')
    return operator === '/' ? text.replace(plain, inserted) : text.replaceAll(plain, inserted)
  }
  if (text.length * text.length * glob.length > patternAnywhereMax) return undefined
  if (operator === '/#') {
    const end = matchEnds(glob, text).at(-1)
    return end === undefined ? text : replacement + text.slice(end)
  }
  if (operator === '/%') {
    const length = matchEnds(glob.toReversed(), backwards(text)).at(-1)
    return length === undefined ? text : text.slice(0, text.length - length) + replacement
  }
  let out = ''
  for (let at = 0; at < text.length;) {
    const end = matchEnds(glob, text, at).at(-1)
    if (end === undefined || end === at) out += text.charAt(at++)
    else {
      out += replacement
      at = end
      if (operator === '/') return out + text.slice(at)
    }
  }
  return out
}
/** Cost of an unanchored match: the square of the text's length times the pattern's. Takes some 20 ms. */
const patternAnywhereMax = 1_000_000
