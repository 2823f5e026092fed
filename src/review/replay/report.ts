import { z } from 'zod'
import { changeKinds } from './difference.ts'
import { circumstances, replayAnswers, type ReplayOutcome } from './outcome.ts'
import type { CauseCount, Finding, ReplayTally } from './tally.ts'

const Count = z.int().nonnegative()

const Answer = z.enum(replayAnswers)

const AnswerCounts = z.record(Answer, Count)

const Change = z.enum(changeKinds)

/** The answer of one set of rules to a finding. */
const ReportedAnswer = z.strictObject({
  answer: Answer,
  rules: z.array(z.strictObject({ id: z.string(), name: z.string(), file: z.string(), reason: z.string() })).readonly(),
})

const Circumstance = z.enum(circumstances)

const Place = z.strictObject({ file: z.string(), line: z.number().optional() })

const Causes = z.array(z.strictObject({ why: z.string(), first: Place, times: Count })).readonly()

/** A finding as it is reported. */
const ReportedFinding = z.strictObject({
  subject: z.string(),
  agent: z.string(),
  calls: Count,
  change: Change.optional(),
  now: ReportedAnswer,
  before: ReportedAnswer.optional(),
  asOfNow: z.array(Circumstance).readonly(),
  first: Place.extend({ cwd: z.string() }),
})
export type ReportedFinding = Readonly<z.infer<typeof ReportedFinding>>

/** The number of calls that a rule decided. */
const RuleCount = z.strictObject({
  rule: z.string(),
  file: z.string(),
  answer: Answer,
  calls: Count,
  /** Distinct commands and calls of other tools. */
  commands: Count,
})
type RuleCount = Readonly<z.infer<typeof RuleCount>>

/** The result of a replay, as `--json` prints it and the page reads it. */
export const ReplayReport = z.strictObject({
  /** True if the replay was ended early. */
  partial: z.boolean(),
  calls: Count,
  decisions: Count,
  /** True if each distinct call was decided once. */
  distinctIsExact: z.boolean(),
  files: Count,
  /** ISO 8601, UTC; `null` if no call has a time. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  agents: z.record(z.string(), Count),
  now: AnswerCounts,
  /** Present if there are other rules to compare with. */
  before: AnswerCounts.optional(),
  changes: z.partialRecord(Change, Count).optional(),
  /** Counts of each rule that answered, under the rules of `now`. */
  rules: z.array(RuleCount).readonly(),
  /** The most frequent first. */
  findings: z.array(ReportedFinding).readonly(),
  /** Findings that were left out by the limit. */
  findingsNotShown: Count,
  /** Calls of which nothing but the counts was kept. */
  callsNotKept: Count,
  asOfNow: z.partialRecord(Circumstance, Count),
  /** Calls that match each hook that was not run. */
  hooksNotRun: z.record(z.string(), Count),
  unreadable: Causes,
  undecided: Causes,
  seconds: z.number(),
})
export type ReplayReport = Readonly<z.infer<typeof ReplayReport>>

/** A line of `--progress json`. */
export const ReplayProgress = z.strictObject({ calls: Count, bytes: Count, bytesTotal: Count })
export type ReplayProgress = Readonly<z.infer<typeof ReplayProgress>>

/** @param limit how many findings are shown */
export function reportOf(tally: ReplayTally, { isCompared, isPartial, limit, seconds }: ReportOptions): ReplayReport {
  const all = [...tally.findings.values()]
  const shown = all
    .filter(({ change }) => !isCompared || change !== undefined)
    .filter(({ calls }) => calls > 0)
    .toSorted((a, b) => b.calls - a.calls)
  return {
    partial: isPartial,
    calls: tally.calls,
    decisions: tally.decisions,
    distinctIsExact: !tally.hasForgotten,
    files: tally.files,
    from: dateOf(tally.fromMs),
    to: dateOf(tally.toMs),
    agents: Object.fromEntries(tally.agents),
    now: tally.now,
    ...(isCompared && { before: tally.before, changes: Object.fromEntries(tally.changes) }),
    rules: ruleCounts(all),
    findings: shown.slice(0, limit).map(reportTally),
    findingsNotShown: Math.max(0, shown.length - limit),
    callsNotKept: tally.findingsNotKept,
    asOfNow: Object.fromEntries(tally.asOfNow),
    hooksNotRun: Object.fromEntries(tally.hooksNotRun),
    unreadable: mostFirst(tally.unreadable),
    undecided: mostFirst(tally.undecided),
    seconds,
  }
}

interface ReportOptions {
  readonly isCompared: boolean
  readonly isPartial: boolean
  readonly limit: number
  readonly seconds: number
}

const mostFirst = (causes: ReadonlyMap<string, CauseCount>) =>
  [...causes.values()].toSorted((a, b) => b.times - a.times)

/** An agent may have written any number; a date outside the calendar must not lose the report. */
const dateOf = (ms: number | undefined) =>
  ms === undefined || Math.abs(ms) > calendarMsMax ? null : new Date(ms).toISOString()
/** The last moment that `Date` can hold (ECMA-262). */
const calendarMsMax = 8.64e15

const answerOf = ({ answer, rules }: ReplayOutcome): ReportedFinding['now'] => ({ answer, rules })

function reportTally({ subject, agent, calls, change, now, before, first }: Finding): ReportedFinding {
  return {
    subject,
    agent,
    calls,
    ...(change !== undefined && { change }),
    now: answerOf(now),
    ...(before !== undefined && { before: answerOf(before) }),
    asOfNow: [...new Set([...now.asOfNow, ...(before?.asOfNow ?? [])])],
    first,
  }
}

function ruleCounts(findings: readonly Finding[]): readonly RuleCount[] {
  const counts = new Map<string, Omit<RuleCount, 'commands' | 'calls'> & { calls: number; subjects: Set<string> }>()
  for (const { subject, now, calls } of findings) {
    if (now.answer !== 'refused' && now.answer !== 'asked') continue
    for (const { id, file } of now.rules) {
      const key = `${now.answer} ${id}`
      const known = counts.get(key) ?? { rule: id, file, answer: now.answer, calls: 0, subjects: new Set() }
      known.calls += calls
      known.subjects.add(subject)
      counts.set(key, known)
    }
  }
  return [...counts.values()]
    .map(({ subjects, rule, file, answer, calls }) => ({ rule, file, answer, calls, commands: subjects.size }))
    .toSorted((a, b) => b.calls - a.calls)
}
