import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { Decision, restricts } from '../model/effect.ts'
import { conditionOf, type DecisionFilter } from './filter.ts'
import { idAt } from './record.ts'
import {
  bucketsSince,
  columnText,
  type DecisionFigures,
  figuresAdded,
  noFigures,
  rowsOf,
  type RuleFigures,
} from './stats.ts'
import { dayOf } from './tally.ts'
import { type DurationBar, histogramOf, numberIn, percentile } from './times.ts'

export interface HistoryFilter extends Pick<DecisionFilter, 'agent' | 'project'> {
  /** Where each span of time begins, ms since the epoch, ascending. The last one has no end. */
  readonly startsMs: readonly [number, ...number[]]
}

/** What was decided in the course of time. */
export interface DecisionHistory {
  /** Of each span, without decisions that were only counted. */
  readonly spans: readonly DecisionFigures[]
  /** How many decisions were only counted, by the day in UTC, from the day of the beginning on. */
  readonly counted: ReadonlyMap<string, number>
  /** Those with decisions in that time, whatever the filter, the most frequent first. */
  readonly agents: readonly string[]
  readonly projects: readonly string[]
  readonly rules: ReadonlyMap<string, RuleFigures>
  /** By the rule that failed; `undefined` is hookgate itself. The most frequent first. */
  readonly failures: ReadonlyMap<string | undefined, FailureFigures>
  /** Of each rule, of every agent and project; `''` is the whole decision. The slowest first. */
  readonly times: ReadonlyMap<string, Distribution>
  /** Rows that are not what hookgate writes. */
  readonly unreadable: number
}

/** How often something failed, and how it did so last. */
export interface FailureFigures {
  readonly number: number
  readonly code: string
  readonly message: string
  /** The id of the last decision that it failed at. */
  readonly id: string
}

/** How long evaluations took. */
export interface Distribution {
  readonly number: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
  /** What none was longer than. */
  readonly maxMs: number
  readonly bars: readonly DurationBar[]
}

/** Reads what was decided in each span of time. */
export function readHistory(database: DatabaseSync, filter: HistoryFilter): DecisionHistory {
  const { startsMs, agent, project } = filter
  const [sinceMs] = startsMs
  const starts = startsMs.map(idAt)
  const day = dayOf(new Date(sinceMs).toISOString())
  const groups = [...recordedGroups(database, starts), ...countedGroups(database, day)]
  const isAsked = (group: Group) =>
    (agent === undefined || group.agent === agent) && (project === undefined || isWithin(group.project, project))
  const asked = groups.filter(isAsked)
  const spoken = readSpoken(database, { sinceMs, agent, project }, starts)
  const spans = [...spoken.spans]
  const counted = new Map<string, number>()
  for (const group of asked) {
    if ('day' in group) counted.set(group.day, (counted.get(group.day) ?? 0) + group.number)
    else spans[group.span] = figuresAdded(spans[group.span] ?? noFigures, figuresOf(group))
  }
  return {
    spans,
    counted,
    agents: mostFrequent(groups, (group) => group.agent),
    projects: mostFrequent(groups, (group) => group.project),
    rules: spoken.rules,
    failures: spoken.failures,
    times: distributions(database, day),
    unreadable: asked.reduce((sum, group) => sum + (isUnreadable(group) ? group.number : 0), 0),
  }
}

const RecordedGroup = z.strictObject({
  span: z.int(),
  agent: columnText,
  project: columnText,
  outcome: columnText,
  number: z.int(),
})
const CountedGroup = z.strictObject({ day: z.string(), agent: z.string(), project: z.string(), number: z.int() })
type RecordedGroup = z.infer<typeof RecordedGroup>
type Group = RecordedGroup | z.infer<typeof CountedGroup>

/** Reads the index alone, each row of it once. */
function recordedGroups(database: DatabaseSync, starts: readonly string[]): readonly RecordedGroup[] {
  // An id begins with a moment, so that a span of time is a range of the index. CROSS JOIN keeps the order of the loops.
  const query = `WITH
      starts AS (SELECT key AS span, value AS low FROM json_each(?)),
      spans AS (SELECT span, low, lead(low, 1, '~') OVER (ORDER BY span) AS high FROM starts)
    SELECT span, agent, project, outcome, count(*) AS number
    FROM spans CROSS JOIN decisions WHERE id >= low AND id < high GROUP BY 1, 2, 3, 4`
  return rowsOf(database, RecordedGroup, query, [JSON.stringify(starts)])
}

function countedGroups(database: DatabaseSync, day: string): readonly Group[] {
  const query = `SELECT day, agent, project, sum(number) AS number FROM counts WHERE day >= ? GROUP BY 1, 2, 3`
  return rowsOf(database, CountedGroup, query, [day])
}

const figuresOf = ({ outcome, number }: RecordedGroup): DecisionFigures => ({
  ...noFigures,
  decided: number,
  refused: outcome === 'deny' ? number : 0,
  asked: outcome === 'ask' || outcome === 'defer' ? number : 0,
})

const isUnreadable = (group: Group) => 'outcome' in group && !Decision.safeParse(group.outcome).success

/** Returns whether a folder is another one or below it, as `conditionOf` says it in SQL. */
const isWithin = (folder: string, other: string) =>
  folder === other || folder.startsWith(other.endsWith('/') ? other : `${other}/`)

function mostFrequent(groups: readonly Group[], nameOf: (group: Group) => string): readonly string[] {
  const numbers = new Map<string, number>()
  for (const group of groups) numbers.set(nameOf(group), (numbers.get(nameOf(group)) ?? 0) + group.number)
  return [...numbers]
    .filter(([name]) => name !== '')
    .toSorted(([, a], [, b]) => b - a)
    .map(([name]) => name)
}

const SpokenRow = z.strictObject({
  id: z.string(),
  evaluations: z.string().nullable(),
  error: z.string().nullable(),
})

/** Not strict: a newer version may add fields, and a row may be anything. */
const SpokenEvaluation = z.object({
  ruleId: z.string(),
  effect: z.string().optional(),
  observed: z.unknown().optional(),
  failure: z.object({ code: z.string(), message: z.string() }).optional(),
})
const SpokenError = z.object({ code: z.string(), message: z.string() })

/** Reads the records of decisions at which a rule spoke or failed, each once. */
function readSpoken(database: DatabaseSync, filter: DecisionFilter, starts: readonly string[]) {
  const spans = starts.map(() => ({ ...noFigures }))
  const rules = new Map<string, RuleFigures>()
  const failures = new Map<string | undefined, FailureFigures>()
  const { condition, values } = conditionOf(filter)
  const query = `SELECT id, record -> '$.evaluations' AS evaluations, record -> '$.error' AS error
    FROM decisions WHERE spoken AND ${condition} ORDER BY decisions.id`
  let span = 0
  for (const raw of database.prepare(query).iterate(...values)) {
    const row = SpokenRow.safeParse({ ...raw }).data
    if (row === undefined) continue
    const { id } = row
    while (span + 1 < starts.length && id >= (starts[span + 1] ?? '')) span += 1
    const error = SpokenError.safeParse(parsed(row.error)).data
    const evaluations = evaluationsIn(row.evaluations)
    const fail = (rule: string | undefined, { code, message }: z.infer<typeof SpokenError>) =>
      failures.set(rule, { number: (failures.get(rule)?.number ?? 0) + 1, code, message, id })
    if (error !== undefined) fail(undefined, error)
    for (const { ruleId, effect, observed, failure } of evaluations) {
      rules.set(ruleId, ruleAdded(rules.get(ruleId), effect, isThere(observed), failure !== undefined))
      if (failure !== undefined) fail(ruleId, failure)
    }
    const own = spans[span]
    if (own === undefined) continue
    if (evaluations.some(({ effect, observed }) => isThere(observed) && restricts(effect))) own.observed += 1
    if (row.error !== null || evaluations.some(({ failure }) => failure !== undefined)) own.failed += 1
  }
  const mostFirst = [...failures].toSorted(([, a], [, b]) => b.number - a.number)
  return { spans, rules: sortedRules(rules), failures: new Map(mostFirst) }
}

const evaluationsIn = (text: string | null) => {
  const list = parsed(text)
  return Array.isArray(list) ? list.flatMap((one: unknown) => SpokenEvaluation.safeParse(one).data ?? []) : []
}

/** Parses a part of a row, which SQLite has read as JSON already. */
const parsed = (text: string | null): unknown => (text === null ? undefined : JSON.parse(text))

const isThere = (value: unknown) => value !== undefined && value !== null
const isQuestion = (effect: string | undefined) => effect === 'ask' || effect === 'defer'

const silentRule: RuleFigures = { spoke: 0, refused: 0, asked: 0, observed: 0, failed: 0 }

function ruleAdded(
  { spoke, refused, asked, observed, failed }: RuleFigures = silentRule,
  effect: string | undefined,
  observes: boolean,
  fails: boolean,
): RuleFigures {
  return {
    spoke: spoke + Number(effect !== undefined),
    refused: refused + Number(effect === 'deny' && !observes),
    asked: asked + Number(isQuestion(effect) && !observes),
    observed: observed + Number(restricts(effect) && observes),
    failed: failed + Number(fails),
  }
}

const sortedRules = (rules: ReadonlyMap<string, RuleFigures>) =>
  new Map([...rules].toSorted(([, a], [, b]) => b.refused - a.refused || b.asked - a.asked || b.observed - a.observed))

function distributions(database: DatabaseSync, day: string): ReadonlyMap<string, Distribution> {
  const all = [...bucketsSince(database, day)].map(([rule, buckets]) => {
    const distribution: Distribution = {
      number: numberIn(buckets),
      p50Ms: percentile(buckets, 0.5),
      p95Ms: percentile(buckets, 0.95),
      p99Ms: percentile(buckets, 0.99),
      maxMs: percentile(buckets, 1),
      bars: histogramOf(buckets),
    }
    return [rule, distribution] as const
  })
  return new Map(all.toSorted(([, a], [, b]) => b.p99Ms - a.p99Ms || b.p50Ms - a.p50Ms))
}
