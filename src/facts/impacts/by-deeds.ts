import type { Impact } from '../../model/impact.ts'
import type { ShellFacts, ShellWord } from '../../model/shell.ts'
import type { Call } from '../../model/calls.ts'
import type { DeedCondition, Deed, Deeds, Family } from './deeds.ts'
import { type LooseLine, lineIn } from '../../model/loose-line.ts'
import { makeImpact, namesGiven } from './make-impact.ts'
import { namedIn, thingNamed } from './naming.ts'
import { isTrial, likeness, type Pattern } from './pattern.ts'
import { deedsOf } from './registry.ts'
import { destroyingWords } from './verb.ts'

/** Options with which nearly every program only says what it would do, or shows its help. */
const commonTrials = 'help dry-run dryrun dry_run what-if whatif generate-cli-skeleton'

/** Returns what a call does by the deeds of its program. */
export const impactsByDeeds = (call: Call, shell: ShellFacts): readonly Impact[] =>
  deedsOf(call.program).flatMap(({ deeds, family }) => impactsOf(call, shell, deeds, family))

/** Returns what a call does by the deeds of its program in one family. */
function impactsOf(call: Call, shell: ShellFacts, deeds: Deeds, family: Family): readonly Impact[] {
  const line = lineIn(call, deeds, asStdin)
  if (deeds.harmless?.some((pattern) => likeness(pattern, line, true) === 'yes')) return []
  return [deeds, ...(deeds.also ?? [])].flatMap((deed) => {
    const found = foundIn(deed, deeds, line)
    if (found === undefined) return []
    const holds = (condition: DeedCondition | undefined) => condition?.(call, line, shell) !== false
    return holds(deed.when) && holds(family.when) ? [impactOf(found, { call, line, deed, deeds, family })] : []
  })
}

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
  readonly unsure?: true
}

function foundIn(deed: Deed, deeds: Deeds, line: LooseLine): Found | undefined {
  const isAnything = deeds.runsAnything === true && line.words[0]?.unknown === true
  let unsure: Found | undefined
  for (const undo of ['never', 'work'] as const) {
    for (const pattern of deed[undo] ?? []) {
      const like = likeness(pattern, line)
      if (like === 'no') continue
      // Only now, since most command lines are like no pattern.
      const trial = trialOf(deeds, line)
      if (trial === 'yes') return undefined
      const found = { undo, ...saidBy(pattern, line) }
      if (like === 'yes' && trial === 'no') return found
      if (!isAnything) unsure ??= { ...found, unsure: true }
    }
  }
  const words = deed.byVerb === undefined ? undefined : destroyingWords(line, deeds)
  if (words === undefined || deed.byVerb === undefined) return unsure
  const found = { undo: deed.byVerb, words, count: words.split(' ').length }
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

function saidBy(pattern: Pattern, line: LooseLine): Pick<Found, 'words' | 'count'> {
  const parts = pattern.split(' ').filter((part) => part !== '')
  const count = parts.filter((part) => !/^!?-/.test(part)).length
  const options = parts.flatMap((part) => (part.startsWith('-') ? [givenOf(part, line)] : []))
  const words = line.words.slice(0, count).map((word) => (word.unknown ? '…' : word.text))
  return { words: [...words, ...options].join(' '), count }
}

/** Returns that of the options of a pattern's part which is given. */
function givenOf(part: string, line: LooseLine): string {
  const alternatives = part.split('|')
  const given = alternatives.find((one) => line.options.has(one.replace(/[=~].*/, '').replace(/^-+/, '')))
  return (given ?? alternatives[0] ?? part).replace(/~.*/, '')
}

interface FoundIn {
  readonly call: Call
  readonly line: LooseLine
  readonly deed: Deed
  readonly deeds: Deeds
  readonly family: Family
}

function impactOf({ undo, words, count, unsure }: Found, { call, line, deed, deeds, family }: FoundIn): Impact {
  const read = namedIn(line.words, count, deeds.objectLast === true)
  const object = deed.object ?? read.object
  return makeImpact(call, line, {
    kind: deed.kind ?? family.kind ?? read.kind ?? 'delete',
    thing: deed.thing ?? (object === undefined ? undefined : thingNamed(object)) ?? family.thing,
    area: family.area,
    ...(object !== undefined && { object }),
    names: [...namesGiven(line), ...read.names],
    undo,
    ...(unsure && { unsure }),
    words,
  })
}
