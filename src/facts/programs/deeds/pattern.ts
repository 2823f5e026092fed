import { isOneOf, type LooseLine, type LineWord } from '../../../words/loose-line.ts'

/**
 * A pattern of a command line, in words: `kv delete|destroy` are the first words that are no options, `*` any one word.
 * `--force|-f` is an option that must be given, `!--keep` one that must not, `--replicas=0` one that must
 * have that value, in lower case, `--args~absent` one whose value must have that in it.
 * Options without values are the same with one dash as with two, and `--security-*` is any that begins so.
 * Programs of Windows have theirs as they are written there: `/delete`.
 */
export type Pattern = string

/** The result of matching a pattern; `maybe` if it depends on words that are known only at run time. */
export type Likeness = 'yes' | 'maybe' | 'no'

/** `delete-*` is every word that begins so, `*key*` every word that has it in it. */
const isNamed = (text: string, name: string) => {
  if (!name.endsWith('*')) return text === name
  return name.length > 2 && name.startsWith('*') ? text.includes(name.slice(1, -1)) : text.startsWith(name.slice(0, -1))
}

/** A pattern, taken apart. */
interface PatternParts {
  /** The alternatives of each of its words. */
  readonly words: readonly (readonly string[])[]
  /** Its options, each with all its alternatives: `--force|-f`. */
  readonly given: readonly string[]
  /** Its options that must not be given, without their `!`, each with all its alternatives. */
  readonly absent: readonly string[]
}

/** Patterns of entries, which are few: of each command line, dozens are asked for. */
const known = new Map<Pattern, PatternParts>()

function partsOf(pattern: Pattern): PatternParts {
  const ready = known.get(pattern)
  if (ready !== undefined) return ready
  const all = pattern.split(' ').filter((part) => part !== '')
  const parts = {
    words: all.flatMap((part) => (/^!?[-/]/.test(part) ? [] : [part.split('|')])),
    given: all.filter((part) => /^[-/]/.test(part)),
    absent: all.flatMap((part) => (part.startsWith('!-') ? [part.slice(1)] : [])),
  }
  known.set(pattern, parts)
  return parts
}

/** Holds the words of a pattern against those of a line, each from a place on. */
function wordsAreLike(wanted: PatternParts['words'], words: readonly LineWord[], from = 0, at = 0): Likeness {
  const alternatives = wanted[from]
  if (alternatives === undefined) return 'yes'
  const word = words[at]
  if (word === undefined) return 'no'
  // An unknown word followed by a harmless verb is assumed to be options.
  if (word.unknown) return words.slice(at + 1, at + 3).some((one) => isOneOf(one.text, otherVerbs)) ? 'no' : 'maybe'
  const text = word.text.toLowerCase()
  const isLike = alternatives.some((one) => isNamed(text, one))
  const here = isLike ? wordsAreLike(wanted, words, from + 1, at + 1) : 'no'
  return here === 'no' && word.maybeValue ? wordsAreLike(wanted, words, from, at + 1) : here
}

/** Returns how many words of a pattern say what is done: those up to the last one that may not be any word. */
export const fixedWords = (pattern: Pattern): number =>
  partsOf(pattern).words.findLastIndex(([word]) => word !== '*') + 1

const nameOf = (option: string) => option.replace(/[=~].*/, '').replace(/^[-/]+/, '')

/** Returns the one of a pattern's alternatives that is given with the value that it wants. */
export function matchingOption(line: LooseLine, alternatives: string): string | undefined {
  for (const one of alternatives.split('|')) {
    const isValued = /[=~]/.test(one)
    if (isValued && hasValue(line, one, false)) return one
    const name = isValued ? undefined : namesMeant(line, one).find((own) => line.has(own) && line.options.has(own))
    if (name !== undefined) return one.endsWith('*') ? `-${name}` : one
  }
  return undefined
}

/** Returns the options that an alternative of a pattern means: those of the line, if it is only how they begin. */
function namesMeant({ options }: LooseLine, one: string): readonly string[] {
  const name = nameOf(one)
  return name.endsWith('*') ? [...options.keys()].filter((own) => isNamed(own, name)) : [name]
}

/** Checks whether an option has the value that `--replicas=0` or `--args~absent` wants: its last one, or else any. */
function hasValue(line: LooseLine, option: string, certainly: boolean): boolean {
  const at = option.search(/[=~]/)
  const all = line.options.get(nameOf(option)) ?? []
  const wanted = option.slice(at + 1)
  return (certainly ? all.slice(-1) : all).some((value) =>
    option.charAt(at) === '=' ? value.toLowerCase() === wanted : value.toLowerCase().includes(wanted),
  )
}

/** Checks whether one of a pattern's options is given: certainly, or else perhaps. */
function isGiven(line: LooseLine, alternatives: string, certainly: boolean): boolean {
  const parts = alternatives.split('|')
  const names = parts.filter((one) => !/[=~]/.test(one)).flatMap((one) => namesMeant(line, one))
  if (names.length > 0 && (certainly ? line.surely(...names) : line.has(...names))) return true
  return parts.some((one) => /[=~]/.test(one) && hasValue(line, one, certainly))
}

/**
 * Holds a command line against a pattern. Options that may be on count against the command: as given in a pattern of a
 * danger, as not given in one of something harmless.
 */
export function likeness(pattern: Pattern, line: LooseLine, isHarmless = false): Likeness {
  const { words, given, absent } = partsOf(pattern)
  const named = wordsAreLike(words, line.words)
  if (named === 'no' || absent.some((option) => isGiven(line, option, !isHarmless))) return 'no'
  if (given.every((option) => isGiven(line, option, isHarmless))) return named
  return line.uncertain ? 'maybe' : 'no'
}

/** The words of a command line that a pattern is like, how many there are without options, and those options. */
interface Said {
  readonly words: string
  readonly count: number
  readonly options: readonly string[]
}

/** Returns the words of a command line that a pattern is like. */
export function saidBy(pattern: Pattern, line: LooseLine): Said {
  const count = fixedWords(pattern)
  const options = partsOf(pattern).given.map((part) =>
    shownOption(matchingOption(line, part) ?? part.split('|', 1)[0] ?? part),
  )
  const words = line.words.slice(0, count).map((word) => (word.unknown ? '…' : word.text))
  return { words: [...words, ...options].join(' '), count, options }
}

/** Writes an option of a pattern as people do: `-s stop` for `-s=stop`. What a value only has in it is left out. */
const shownOption = (option: string): string => option.replace(/~.*/, '').replace(/^(-\w)=/, '$1 ')

/** Tells whether a command line only requests help or a dry run. */
export function isTrial(line: LooseLine, trials: string): Likeness {
  if (line.words[0]?.text === 'help') return 'yes'
  const names = trials.split(' ')
  if (!line.has(...names)) return 'no'
  const isDoubtful = names.every((name) => !line.options.has(name) || line.doubtful.has(name))
  return line.surely(...names) && !isDoubtful ? 'yes' : 'maybe'
}

/** Verbs that take something away, in the programs of clouds. */
const destroyingVerbs =
  'delete destroy remove rm del purge terminate drop wipe nuke revoke deregister unregister uninstall prune reset truncate ' +
  'unset clear flush erase undeploy deprovision decommission delete-all'

/** Verbs that decide what a command is about without taking anything away: what follows them are names. */
const otherVerbs =
  'list ls get show describe view info inspect diff plan validate help version whoami create add set update edit new init ' +
  'start open import export download upload pull push copy cp read retrieve write use select switch connect attach apply enable ' +
  'restart resume rename tag wait watch tail query invoke call test check lint build generate publish submit approve ' +
  'comment clone fork sync rerun trigger print explain ps up exec ssh scp cancel suspend pause resize ' +
  'scale promote rollback deploy undelete recover lock unlock upgrade migrate verify simulate restore put head stat cat search status log logs login logout'

export interface VerbRules {
  /** Verbs besides `destroyingVerbs` that take something away here. */
  readonly verbs?: string
  /** Words that are things here and no verbs. */
  readonly nouns?: string
  /** The first word is never a verb, as in `gcloud deploy releases delete`. */
  readonly groupFirst?: boolean
}

/**
 * How many words in front of the verb name what it is about, in the longest commands that clouds have
 * (`az network application-gateway waf-policy managed-rule exclusion rule-set remove`).
 */
const nounsMax = 8

/** Returns the verbs that a word may contain: `domains:remove` ends with one, `delete-queue` begins with one. */
function verbsIn(word: string): readonly string[] {
  const whole = word.toLowerCase()
  const hyphen = /^(?:delete|remove|purge|revoke|unset|terminate|add|create|get|list|set|update|describe)(?=-)/.exec(
    whole,
  )
  return hyphen === null ? whole.split(':') : [hyphen[0]]
}

/** The first verb of a command line, if it takes something away: the words up to it. */
export function destroyingWords(line: LooseLine, rules: VerbRules): string | undefined {
  const destroying = `${destroyingVerbs} ${rules.verbs ?? ''}`
  const find = (withValues: boolean): { words: string | undefined } | undefined => {
    const words = line.words.filter((word) => withValues || !word.maybeValue)
    for (const [at, word] of words.slice(0, nounsMax).entries()) {
      if (at === 0 && rules.groupFirst === true) continue
      for (const verb of verbsIn(word.text)) {
        if (isOneOf(verb, rules.nouns ?? '')) continue
        if (isOneOf(verb, destroying)) {
          const upTo = words.slice(0, at + 1).map((one) => one.text)
          return { words: upTo.join(' ') }
        }
        if (isOneOf(verb, otherVerbs)) return { words: undefined }
      }
    }
    return undefined
  }
  return (find(false) ?? find(true))?.words
}
