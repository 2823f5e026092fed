import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { Approval } from '../model/approval.ts'
import { Decision, restricts } from '../model/effect.ts'
import { liftingException } from '../model/exception.ts'
import { dayOf } from '../words/moment.ts'
import { isWithin } from '../words/paths.ts'
import { conditionOf, type DecisionFilter } from './filter.ts'
import { idAt } from './record-id.ts'

/** Numbers of decisions. */
export interface DecisionFigures {
  readonly decided: number
  /** Refusals that reached the agent. */
  readonly refused: number
  /** Questions to the person, and calls that were left for a person to decide. */
  readonly asked: number
  /** A rule in observe mode would have refused the call, or asked about it. */
  readonly observed: number
  /** A rule, or hookgate itself, failed. */
  readonly failed: number
}

/** The number of times that a rule answered. */
export interface RuleFigures extends Omit<DecisionFigures, 'decided'> {
  readonly answered: number
}

/** The number of failures of something, and the last one. */
interface FailureFigures {
  readonly number: number
  readonly code: string
  readonly message: string
  /** The id of the last decision that it failed at. */
  readonly id: string
}

export interface FiguresFilter extends Pick<DecisionFilter, 'agent' | 'project'> {
  /** The start of each span of time, ms since the epoch, ascending. The last one has no end. */
  readonly startsMs: readonly [number, ...number[]]
}

/** The figures of the listed decisions: of calls, and of other events at which a rule answered. See `isListed`. */
export interface RecordFigures {
  /** The figures of each span of time, without decisions that were only counted. */
  readonly spans: readonly DecisionFigures[]
  /** Those of each span that only rules in observe mode objected to: they passed. */
  readonly observedAlone: readonly number[]
  /** The number of decisions that were only counted, by day in local time, from the first day on. */
  readonly counted: ReadonlyMap<string, number>
  /** The most frequent first; decisions that were only counted are included. */
  readonly agents: ReadonlyMap<string, DecisionFigures>
  readonly projects: ReadonlyMap<string, DecisionFigures>
  /** Agents and projects with decisions in that time, whatever the filter, the most frequent first. */
  readonly allAgents: readonly string[]
  readonly allProjects: readonly string[]
  /** Rules, those that refused most first. */
  readonly rules: ReadonlyMap<string, RuleFigures>
  /** Questions of rules that were a refusal for the agent, which cannot ask: they are among the refused. */
  readonly refusedQuestions: number
  /** Failures by rule, the most frequent first; `undefined` is hookgate itself. */
  readonly failures: ReadonlyMap<string | undefined, FailureFigures>
  /** Counts of the questions that hookgate put to a person. */
  readonly approvals: ApprovalFigures
  /** Answers that exceptions lifted, counted by exception and rule. */
  readonly lifted: readonly LiftFigures[]
  /** Rows that are not what hookgate writes. */
  readonly unreadable: number
}

/** Counts what was decided in each span of time, by agent, project and rule. */
export function readFigures(database: DatabaseSync, filter: FiguresFilter): RecordFigures {
  const { startsMs, agent, project } = filter
  const all = [...recordedGroups(database, startsMs), ...countedGroups(database, dayOf(startsMs[0]))]
  const groups = all.filter(
    (group) =>
      (agent === undefined || group.agent === agent) && (project === undefined || isWithin(group.project, project)),
  )
  const spans = startsMs.map(() => noFigures)
  const counted = new Map<string, number>()
  const agents = new Map<string, DecisionFigures>()
  const projects = new Map<string, DecisionFigures>()
  const add = (group: Pick<RecordedGroup, 'agent' | 'project'>, figures: DecisionFigures, span?: number) => {
    if (span !== undefined) spans[span] = addFigures(spans[span] ?? noFigures, figures)
    agents.set(group.agent, addFigures(agents.get(group.agent) ?? noFigures, figures))
    projects.set(group.project, addFigures(projects.get(group.project) ?? noFigures, figures))
  }
  for (const group of groups) {
    if ('span' in group) add(group, figuresOf(group), group.span)
    else {
      counted.set(group.day, (counted.get(group.day) ?? 0) + group.number)
      add(group, { ...noFigures, decided: group.number })
    }
  }
  const spoken = readSpoken(database, filter, add)
  return {
    spans,
    counted,
    agents: sortedBy(agents, ({ decided }) => [decided]),
    projects: sortedBy(projects, ({ decided }) => [decided]),
    allAgents: mostFrequent(all, (group) => group.agent),
    allProjects: mostFrequent(all, (group) => group.project),
    ...spoken,
    unreadable: groups.reduce((sum, group) => sum + (isUnreadable(group) ? group.number : 0), 0),
  }
}

export const noFigures: DecisionFigures = { decided: 0, refused: 0, asked: 0, observed: 0, failed: 0 }

export const addFigures = (a: DecisionFigures, b: DecisionFigures): DecisionFigures => ({
  decided: a.decided + b.decided,
  refused: a.refused + b.refused,
  asked: a.asked + b.asked,
  observed: a.observed + b.observed,
  failed: a.failed + b.failed,
})

/** Counts the questions of agents that have no record of their own: of these, nothing else is known. */
export function countedQuestions(
  database: DatabaseSync,
  { sinceMs, project }: { readonly sinceMs: number } & Pick<DecisionFilter, 'project'>,
): number {
  const { condition, values } = conditionOf({ project })
  const query = `SELECT coalesce(sum(number), 0) AS number FROM counts
    WHERE event = 'PermissionRequest' AND decision = 'abstain' AND day >= ? AND ${condition}`
  const row = database.prepare(query).get(dayOf(sinceMs), ...values)
  return Number(row?.['number'] ?? 0)
}

/** A column that is NULL if a row is not what hookgate writes. */
const columnText = z
  .string()
  .nullable()
  .transform((value) => value ?? '')

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

/** Reads the index alone, each row of it once: a record takes ten times as long. */
function recordedGroups(database: DatabaseSync, startsMs: readonly number[]): readonly RecordedGroup[] {
  // An id begins with a moment, so that a span of time is a range of the index. CROSS JOIN keeps the order of the loops.
  const query = `WITH
      starts AS (SELECT key AS span, value AS low FROM json_each(?)),
      spans AS (SELECT span, low, lead(low, 1, '~') OVER (ORDER BY span) AS high FROM starts)
    SELECT span, agent, project, outcome, count(*) AS number
    FROM spans CROSS JOIN decisions WHERE id >= low AND id < high AND listed GROUP BY 1, 2, 3, 4`
  return rowsOf(database, RecordedGroup, query, JSON.stringify(startsMs.map(idAt)))
}

/** Reads the decisions without a record of their own, at which no rule refused, asked or failed. */
function countedGroups(database: DatabaseSync, day: string): readonly Group[] {
  const query = `SELECT day, agent, project, sum(number) AS number
    FROM counts WHERE day >= ? AND event = 'PreToolUse' GROUP BY 1, 2, 3`
  return rowsOf(database, CountedGroup, query, day)
}

/** Reads rows of which each has the schema; others are left out. */
function rowsOf<Row extends z.ZodType>(
  database: DatabaseSync,
  schema: Row,
  query: string,
  value: string,
): z.output<Row>[] {
  return database
    .prepare(query)
    .all(value)
    .flatMap((raw) => schema.safeParse({ ...raw }).data ?? [])
}

const figuresOf = ({ outcome, number }: RecordedGroup): DecisionFigures => ({
  ...noFigures,
  decided: number,
  refused: outcome === 'deny' ? number : 0,
  asked: isQuestion(outcome) ? number : 0,
})

const isUnreadable = (group: Group) => 'outcome' in group && !Decision.safeParse(group.outcome).success

function mostFrequent(groups: readonly Group[], nameOf: (group: Group) => string): readonly string[] {
  const numbers = new Map<string, number>()
  for (const group of groups) numbers.set(nameOf(group), (numbers.get(nameOf(group)) ?? 0) + group.number)
  numbers.delete('')
  return [...sortedBy(numbers, (number) => [number]).keys()]
}

const compare = (a: readonly number[], b: readonly number[]) =>
  a.map((one, at) => (b[at] ?? 0) - one).find((difference) => difference !== 0) ?? 0

/** Sorts by figures, the largest first; by the next one where they are equal. */
function sortedBy<Key, Value>(map: ReadonlyMap<Key, Value>, figures: (value: Value) => readonly number[]) {
  return new Map([...map].toSorted(([, a], [, b]) => compare(figures(a), figures(b))))
}

const SpokenRow = z.strictObject({
  id: z.string(),
  agent: columnText,
  project: columnText,
  outcome: columnText,
  decision: columnText,
  evaluations: z.string().nullable(),
  error: z.string().nullable(),
  approval: z.string().nullable(),
})

/** Not strict: a newer version may add fields, and a row may be anything. */
const SpokenEvaluation = z.object({
  ruleId: z.string(),
  effect: z.string().optional(),
  observed: z.unknown().optional(),
  failure: z.object({ code: z.string(), message: z.string() }).optional(),
  remarks: z.array(z.string()).optional(),
})
const SpokenError = z.object({ code: z.string(), message: z.string() })

/** Reads the records of decisions at which a rule answered or failed, each once, and adds up their figures. */
function readSpoken(
  database: DatabaseSync,
  { startsMs, agent, project }: FiguresFilter,
  add: (of: z.infer<typeof SpokenRow>, figures: DecisionFigures, span: number) => void,
) {
  const starts = startsMs.map(idAt)
  const rules = new Map<string, RuleFigures>()
  const failures = new Map<string | undefined, FailureFigures>()
  const remarked: { readonly ruleId: string; readonly remark: string }[] = []
  const approvals: Approval[] = []
  const observedAlone = startsMs.map(() => 0)
  let refusedQuestions = 0
  const { condition, values } = conditionOf({ sinceMs: startsMs[0], agent, project })
  const query = `SELECT id, agent, project, outcome, decision, record -> '$.evaluations' AS evaluations, record -> '$.error' AS error,
      record -> '$.approval' AS approval
    FROM decisions WHERE spoken AND ${condition} ORDER BY decisions.id`
  let span = 0
  for (const raw of database.prepare(query).iterate(...values)) {
    const row = SpokenRow.safeParse({ ...raw }).data
    if (row === undefined) continue
    const { id } = row
    while (span + 1 < starts.length && id >= (starts[span + 1] ?? '')) span += 1
    const error = SpokenError.safeParse(parseRecord(row.error)).data
    const evaluations = evaluationsIn(row.evaluations)
    const fail = (rule: string | undefined, { code, message }: z.infer<typeof SpokenError>) =>
      failures.set(rule, { number: (failures.get(rule)?.number ?? 0) + 1, code, message, id })
    if (error !== undefined) fail(undefined, error)
    if (row.approval !== null)
      approvals.push(...[Approval.loose().safeParse(parseRecord(row.approval)).data ?? []].flat())
    for (const { ruleId, effect, observed, failure, remarks } of evaluations) {
      rules.set(ruleId, addRule(rules.get(ruleId), effect, isThere(observed), failure !== undefined))
      if (failure !== undefined) fail(ruleId, failure)
      remarked.push(...(remarks ?? []).map((remark) => ({ ruleId, remark })))
    }
    if (isQuestion(row.decision) && row.outcome === 'deny' && row.approval === null) refusedQuestions += 1
    const isObserved = evaluations.some(({ effect, observed }) => isThere(observed) && restricts(effect))
    if (isObserved && row.outcome !== 'deny' && !isQuestion(row.outcome))
      observedAlone[span] = (observedAlone[span] ?? 0) + 1
    const isFailed = row.error !== null || evaluations.some(({ failure }) => failure !== undefined)
    if (isObserved || isFailed) add(row, { ...noFigures, observed: Number(isObserved), failed: Number(isFailed) }, span)
  }
  return {
    observedAlone,
    rules: sortedBy(rules, ({ refused, asked, observed, answered, failed }) => [
      refused,
      asked,
      observed,
      answered,
      failed,
    ]),
    refusedQuestions,
    failures: sortedBy(failures, ({ number }) => [number]),
    approvals: approvalFigures(approvals),
    lifted: liftFigures(remarked),
  }
}

const evaluationsIn = (text: string | null) => {
  const list = parseRecord(text)
  return Array.isArray(list) ? list.flatMap((one: unknown) => SpokenEvaluation.safeParse(one).data ?? []) : []
}

/** Parses a part of a row, which SQLite has read as JSON already. */
const parseRecord = (text: string | null): unknown => (text === null ? undefined : JSON.parse(text))

const isThere = (value: unknown) => value !== undefined && value !== null
const isQuestion = (effect: string | undefined) => effect === 'ask' || effect === 'defer'

const silentRule: RuleFigures = { answered: 0, refused: 0, asked: 0, observed: 0, failed: 0 }

function addRule(
  { answered, refused, asked, observed, failed }: RuleFigures = silentRule,
  effect: string | undefined,
  observes: boolean,
  fails: boolean,
): RuleFigures {
  return {
    answered: answered + Number(effect !== undefined),
    refused: refused + Number(effect === 'deny' && !observes),
    asked: asked + Number(isQuestion(effect) && !observes),
    observed: observed + Number(restricts(effect) && observes),
    failed: failed + Number(fails),
  }
}

/** The number of calls that waited for a person, and how long those waited that were answered. */
export interface ApprovalFigures {
  readonly asked: number
  readonly approved: number
  readonly refused: number
  /** Requests without an answer, for whatever reason. */
  readonly unanswered: number
  /** Absent without an answer. */
  readonly p50WaitMs?: number
  readonly maxWaitMs?: number
}

/** Counts what became of questions that hookgate put to a person. */
function approvalFigures(all: readonly Approval[]): ApprovalFigures {
  const answered = all.filter(({ outcome }) => outcome === 'approved' || outcome === 'denied')
  const approved = answered.filter(({ outcome }) => outcome === 'approved').length
  const waits = answered.map(({ waitedMs }) => waitedMs).toSorted((a, b) => a - b)
  const [p50WaitMs, maxWaitMs] = [waits[Math.ceil(waits.length / 2) - 1], waits.at(-1)]
  return {
    asked: all.length,
    approved,
    refused: answered.length - approved,
    unanswered: all.length - answered.length,
    ...(p50WaitMs !== undefined && { p50WaitMs }),
    ...(maxWaitMs !== undefined && { maxWaitMs }),
  }
}

/** The number of times that an exception lifted the answer of a rule. */
export interface LiftFigures {
  /** `NAME`, or `NAME: REASON`. */
  readonly exception: string
  readonly ruleId: string
  readonly times: number
}

/** Counts what exceptions lifted, by the remarks that rules got at it. */
function liftFigures(
  remarked: readonly { readonly ruleId: string; readonly remark: string }[],
): readonly LiftFigures[] {
  const lifted = new Map<string, LiftFigures>()
  for (const { ruleId, remark } of remarked) {
    const exception = liftingException(remark)
    if (exception === '') continue
    const key = JSON.stringify([exception, ruleId])
    lifted.set(key, { exception, ruleId, times: (lifted.get(key)?.times ?? 0) + 1 })
  }
  return [...lifted.values()]
}
