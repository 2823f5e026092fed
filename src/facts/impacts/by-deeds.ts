import type { Impact } from '../../model/impact.ts'
import type { ShellFacts, ShellWord } from '../../model/shell.ts'
import type { Call } from '../../words/calls.ts'
import type { DeedCondition, Deed, Deeds, Saying } from '../programs/deeds/deeds.ts'
import { type LooseLine, lineIn } from '../../words/loose-line.ts'
import { makeImpact, namesGiven } from './make-impact.ts'
import { namedIn, namesOf, thingNamed } from './naming.ts'
import { fixedWords, isTrial, likeness, matchingOption, type Pattern } from '../programs/deeds/pattern.ts'
import { deedsOf, type PreparedDeeds } from './registry.ts'
import { destroyingWords } from '../programs/deeds/verb.ts'

/** Options with which nearly every program only says what it would do, or shows its help. */
const commonTrials = 'help dry-run dryrun dry_run what-if whatif generate-cli-skeleton'

/** Returns what a call does by the deeds of its program. */
export const impactsByDeeds = (call: Call, shell: ShellFacts): readonly Impact[] =>
  deedsOf(call.program).flatMap(({ deeds, area, rules }) =>
    // Stages are read beside all other impacts, by `withStages`.
    deeds.stage === undefined ? impactsOf(call, shell, lineIn(call, rules, asStdin), deeds, area) : [],
  )

/** Returns what a call does by the deeds of its program in one area. */
function impactsOf(
  call: Call,
  shell: ShellFacts,
  line: LooseLine,
  deeds: Deeds,
  area: PreparedDeeds['area'],
): readonly Impact[] {
  if (deeds.harmless?.some((pattern) => likeness(pattern, line, true) === 'yes')) return []
  const impacts = [deeds, ...(deeds.also ?? [])].flatMap((deed) => {
    const found = foundIn(deed, deeds, line)
    if (found === undefined) return []
    const holds = (condition: DeedCondition | undefined) => condition?.(call, line, shell) !== false
    if (!holds(deed.when) || !holds(area.when)) return []
    const isGrave = found.undo === 'work' && deed.neverIf !== undefined && holds(deed.neverIf)
    const impact = impactOf(isGrave ? { ...found, undo: 'never' } : found, { call, line, deed, deeds, area })
    const finished = area.finish === undefined ? impact : area.finish(impact, line, found.count)
    return finished === undefined ? [] : [finished]
  })
  return impacts.some(({ unsure }) => unsure) ? impacts.filter(isSaidFirst) : impacts
}

/** False for an impact that is said before. Words that are known only at run time may be like several patterns. */
const isSaidFirst = (impact: Impact, at: number, all: readonly Impact[]): boolean =>
  all.findIndex((one) => isSame(one, impact)) === at

const isSame = (one: Impact, other: Impact): boolean =>
  one.kind === other.kind && one.object === other.object && one.names.join(' ') === other.names.join(' ')

/** Writes another command's output as the pipe that it is: `-` for the `/dev/fd/63` of `<(…)`, also behind an option. */
const asStdin = (word: ShellWord): ShellWord => {
  const value = word.value.replace(/(?<=^|=|^-f)\/dev\/(?:stdin|fd\/\d+)$/, '-')
  return value === word.value ? word : { ...word, value }
}

/** The words of a command line that say what it does. */
interface Found {
  readonly undo: Impact['undo']
  readonly words: string
  /** The number of its words, without options. */
  readonly count: number
  /** Of its options, those that say it too. */
  readonly options: readonly string[]
  readonly unsure?: true
}

function foundIn(deed: Deed, deeds: Deeds, line: LooseLine): Found | undefined {
  const isAnything = deeds.runsAnything === true && line.words[0]?.unknown === true
  let unsure: Found | undefined
  for (const undo of ['never', 'work', 'easily'] as const) {
    for (const pattern of deed[undo] ?? []) {
      const like = likeness(pattern, line)
      if (like === 'no') continue
      // Only now, since most command lines are like no pattern.
      const trial = trialOf(deeds, line)
      if (trial === 'yes') return undefined
      const found: Found = { undo, ...saidBy(pattern, line) }
      if (like === 'yes' && trial === 'no') return found
      if (!isAnything) unsure ??= { ...found, unsure: true }
    }
  }
  const words = deed.byVerb === undefined ? undefined : destroyingWords(line, deeds)
  if (words === undefined || deed.byVerb === undefined) return unsure
  const found: Found = { undo: deed.byVerb, words, count: words.split(' ').length, options: [] }
  switch (trialOf(deeds, line)) {
    case 'yes':
      return undefined
    case 'no':
      return found
    case 'maybe':
      return { ...found, unsure: true }
  }
}

const trialOf = ({ trials = '', hIsNoHelp }: Deeds, line: LooseLine) =>
  isTrial(line, [commonTrials, ...(hIsNoHelp === true ? [] : ['h']), trials].join(' ').trim())

function saidBy(pattern: Pattern, line: LooseLine): Pick<Found, 'words' | 'count' | 'options'> {
  const count = fixedWords(pattern)
  const parts = pattern.split(' ').filter((part) => part.startsWith('-'))
  const options = parts.map((part) => shownOption(matchingOption(line, part) ?? part.split('|', 1)[0] ?? part))
  const words = line.words.slice(0, count).map((word) => (word.unknown ? '…' : word.text))
  return { words: [...words, ...options].join(' '), count, options }
}

/** Writes an option of a pattern as people do: `-s stop` for `-s=stop`. What a value only has in it is left out. */
const shownOption = (option: string): string => option.replace(/~.*/, '').replace(/^(-\w)=/, '$1 ')

interface FoundIn {
  readonly call: Call
  readonly line: LooseLine
  readonly deed: Deed
  readonly deeds: Deeds
  readonly area: PreparedDeeds['area']
}

function impactOf({ undo, words, count, options, unsure }: Found, { call, line, deed, deeds, area }: FoundIn): Impact {
  const [pattern, saying] = sayingOf(deed, line, unsure === true)
  const saidObject = saying.object ?? deed.object ?? area.object
  const read = namedIn(line.words, Math.max(count, fixedWords(pattern ?? '')), {
    isObjectSaid: saidObject !== undefined,
    options,
    nicknames: deeds.nicknames ?? {},
    isObjectLast: saidObject === undefined && (saying.objectLast ?? deed.objectLast ?? deeds.objectLast) === true,
  })
  const object = saidObject ?? read.object
  const which = saying.names ?? deed.names ?? area.names
  const names = namesOf(line, which, { ...read, object })
  // Where something is copied from says nothing of where it is changed.
  const places =
    deeds.namesAreIds === true ? [] : which === 'last' ? names : [...read.names, ...names, ...namesGiven(line)]
  const trial = saying.trial ?? deed.trial
  const extent = saying.extent ?? deed.extent
  return makeImpact(call, line, {
    kind: saying.kind ?? deed.kind ?? area.kind ?? read.kind ?? (undo === 'work' ? 'change' : 'delete'),
    thing: saying.thing ?? deed.thing ?? (object === undefined ? undefined : thingNamed(object)) ?? area.thing,
    area: area.name,
    ...(object !== undefined && { object }),
    names,
    places,
    undo,
    ...(extent !== undefined && { extent }),
    ...(unsure && { unsure }),
    ...(trial !== undefined && unsure !== true && { instead: `show the person what \`${trial}\` says first` }),
    words,
  })
}

/** Returns what is said of a command by the first pattern that fits, or that may fit where the deed is not certain. */
function sayingOf({ says = {} }: Deed, line: LooseLine, unsure: boolean): readonly [Pattern | undefined, Saying] {
  const fitting = Object.entries(says).flatMap(([pattern, saying]) => {
    const like = likeness(pattern, line)
    return like === 'no' ? [] : [{ pattern, saying, isSure: like === 'yes' }]
  })
  const found = fitting.find(({ isSure }) => isSure) ?? (unsure ? fitting[0] : undefined)
  return found === undefined ? [undefined, {}] : [found.pattern, found.saying]
}
