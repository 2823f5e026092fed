import { setOf } from 'hookgate/policy'
import { isOneOf, type Line, type LineWord } from './line.ts'
import { otherVerbs } from './verb.ts'

/**
 * A pattern of a command line, in words: `kv delete|destroy` are the first words that are no options, `*` any one word.
 * `--force|-f` is an option that must be given, `!--keep` one that must not, `--replicas=0` one that must
 * have that value, in lower case, `--args~absent` one whose value must have that in it.
 * Options without values are the same with one dash as with two.
 */
export type Pattern = string

/** The result of matching a pattern; `maybe` if it depends on words that are known only at run time. */
export type Likeness = 'yes' | 'maybe' | 'no'

/** `delete-*` is every word that begins so. */
const isNamed = (text: string, name: string) =>
  name.endsWith('*') ? text.startsWith(name.slice(0, -1)) : text === name

function wordsAreLike(wanted: readonly string[], words: readonly LineWord[]): Likeness {
  const first = wanted[0]
  if (first === undefined) return 'yes'
  const word = words[0]
  if (word === undefined) return 'no'
  // An unknown word followed by a harmless verb is assumed to be options.
  if (word.unknown) return words.slice(1, 3).some((one) => isOneOf(one.text, otherVerbs)) ? 'no' : 'maybe'
  const isLike = first.split('|').some((one) => isNamed(word.text.toLowerCase(), one))
  const here = isLike ? wordsAreLike(wanted.slice(1), words.slice(1)) : 'no'
  return here === 'no' && word.maybeValue ? wordsAreLike(wanted, words.slice(1)) : here
}

/** Values that turn an option off. */
const off = setOf(['false', 'none', '0', 'no'])

function isGiven(line: Line, alternatives: string): boolean {
  return alternatives.split('|').some((one) => {
    const at = one.search(/[=~]/)
    const values = line.options.get(one.slice(0, at === -1 ? undefined : at).replace(/^-+/, ''))
    if (values === undefined) return false
    if (at === -1) return !values.every((value) => off.has(value))
    const wanted = one.slice(at + 1)
    return values.some((value) =>
      one.charAt(at) === '=' ? value.toLowerCase() === wanted : value.toLowerCase().includes(wanted),
    )
  })
}

/** Holds a command line against a pattern. */
export function likeness(pattern: Pattern, line: Line): Likeness {
  const parts = pattern.split(' ').filter((part) => part !== '')
  const named = wordsAreLike(
    parts.filter((part) => !/^!?-/.test(part)),
    line.words,
  )
  if (named === 'no') return 'no'
  let likely = named
  for (const part of parts) {
    if (part.startsWith('!-')) {
      if (isGiven(line, part.slice(1))) return 'no'
    } else if (part.startsWith('-') && !isGiven(line, part)) {
      if (!line.uncertain) return 'no'
      likely = 'maybe'
    }
  }
  return likely
}

/** Tells whether a command line only requests help or a dry run. */
export function isTrial(line: Line, trials: string): Likeness {
  if (line.words[0]?.text === 'help') return 'yes'
  const given = trials.split(' ').filter((name) => line.options.has(name) && isGiven(line, `--${name}`))
  if (given.length === 0) return 'no'
  return given.some((name) => !line.doubtful.has(name)) ? 'yes' : 'maybe'
}
