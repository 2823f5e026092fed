import { counted, numberText } from '../../parts/counted.ts'
import type { AnswerOf } from '../../../api.ts'

type Week = NonNullable<AnswerOf<'week'>>

/** A rule or an agent, and its counts in words. */
export interface Counted {
  readonly name: string
  readonly counts: string
}

/** A sentence, and the rules or agents that it ends with. */
interface WeekLine {
  readonly text: string
  readonly rules?: readonly Counted[]
  readonly agents?: readonly Counted[]
}

/** Says what changed, in sentences. @param week the figures of both weeks together, and those of the last one */
export function weekLines({ both, now }: Week): readonly WeekLine[] {
  const before = both.all.decided - now.all.decided
  if (both.all.decided === 0) return [{ text: 'Nothing was decided in these two weeks.' }]
  if (before === 0) return [{ text: 'Nothing is recorded of the week before, so there is nothing to compare with.' }]
  const rulesNow = new Map(now.rules)
  const rules = both.rules.map(([name, all]) => {
    const current = rulesNow.get(name) ?? noCounts
    const earlier = {
      refused: all.refused - current.refused,
      asked: all.asked - current.asked,
      observed: all.observed - current.observed,
    }
    return { name, current, earlier, change: objections(current) - objections(earlier) }
  })
  const spoke = rules.toSorted((a, b) => Math.abs(b.change) - Math.abs(a.change))
  const fresh = spoke.filter(({ current, earlier }) => objections(earlier) === 0 && objections(current) > 0)
  const gone = spoke.filter(({ current, earlier }) => objections(earlier) > 0 && objections(current) === 0)
  const stayed = spoke.filter(({ current, earlier }) => objections(earlier) > 0 && objections(current) > 0)
  const byChange = (sign: 1 | -1) =>
    stayed
      .filter(({ change }) => Math.sign(change) === sign)
      .map(({ name, current, earlier }) => ({
        name,
        counts: `${numberText(objections(current))}, before ${numberText(objections(earlier))}`,
      }))
  const agentsNow = new Map(now.agents)
  const agents = both.agents.filter(([name]) => name !== '')
  const appeared = agents.flatMap(([name, all]) => (agentsNow.get(name) === all ? [{ name, counts: calls(all) }] : []))
  const silent = agents.flatMap(([name, all]) => (!agentsNow.has(name) ? [{ name, counts: calls(all) }] : []))
  const lines: readonly WeekLine[] = [
    ...totals.flatMap(({ key, what }) => totalLine(what, now.all[key], both.all[key] - now.all[key])),
    {
      text: 'Rules that objected this week and not the week before:',
      rules: fresh.map(({ name, current }) => ({ name, counts: countsText(current) })),
    },
    {
      text: 'Rules that objected the week before and not since:',
      rules: gone.map(({ name, earlier }) => ({ name, counts: countsText(earlier) })),
    },
    { text: 'Rules that objected more often:', rules: byChange(1) },
    { text: 'Rules that objected less often:', rules: byChange(-1) },
    { text: 'Agents that asked this week and not the week before:', agents: appeared },
    { text: 'Agents that asked the week before and not since:', agents: silent },
  ]
  return lines.filter(({ rules: named, agents: some }) => named?.length !== 0 && some?.length !== 0)
}

const totals = [
  { key: 'decided', what: ['call was decided', 'calls were decided'] },
  { key: 'refused', what: ['call was refused', 'calls were refused'] },
  { key: 'asked', what: ['call was asked about', 'calls were asked about'] },
  { key: 'observed', what: ['call was only observed', 'calls were only observed'] },
  { key: 'failed', what: ['decision had a failure', 'decisions had a failure'] },
] as const

function totalLine([one, several]: readonly [string, string], now: number, before: number): readonly WeekLine[] {
  if (now === 0 && before === 0) return []
  const difference = now - before
  const compared =
    difference === 0
      ? 'as many as before'
      : `${numberText(Math.abs(difference))} ${difference > 0 ? 'more' : 'fewer'} than before`
  return [{ text: `${now === 0 ? 'No' : numberText(now)} ${now === 1 || now === 0 ? one : several}, ${compared}.` }]
}

const noCounts: Pick<Week['now']['all'], 'refused' | 'asked' | 'observed'> = { refused: 0, asked: 0, observed: 0 }

type Objections = typeof noCounts

const objections = ({ refused, asked, observed }: Objections) => refused + asked + observed

const countsText = (counts: Objections) =>
  (['refused', 'asked', 'observed'] as const)
    .filter((key) => counts[key] > 0)
    .map((key) => `${key} ${numberText(counts[key])}`)
    .join(', ')

const calls = (number: number) => counted(number, 'call')
