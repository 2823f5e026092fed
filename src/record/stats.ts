import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { conditionOf, type DecisionFilter, evaluationsTable, fieldOf, markConditions, restricts } from './filter.ts'
import { dayOf } from './tally.ts'
import { numberIn, percentile } from './times.ts'

/** How many decisions there were. */
export interface DecisionFigures {
  readonly decided: number
  /** Those of which the agent was told a refusal. */
  readonly refused: number
  /** Those that were asked about, or left to be asked about. */
  readonly asked: number
  /** Those that a rule would have refused or asked about that only observes. */
  readonly observed: number
  /** Those at which a rule or hookgate itself failed. */
  readonly failed: number
}

/** How often a rule spoke. */
export interface RuleFigures {
  readonly spoke: number
  readonly refused: number
  readonly asked: number
  readonly observed: number
  readonly failed: number
}

/** How long evaluations took. */
export interface TimeFigures {
  readonly number: number
  readonly p50Ms: number
  readonly p99Ms: number
}

export interface StatsFilter extends Pick<DecisionFilter, 'agent' | 'project'> {
  readonly sinceMs: number
}

export interface DecisionStats {
  readonly all: DecisionFigures
  /** By the day in UTC, the first one first. */
  readonly days: ReadonlyMap<string, DecisionFigures>
  readonly agents: ReadonlyMap<string, DecisionFigures>
  readonly projects: ReadonlyMap<string, DecisionFigures>
  readonly rules: ReadonlyMap<string, RuleFigures>
  /** Of the whole decision, of every agent and project; `undefined` if none was timed. */
  readonly gate: TimeFigures | undefined
  /** Of each rule, of every agent and project. */
  readonly times: ReadonlyMap<string, TimeFigures>
  /** What was remarked on answers that exceptions took back. */
  readonly takenBack: readonly string[]
}

/** Counts what is recorded since a moment. Decisions that were only counted are in from the beginning of its day (UTC). */
export function readStats(database: DatabaseSync, filter: StatsFilter): DecisionStats {
  const groups = [...outcomes(database, filter), ...countedOnly(database, filter), ...marked(database, filter)]
  const times = timesSince(database, dayOf(new Date(filter.sinceMs).toISOString()))
  return {
    all: groups.reduce((sum, { figures }) => figuresAdded(sum, figures), noFigures),
    days: new Map([...summed(groups, ({ day }) => day)].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    agents: mostFirst(summed(groups, ({ agent }) => agent)),
    projects: mostFirst(summed(groups, ({ project }) => project)),
    rules: spokenRules(database, filter),
    gate: times.get(''),
    times: new Map([...times].filter(([rule]) => rule !== '')),
    takenBack: takenBack(database, filter),
  }
}

/** Figures of decisions with the same day, agent and project. */
interface FiguresGroup {
  readonly day: string
  readonly agent: string
  readonly project: string
  readonly figures: DecisionFigures
}

export const noFigures: DecisionFigures = { decided: 0, refused: 0, asked: 0, observed: 0, failed: 0 }

const figuresOf = (some: Partial<DecisionFigures>): DecisionFigures => ({ ...noFigures, ...some })

export const figuresAdded = (a: DecisionFigures, b: DecisionFigures): DecisionFigures => ({
  decided: a.decided + b.decided,
  refused: a.refused + b.refused,
  asked: a.asked + b.asked,
  observed: a.observed + b.observed,
  failed: a.failed + b.failed,
})

function summed(groups: readonly FiguresGroup[], keyOf: (group: FiguresGroup) => string) {
  const sums = new Map<string, DecisionFigures>()
  for (const group of groups) sums.set(keyOf(group), figuresAdded(sums.get(keyOf(group)) ?? noFigures, group.figures))
  return sums
}

const mostFirst = (figures: ReadonlyMap<string, DecisionFigures>) =>
  new Map([...figures].toSorted(([, a], [, b]) => b.decided - a.decided))

/** A column that is NULL if a row is not what hookgate writes. */
export const columnText = z
  .string()
  .nullable()
  .transform((value) => value ?? '')
const group = { day: columnText, agent: columnText, project: columnText }

const OutcomeRow = z.strictObject({ ...group, outcome: columnText, number: z.int() })

/** Reads the index alone: a record takes ten times as long. */
function outcomes(database: DatabaseSync, filter: StatsFilter): readonly FiguresGroup[] {
  const { condition, values } = conditionOf(filter)
  const query = `SELECT day, agent, project, outcome, count(*) AS number
    FROM decisions WHERE ${condition} GROUP BY 1, 2, 3, 4`
  return rowsOf(database, OutcomeRow, query, values).map(({ outcome, number, day, agent, project }) => ({
    day,
    agent,
    project,
    figures: figuresOf({
      decided: number,
      refused: outcome === 'deny' ? number : 0,
      asked: outcome === 'ask' || outcome === 'defer' ? number : 0,
    }),
  }))
}

const CountRow = z.strictObject({ ...group, number: z.int() })

/** Reads the decisions that have no record of their own: nobody was refused or asked anything. */
function countedOnly(database: DatabaseSync, { sinceMs, ...filter }: StatsFilter): readonly FiguresGroup[] {
  const { condition, values } = conditionOf(filter)
  const query = `SELECT day, agent, project, sum(number) AS number
    FROM counts WHERE day >= ? AND ${condition} GROUP BY 1, 2, 3`
  const rows = rowsOf(database, CountRow, query, [dayOf(new Date(sinceMs).toISOString()), ...values])
  return rows.map(({ number, day, agent, project }) => ({
    day,
    agent,
    project,
    figures: figuresOf({ decided: number }),
  }))
}

/** Counts the questions of agents that have no record of their own: of these, nothing else is known. */
export function countedQuestions(
  database: DatabaseSync,
  { sinceMs, project }: Pick<StatsFilter, 'sinceMs' | 'project'>,
): number {
  const { condition, values } = conditionOf({ project })
  const query = `SELECT coalesce(sum(number), 0) AS number FROM counts
    WHERE event = 'PermissionRequest' AND decision = 'abstain' AND day >= ? AND ${condition}`
  const row = database.prepare(query).get(dayOf(new Date(sinceMs).toISOString()), ...values)
  return Number(row?.['number'] ?? 0)
}

const MarkedRow = z.strictObject({ ...group, observed: z.int(), failed: z.int() })

function marked(database: DatabaseSync, filter: StatsFilter): readonly FiguresGroup[] {
  const { condition, values } = conditionOf(filter)
  const marks = markConditions()
  const each = `SELECT day, agent, project, ${marks.observed} AS observed, ${marks.failed} AS failed
    FROM decisions WHERE spoken AND ${condition}`
  const query = `SELECT day, agent, project, sum(observed) AS observed, sum(failed) AS failed
    FROM (${each}) GROUP BY 1, 2, 3`
  return rowsOf(database, MarkedRow, query, values).map(({ observed, failed, day, agent, project }) => ({
    day,
    agent,
    project,
    figures: figuresOf({ observed, failed }),
  }))
}

const RuleRow = z.strictObject({
  rule: columnText,
  refused: z.int(),
  asked: z.int(),
  observed: z.int(),
  failed: z.int(),
  spoke: z.int(),
})

function spokenRules(database: DatabaseSync, filter: StatsFilter): ReadonlyMap<string, RuleFigures> {
  const { condition, values } = conditionOf(filter)
  const each = `SELECT ${fieldOf('ruleId')} AS rule, ${fieldOf('effect')} AS effect,
      ${fieldOf('observed')} IS NOT NULL AS observes, ${fieldOf('failure')} IS NOT NULL AS failed
    FROM decisions, ${evaluationsTable} WHERE spoken AND ${condition}`
  const query = `SELECT rule,
      sum(effect IS NOT NULL AND effect = 'deny' AND NOT observes) AS refused,
      sum(effect IS NOT NULL AND effect IN ('ask', 'defer') AND NOT observes) AS asked,
      sum(effect IS NOT NULL AND effect ${restricts} AND observes) AS observed,
      sum(failed) AS failed,
      sum(effect IS NOT NULL) AS spoke
    FROM (${each}) WHERE rule IS NOT NULL GROUP BY 1`
  const rows = rowsOf(database, RuleRow, query, values).toSorted((a, b) => b.spoke - a.spoke || b.failed - a.failed)
  return new Map(rows.map(({ rule, ...figures }) => [rule, figures]))
}

const RemarkRow = z.strictObject({ remark: z.string() })

function takenBack(database: DatabaseSync, filter: StatsFilter): readonly string[] {
  const { condition, values } = conditionOf(filter)
  const remarks = `SELECT CASE type WHEN 'object' THEN value -> '$.remarks' END AS remarks FROM decisions, ${evaluationsTable}
    WHERE spoken AND ${condition} AND instr(record, ' is excepted by ') > 0`
  const query = `SELECT DISTINCT value AS remark
    FROM (${remarks}), json_each(remarks) WHERE instr(value, ' is excepted by ') > 0`
  return rowsOf(database, RemarkRow, query, values).map(({ remark }) => remark)
}

const TimeRow = z.strictObject({ rule: z.string(), bucket: z.int(), number: z.int() })

/** Returns for each rule how many evaluations are in which bucket, from a day on; `''` is the whole decision. */
export function bucketsSince(database: DatabaseSync, day: string): ReadonlyMap<string, ReadonlyMap<number, number>> {
  const query = 'SELECT rule, bucket, sum(number) AS number FROM times WHERE day >= ? GROUP BY 1, 2'
  const rules = Map.groupBy(rowsOf(database, TimeRow, query, [day]), ({ rule }) => rule)
  return new Map([...rules].map(([rule, rows]) => [rule, new Map(rows.map(({ bucket, number }) => [bucket, number]))]))
}

function timesSince(database: DatabaseSync, day: string): ReadonlyMap<string, TimeFigures> {
  const figures = [...bucketsSince(database, day)].map(([rule, buckets]) => {
    const number = numberIn(buckets)
    return [rule, { number, p50Ms: percentile(buckets, 0.5), p99Ms: percentile(buckets, 0.99) }] as const
  })
  return new Map(figures.toSorted(([, a], [, b]) => b.p99Ms - a.p99Ms))
}

/** Reads rows of which each has the schema; others are left out. */
export function rowsOf<Row extends z.ZodType>(
  database: DatabaseSync,
  schema: Row,
  query: string,
  values: readonly (string | number)[],
): z.output<Row>[] {
  return database
    .prepare(query)
    .all(...values)
    .flatMap((raw) => schema.safeParse({ ...raw }).data ?? [])
}
