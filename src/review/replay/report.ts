import type { Change, Circumstance, ReplayAnswer, ReplayOutcome } from './outcome.ts'
import { given } from '../../model/json.ts'
import type { OutputReport } from './outputs.ts'
import type { AnswerCounts, CallPlace, CauseCount, Finding, ReplayTally } from './tally.ts'

/** The answer of one set of rules to a finding. */
interface ReportedAnswer {
  readonly answer: ReplayAnswer
  readonly rules: readonly {
    readonly id: string
    readonly name: string
    readonly file: string
    readonly reason: string
  }[]
}

/** A finding as it is reported. */
export interface ReportedFinding {
  readonly subject: string
  readonly agent: string
  readonly calls: number
  readonly change?: Change
  readonly now: ReportedAnswer
  readonly before?: ReportedAnswer
  readonly asOfNow: readonly Circumstance[]
  readonly first: CallPlace
}

/** The number of calls that a rule decided. */
interface RuleCount {
  readonly rule: string
  readonly file: string
  readonly answer: ReplayAnswer
  readonly calls: number
  /** Distinct commands and calls of other tools. */
  readonly commands: number
}

/** The result of a replay, as `--json` prints it and the page shows it. */
export interface ReplayReport {
  /** True if the replay was ended early. */
  readonly partial: boolean
  readonly calls: number
  readonly decisions: number
  /** True if each distinct call was decided once. */
  readonly distinctIsExact: boolean
  readonly files: number
  /** ISO 8601, UTC; `null` if no call has a time. */
  readonly from: string | null
  readonly to: string | null
  readonly agents: Readonly<Record<string, number>>
  readonly now: Readonly<AnswerCounts>
  /** Present if there are other rules to compare with. */
  readonly before?: Readonly<AnswerCounts>
  readonly changes?: Readonly<Partial<Record<Change, number>>>
  /** Counts of each rule that answered, under the rules of `now`. */
  readonly rules: readonly RuleCount[]
  /** The most frequent first. */
  readonly findings: readonly ReportedFinding[]
  /** Findings that were left out by the limit. */
  readonly findingsNotShown: number
  /** Calls of which nothing but the counts was kept. */
  readonly callsNotKept: number
  /** What rules make of what the calls have returned. Absent if no rule is about that. */
  readonly outputs?: OutputReport
  readonly asOfNow: Readonly<Partial<Record<Circumstance, number>>>
  /** Calls that match each hook that was not run. */
  readonly hooksNotRun: Readonly<Record<string, number>>
  readonly unreadable: readonly CauseCount[]
  readonly undecided: readonly CauseCount[]
  readonly seconds: number
}

/** The part of the input that was read. */
export interface ReadSoFar {
  bytes: number
  /** 0 if it is not known. */
  readonly bytesTotal: number
}

/** How far a replay is. */
export type ReplayProgress = Readonly<ReadSoFar> & { readonly calls: number }

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
    ...given('outputs', tally.outputs.report(isCompared)),
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
