import { counted } from '../../words/counted.ts'
import { resolve } from 'node:path'
import { createGate } from '../../gate/gate.ts'
import { errorText, HookgateError } from '../../model/errors.ts'
import type { Exception } from '../../model/exception.ts'
import { dayOf, localTime } from '../../words/moment.ts'
import { isSelfProtection } from '../../model/rule.ts'
import { printable } from '../../model/text.ts'
import type { Distribution, Durations } from '../../record/durations.ts'
import {
  addFigures,
  type ApprovalFigures,
  type DecisionFigures,
  type FiguresFilter,
  noFigures,
  type RecordFigures,
  type RuleFigures,
} from '../../record/figures.ts'
import { openReader } from '../../record/read.ts'
import { agentList, agentOf, momentIn, parseFlags } from '../args/flags.ts'
import { ownPlaces } from '../args/own-places.ts'
import { nothingRecorded, readingNotes, recordingNote, workingFolder, wrapped } from '../text/rule-lines.ts'
import { type Command, type Invocation, jsonText } from '../command.ts'
import { explainedColumn, lineWidth, wrappedLine, shownRule } from '../text/layout.ts'
import { spanText } from '../text/refusal-text.ts'

const usualSince = '7d'

export const statsCommand: Command = {
  help: `hookgate stats: how many decisions there were, and how long they took

  hookgate stats [options]

Says in ten lines how many decisions this machine's record has, and what to do next: how many were decided, refused and
asked about, at how many a rule in observe mode would have refused or asked, and at how many a rule or hookgate itself
failed. A call counts once: what its agent reports after it is not counted. Then p50 and p99 of the time
that the gate and each hook and policy took; evaluations that are too short for the clock are left out.

  --since WHEN          from then on: how long ago (2h, 4w), \`yesterday\`, a day (2026-11-01) or ISO 8601, local;
                        default: ${usualSince}
${explainedColumn('  --agent NAME          ', agentList)}
  --project PATH        of that folder and those below it
  --full                by day, agent, project and rule, with the times of each hook and policy, the rules in force in
                        this folder that never answered, and the exceptions in force that were never used
  --json                one JSON object: since, all, days, agents, projects, rules, gate, times, approvals, neverSpoke,
                        neverUsed, problem (why the rules of this folder are not known), lost

Times are of every agent and project.

  hookgate stats --since 30d --project .
`,
  async run(invocation) {
    const { argv, env } = invocation
    const { values } = parseFlags('stats', argv, flags)
    const sinceMs = momentIn('stats', 'since', values.since ?? usualSince, Date.now()) ?? 0
    const project = values.project === undefined ? undefined : resolve(invocation.cwd, values.project)
    const places = ownPlaces(env)
    const problem = await recordingNote(places)
    const reader = openReader(places.decisions)
    if (reader === undefined) return nothingRecorded(values.json === true, problem)
    try {
      const filter = { startsMs: daysSince(sinceMs, Date.now()), agent: agentOf(values.agent), project }
      const figures = reader.figures(filter)
      const durations = reader.durations(sinceMs)
      const isFull = values.full === true || values.json === true
      const unused = isFull ? await unusedHere(invocation, figures) : { rules: [], exceptions: [] }
      const report = { filter, figures, durations, unused, lost: reader.lost() }
      const stdout = values.json === true ? jsonText(statsValue(report), 2) : statsText(report, isFull)
      return { stdout, stderr: readingNotes(reader) + problem, exitCode: 0 }
    } finally {
      reader.close()
    }
  },
}

const flags = {
  since: { type: 'string' },
  agent: { type: 'string' },
  project: { type: 'string' },
  full: { type: 'boolean' },
  json: { type: 'boolean' },
} as const

/** Returns a moment, and the beginning of each day after it in local time. */
function daysSince(sinceMs: number, nowMs: number): readonly [number, ...number[]] {
  const starts: [number, ...number[]] = [sinceMs]
  const day = new Date(sinceMs)
  for (day.setHours(24, 0, 0, 0); day.getTime() <= nowMs; day.setHours(24, 0, 0, 0)) starts.push(day.getTime())
  return starts
}

async function unusedHere(
  invocation: Pick<Invocation, 'env' | 'cwd'>,
  { rules: answering, lifted }: RecordFigures,
): Promise<UnusedRules> {
  const { env } = invocation
  const cwd = workingFolder(invocation)
  const gate = createGate({ env, state: ownPlaces(env).folder, keeps: false, policyThreads: 1 })
  try {
    const { rules, exceptions } = await gate.rulesFor({ workspaceRoots: cwd === undefined ? [] : [cwd] })
    const nowMs = Date.now()
    const used = (name: string) =>
      lifted.some(({ exception }) => exception === name || exception.startsWith(`${name}: `))
    return {
      rules: rules.filter((rule) => !isSelfProtection(rule) && !answering.has(rule.id)).map(({ id }) => id),
      exceptions: exceptions.filter(({ endsAtMs = Infinity, name }) => nowMs < endsAtMs && !used(name)),
    }
  } catch (error) {
    if (!(error instanceof HookgateError) || error.code === 'internal') throw error
    return { rules: [], exceptions: [], problem: errorText(error) }
  } finally {
    gate.kill()
  }
}

/** The statistics of a record, as they are shown. */
interface StatsReport {
  readonly filter: FiguresFilter
  readonly figures: RecordFigures
  readonly durations: Durations
  readonly unused: UnusedRules
  readonly lost: number
}

/** Rules and exceptions that are in force in a folder and had no effect. */
interface UnusedRules {
  /** Ids of rules. */
  readonly rules: readonly string[]
  readonly exceptions: readonly Pick<Exception, 'name' | 'rule'>[]
  /** The reason why the rules of the folder are not known. */
  readonly problem?: string
}

/** Returns the figures of each day that has decisions, in local time. */
function daysOf(
  { startsMs }: FiguresFilter,
  { spans, counted: countedOnly }: RecordFigures,
): ReadonlyMap<string, DecisionFigures> {
  const days = startsMs.map((startMs, index) => {
    const day = dayOf(startMs)
    const more = { ...noFigures, decided: countedOnly.get(day) ?? 0 }
    return [day, addFigures(spans[index] ?? noFigures, more)] as const
  })
  return new Map(days.filter(([, figures]) => Object.values(figures).some((number) => number > 0)))
}

const sumOf = (days: ReadonlyMap<string, DecisionFigures>) => [...days.values()].reduce(addFigures, noFigures)

/** Returns the report as data. */
function statsValue({ filter, figures, durations, unused, lost }: StatsReport): object {
  const days = daysOf(filter, figures)
  return {
    since: new Date(filter.startsMs[0]).toISOString(),
    ...(filter.agent !== undefined && { agent: filter.agent }),
    ...(filter.project !== undefined && { project: filter.project }),
    all: sumOf(days),
    days: listFigures('day', days),
    agents: listFigures('agent', figures.agents),
    projects: listFigures('project', figures.projects),
    rules: listFigures('rule', figures.rules),
    gate: durations.gate === undefined ? null : timeValue(durations.gate),
    times: listFigures('rule', new Map([...durations.rules].map(([rule, one]) => [rule, timeValue(one)]))),
    approvals: figures.approvals,
    neverSpoke: unused.rules,
    neverUsed: unused.exceptions.map(({ name }) => name),
    ...(unused.problem !== undefined && { problem: unused.problem }),
    lost,
  }
}

const listFigures = (key: string, figures: ReadonlyMap<string, object>) =>
  [...figures].map(([name, own]) => Object.assign({ [key]: name }, own))

const timeValue = ({ number, p50Ms, p99Ms }: Distribution) => ({ number, p50Ms, p99Ms })

/** Formats the report for people. @param isFull with every table, else ten lines that end in what to do */
function statsText({ filter, figures, durations, unused }: StatsReport, isFull: boolean): string {
  const { agent, project, startsMs } = filter
  const of = [...(agent === undefined ? [] : [agent]), ...(project === undefined ? [] : [`in ${project}`])].join(' ')
  const since = `since ${localTime(startsMs[0])} (local time)${of === '' ? '' : `, ${of}`}`
  const days = daysOf(filter, figures)
  const all = sumOf(days)
  if (all.decided === 0) return printable(`no decision is recorded ${since}\n`)
  const { gate, rules: times } = durations
  if (!isFull) return briefText(since, all, figures, gate)
  return [
    printable(`decisions ${since}`),
    ...table('', decisionColumns, rowsOf(new Map([['all', all]]))),
    ...table(daysTitle, decisionColumns, rowsOf(days)),
    ...table('by agent', decisionColumns, rowsOf(figures.agents)),
    ...table('by project', decisionColumns, rowsOf(figures.projects)),
    ...table(
      'by rule, as it answered',
      ['answered', 'refused', 'asked', 'observed', 'failed'],
      ruleRows(figures.rules),
    ),
    ...approvalLines(figures.approvals),
    ...(gate === undefined ? [] : table('times of the gate', timeColumns, timeRows(new Map([['decision', gate]])))),
    ...table('times of hooks and policies', timeColumns, timeRows(times)),
    ...unusedLines(unused),
    '',
  ].join('\n')
}

/** Rules of one line: more are in the table of `--full`. */
const rulesNamed = 3

/** Says in ten lines what there was, and last what to do about it. */
function briefText(
  since: string,
  all: DecisionFigures,
  { rules, approvals, refusedQuestions }: RecordFigures,
  gate: Distribution | undefined,
): string {
  const most = (label: string, count: (figures: RuleFigures) => number, remark = '') => {
    const counts = [...rules].map(([name, own]) => [name, count(own)] as const).filter(([, number]) => number > 0)
    const first = counts.toSorted(([, a], [, b]) => b - a).slice(0, rulesNamed)
    const text = first.map(([name, number]) => `${printable(shownRule(name))} (${numberText(number)})`).join(', ')
    const more = counts.length > rulesNamed ? `, and ${counts.length - rulesNamed} more` : ''
    return first.length === 0 ? [] : [wrapped(label, `${text}${more}${remark}`)]
  }
  return [
    printable(`decisions ${since}`),
    ...table('', decisionColumns, rowsOf(new Map([['all', all]]))),
    '',
    ...most('refused by   ', ({ refused }) => refused),
    ...most('asked by     ', ({ asked }) => asked, refusedQuestionsText(refusedQuestions)),
    ...most('observed by  ', ({ observed }) => observed),
    ...most('failed       ', ({ failed }) => failed),
    ...(gate === undefined ? [] : [`a decision took ${msText(gate.p50Ms)} ms (p50), ${msText(gate.p99Ms)} ms (p99)`]),
    ...approvalLines(approvals).filter((line) => line !== ''),
    '`hookgate stats --full` has days, agents, projects, rules and times',
    ...wrappedLine(nextStep(all), lineWidth, '  '),
    '',
  ].join('\n')
}

/** Says why fewer calls were asked about than rules asked. */
const refusedQuestionsText = (number: number) =>
  number === 0
    ? ''
    : `; ${counted(number, 'question was a refusal', 'questions were refusals')}, since the agent cannot ask`

/** Returns what to do next, the gravest first. */
function nextStep({ refused, asked, observed, failed }: DecisionFigures): string {
  if (failed > 0) return 'next: `hookgate log --decision failed` shows what failed, and why'
  if (asked > refused) return 'next: `hookgate suggest` finds permissions that spare questions'
  if (refused > 0)
    return 'next: `hookgate log --decision refused` shows each refusal, and `hookgate allow ID` lifts one'
  if (observed > 0) return 'next: `hookgate log --decision observed` shows what enforced rules would refuse'
  return 'nothing to do: no call was refused or asked about'
}

function approvalLines({ asked, approved, refused, unanswered, ...waits }: ApprovalFigures): readonly string[] {
  if (asked === 0) return []
  const { p50WaitMs, maxWaitMs } = waits
  const waited =
    p50WaitMs === undefined || maxWaitMs === undefined
      ? ''
      : `; an answer took ${spanText(p50WaitMs)} (p50), at most ${spanText(maxWaitMs)}`
  const how = `${numberText(approved)} approved, ${numberText(refused)} refused, ${numberText(unanswered)} unanswered`
  return ['', `${counted(asked, 'call')} waited for a person: ${how}${waited}`]
}

const decisionColumns = ['decided', 'refused', 'asked', 'observed', 'failed']
const timeColumns = ['timed', 'p50 ms', 'p99 ms']
const daysTitle = 'by day, in local time'

/** A line of a table: its label, the length of its bar, and what stands in its columns. */
interface TableRow {
  readonly label: string
  readonly length: number
  readonly cells: readonly string[]
}

const rowsOf = (figures: ReadonlyMap<string, DecisionFigures>): readonly TableRow[] =>
  [...figures].map(([label, { decided, refused, asked, observed, failed }]) => ({
    label,
    length: decided,
    cells: [decided, refused, asked, observed, failed].map(numberText),
  }))

const ruleRows = (figures: ReadonlyMap<string, RuleFigures>): readonly TableRow[] =>
  [...figures].flatMap(([label, { answered, refused, asked, observed, failed }]) => {
    const numbers = [answered, refused, asked, observed, failed]
    // A rule that only remarked something has nothing to be counted.
    return numbers.some((number) => number > 0) ? [{ label, length: answered, cells: numbers.map(numberText) }] : []
  })

const timeRows = (figures: ReadonlyMap<string, Distribution>): readonly TableRow[] =>
  [...figures].map(([label, { number, p50Ms, p99Ms }]) => ({
    label,
    length: p99Ms,
    cells: [numberText(number), msText(p50Ms), msText(p99Ms)],
  }))

const numberText = (number: number) => number.toLocaleString('en-US')
const msText = (ms: number) => ms.toFixed(ms < 10 ? 2 : 0)

/** Longer tables are not read; `--json` has all of it. */
const rowsShownMax = 20
const labelWidth = 52
const barWidth = 10
const cellWidth = 9

function table(title: string, columns: readonly string[], rows: readonly TableRow[]): readonly string[] {
  if (rows.length === 0) return []
  // Days go on to today, everything else has its largest first.
  const shown = title === daysTitle ? rows.slice(-rowsShownMax) : rows.slice(0, rowsShownMax)
  const most = Math.max(...shown.map(({ length }) => length))
  const width = Math.max(...shown.map(({ label }) => labelText(label).length), title.length - 2, 12)
  const left = rows.length - shown.length
  return [
    '',
    `${title.padEnd(width + barWidth + 4)}${columns.map((name) => name.padStart(cellWidth)).join('')}`,
    ...shown.map(({ label, length, cells }) => {
      const bar = barText(most === 0 ? 0 : length / most).padEnd(barWidth)
      return `  ${labelText(label).padEnd(width)}  ${bar}${cells.map((cell) => cell.padStart(cellWidth)).join('')}`
    }),
    ...(left === 0 ? [] : [`  and ${left} more: --json lists them`]),
  ]
}

/** Cuts a label at its beginning: the end of a folder or of a rule's id says most. */
function labelText(label: string): string {
  const text = printable(label === '' ? '(unknown)' : label).replaceAll('\n', ' ')
  return text.length > labelWidth ? `…${text.slice(1 - labelWidth).toWellFormed()}` : text
}

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** Draws a bar. What is not nothing is seen. @param share from 0 to 1 */
function barText(share: number): string {
  const parts = share === 0 ? 0 : Math.max(1, Math.round(share * barWidth * 8))
  return '█'.repeat(Math.floor(parts / 8)) + (eighths[parts % 8] ?? '')
}

function unusedLines({ rules, exceptions, problem }: UnusedRules): readonly string[] {
  if (problem !== undefined) return ['', printable(`the rules of this folder do not load: ${problem}`)]
  // The rules of a pack stand together.
  const packs = Map.groupBy(rules, (id) => id.slice(0, id.lastIndexOf('/') + 1))
  const ruleLines = [...packs].flatMap(([pack, ids]) =>
    pack === ''
      ? ids.map((id) => printable(`  ${id}`))
      : [explainedColumn(`  ${printable(pack)}  `, printable(ids.map((id) => id.slice(pack.length)).join(', ')))],
  )
  const were = exceptions.length === 1 ? 'was' : 'were'
  return [
    ...(rules.length === 0 ? [] : ['', `${counted(rules.length, 'rule')} in force in this folder never answered`]),
    ...ruleLines,
    ...(exceptions.length === 0
      ? []
      : ['', `${counted(exceptions.length, 'exception')} in force here ${were} never used`]),
    ...exceptions.map(({ name, rule }) => printable(`  ${name}, of ${rule}`)),
  ]
}
