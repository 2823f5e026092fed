import { limits } from '../../model/limits.ts'
import { type Refusal, refused } from '../../model/problem.ts'
import { quoted } from '../../model/text.ts'

/** Compiles a regular expression, and refuses one that is malformed or could take too long to match. */
export function compiledPattern(text: string, flags = ''): RegExp | Refusal {
  const why = malformed(text, flags)
  if (why !== undefined) return refused(`the matcher is not a regular expression: ${quoted(why)}`, undefined)
  if (waysOf(text, limits.matcherSubjectCharactersMax) > matcherWaysMax) {
    return refused(
      `the matcher ${quoted(text)} could take very long to match`,
      'use fewer repetitions, and do not nest them',
    )
  }
  return new RegExp(text, flags)
}
/** Ways in which a regular expression may split the longest subject: four times `.*.*.*`, under a second. */
const matcherWaysMax = 1e7

/** Says why a text is no regular expression; `undefined` if it is one. */
export function malformed(text: string, flags = ''): string | undefined {
  try {
    void new RegExp(text, flags)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^Invalid regular expression: /, '') : String(error)
  }
}

/** Estimates as `waysToMatch` does, but without a trailing `.*`: before it, the pattern has already matched. */
export function waysOf(text: string, length: number): number {
  let end = text.length
  while (text.endsWith('.*', end)) end -= '.*'.length
  return waysToMatch(text.slice(0, end), length)
}

/**
 * Estimates the worst-case time of a backtracking regular expression on a subject of `length` characters.
 *
 * The result is the number of ways to divide the subject among the parts of the pattern. Adjacent repetitions multiply,
 * and a repetition of something that can itself match in several ways (`(a+)+`, `(a|b)*`) counts as unbounded.
 *
 * INVARIANT: `pattern` compiles, so brackets are closed and every quantifier has an operand.
 */
export function waysToMatch(pattern: string, length: number): number {
  return waysOfAlternatives({ pattern, at: 0, length })
}

interface Scan {
  readonly pattern: string
  readonly length: number
  at: number
}

function waysOfAlternatives(scan: Scan): number {
  let ways = 0
  let branch = 1
  while (scan.at < scan.pattern.length && scan.pattern[scan.at] !== ')') {
    if (scan.pattern[scan.at] === '|') {
      scan.at++
      ways += branch
      branch = 1
    } else {
      const once = waysOfAtom(scan)
      branch *= waysOfRepeated(once, readQuantifier(scan), scan.length)
      // A quantifier that was not recognised may be any: `{` and a digit are one, or a brace that should be escaped.
      if (/^\{\d/.test(scan.pattern.slice(scan.at, scan.at + 2))) return Infinity
    }
  }
  return ways + branch
}

/** Reads one character, class or group, and returns the ways in which it can match. */
function waysOfAtom(scan: Scan): number {
  const { pattern } = scan
  const character = pattern[scan.at]
  if (character === '(') {
    scan.at += /^\((?:\?(?:[=!]|<[=!]|<[^>]*>|[a-z-]*:))?/.exec(pattern.slice(scan.at))?.[0].length ?? 1
    const ways = waysOfAlternatives(scan)
    scan.at++
    return ways
  }
  if (character === '[') {
    for (scan.at++; scan.at < pattern.length && pattern[scan.at] !== ']'; scan.at++) {
      if (pattern[scan.at] === '\\') scan.at++
    }
    scan.at++
  } else scan.at += character === '\\' ? 2 : 1
  return 1
}

const repetition = /(?:([*+?])|\{(\d+)(?=[,}])(,?)(\d*)\})\??/y

interface Repetition {
  readonly min: number
  readonly max: number
}

function readQuantifier(scan: Scan): Repetition {
  // Digits may be of any number: `{0…01,}` with fifty zeros repeats as `+` does.
  repetition.lastIndex = scan.at
  const [text = '', sign, min, comma, max] = repetition.exec(scan.pattern) ?? []
  scan.at += text.length
  if (sign === '*') return { min: 0, max: Infinity }
  if (sign === '+') return { min: 1, max: Infinity }
  if (sign === '?') return { min: 0, max: 1 }
  if (min === undefined) return { min: 1, max: 1 }
  if (comma === '') return { min: Number(min), max: Number(min) }
  return { min: Number(min), max: max === '' ? Infinity : Number(max) }
}

function waysOfRepeated(ways: number, { min, max }: Repetition, length: number): number {
  const counts = Math.max(1, Math.min(max, length) - min + 1)
  if (ways <= 1) return counts
  return max === Infinity ? Infinity : ways ** max * counts
}
