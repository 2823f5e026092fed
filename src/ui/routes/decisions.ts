import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { knownHome } from '../../files/home-folder.ts'
import { Decision, restricts } from '../../model/effect.ts'
import { HookgateError } from '../../model/errors.ts'
import { limits } from '../../model/limits.ts'
import type { ShellCommand, TouchedPath } from '../../model/shell.ts'
import { firstLine, quoted } from '../../model/text.ts'
import type { ToolFacts } from '../../model/tool-facts.ts'
import { endedTurn, type DecisionFilter } from '../../record/filter.ts'
import {
  type DecisionReader,
  type LatestReader,
  openLatestReader,
  type RanCall,
  type RecordChoices,
  type StoredDecision,
} from '../../record/read.ts'
import type { CallResult } from '../../record/record.ts'
import { explainDecision, type WhyReport } from '../../review/why/report.ts'
import { placesFor } from '../../rules/places.ts'
import { callWords } from '../../words/call-words.ts'
import { commandNotes, commandText, pathText } from '../../words/command-text.ts'
import { impactText } from '../../words/impact-words.ts'
import { answering, type PageContext, streaming } from '../route.ts'
import { rulesAt } from '../../install/rules-here.ts'
import { addFigures, type FiguresFilter, noFigures, type RecordFigures } from '../../record/figures.ts'
import { byHand } from '../../changes/change.ts'

/** Time between two looks for new decisions: a person takes it for immediate, and it costs a look into a cache. */
const pagePollMs = 250

/** Selects decisions. */
const Filter = z.strictObject({
  agent: z.string().optional(),
  session: z.string().optional(),
  project: z.string().optional(),
  rule: z.string().optional(),
  text: z.string().optional(),
  /** The answer that reached the agent or, if no agent was answered, the decision. */
  outcomes: z.array(Decision).optional(),
  marks: z.array(z.enum(['observed', 'approved', 'failed'])).optional(),
  /** Set for every event; otherwise calls are listed, and other events at which a rule answered or failed. */
  everyEvent: z.literal(true).optional(),
})

const Page = Filter.extend({
  /** Rows before this one; default: the newest. */
  beforeSeq: z.int().positive().optional(),
  limit: z.int().positive().max(limits.pageRowsMax),
})

const Feed = Filter.extend({
  /** Rows after this one. */
  afterSeq: z.int().nonnegative(),
})

/** New rows that match. `isOther`: another database has taken the record's place, and these are its rows. */
export interface FeedPart {
  readonly rows: readonly ListedDecision[]
  /** Earlier rows whose calls have run meanwhile. */
  readonly ran: readonly RanCall[]
  readonly isOther: boolean
}

const filterOf = ({ everyEvent, ...filter }: z.infer<typeof Filter>): DecisionFilter => ({
  ...filter,
  ...(everyEvent === undefined && { listed: true }),
})

/** The decisions as they are recorded: some of them, the new ones as they come, and one. */
export const decisionRoutes = ({ record, places }: PageContext) => ({
  /** Rows, the newest first, and the number of the newest row of all. */
  decisions: answering(Page, ({ limit, beforeSeq, ...filter }) => {
    const { reader } = record.look()
    if (reader === undefined) return { rows: [] as readonly ListedDecision[], headSeq: 0 }
    // Read before: a row that is written meanwhile then comes with the feed.
    const headSeq = reader.head()
    const rows = [...reader.rows({ ...filterOf(filter), beforeSeq: beforeSeq ?? headSeq + 1 }, limit)].toReversed()
    return { rows: rows.map(listed), headSeq }
  }),

  /** Values that decisions can be filtered by. */
  choices: answering(
    z.strictObject({}),
    (): RecordChoices => record.look().reader?.choices() ?? { agents: [], projects: [], rules: [] },
  ),

  /** One row, by its id or the id of its refusal. */
  decision: answering(z.strictObject({ id: z.string() }), ({ id }) => {
    const found = foundDecision(record, id)
    const { rewritten } = found.record
    return { ...found, words: callWords(found.record), into: rewritten && callWords(rewritten) }
  }),

  /** The rows to come. */
  feed: streaming(Feed, ({ afterSeq, ...filter }, signal) =>
    followRows(places.decisions, filterOf(filter), afterSeq, signal),
  ),
})

async function* followRows(
  file: string,
  filter: DecisionFilter,
  fromSeq: number,
  signal: AbortSignal,
): AsyncIterable<FeedPart> {
  // A reader of its own: what one tab has seen is not what another has.
  const latest = openLatestReader(file)
  let afterSeq = fromSeq
  try {
    while (!signal.aborted) {
      const { reader, isOther: isReplaced } = latest.look()
      const head = reader?.head() ?? afterSeq
      // One that is shorter than what was read of it is another one as well: it was replaced before this began.
      const isOther = isReplaced || head < afterSeq
      if (isOther) afterSeq = 0
      const isNew = reader !== undefined && head !== afterSeq
      const rows = isNew ? firstOf(reader.rows({ ...filter, afterSeq })) : []
      const ran = isNew ? reader.ranSince(afterSeq) : []
      // With as many rows as fit there may be more; with fewer, all up to the head have been looked at.
      const isAll = rows.length < limits.pageRowsMax
      afterSeq = isAll ? Math.max(head, rows.at(-1)?.seq ?? 0) : (rows.at(-1)?.seq ?? head)
      if (rows.length + ran.length > 0 || isOther) yield { rows: rows.map(listed), ran, isOther }
      if (!isAll) continue
      // oxlint-disable-next-line no-await-in-loop -- waiting is the point
      await sleep(pagePollMs, undefined, { signal }).catch(() => {})
    }
  } finally {
    latest.close()
  }
}

/** Returns the first rows: by default as many as one answer may have. */
export function firstOf(rows: Iterable<StoredDecision>, max: number = limits.pageRowsMax): readonly StoredDecision[] {
  const first: StoredDecision[] = []
  for (const row of rows) {
    first.push(row)
    if (first.length === max) break
  }
  return first
}

/** The fields of a decision that a list shows: a page holds many of them. */
export interface ListedDecision {
  readonly seq: number
  readonly id: string
  readonly at: string
  readonly agent?: string
  readonly session?: string
  readonly project?: string
  /** The tool, or the event if none is called. */
  readonly tool: string
  /** The call in words, cut; empty if the tool is all that is known. */
  readonly subject: string
  /** The answer to the agent or, if no agent was answered, the decision. */
  readonly outcome: Decision
  /** Set if a rule ended the turn. */
  readonly isEnded?: true
  /** Set if a rule in observe mode would have refused the call, or asked about it. */
  readonly isObserved?: true
  /** Set if a person approved the call. */
  readonly isApproved?: true
  /** Set if a rule, or hookgate itself, failed. */
  readonly isFailed?: true
  /** Set if it is no call, but the person's prompt. */
  readonly isPrompt?: true
  /** The sub-agent that made the call. */
  readonly agentId?: string
  /** The first of the rules that made the decision, else one that observed it. */
  readonly rule?: string
  /** The first line of the reason of the rule, or of the failure; cut. */
  readonly reason?: string
  readonly durationMs: number
  /** The end of the call, once its agent has reported it. */
  readonly ran?: CallResult
}

export function listed({ seq, record, ran }: StoredDecision): ListedDecision {
  const {
    id,
    at,
    agent,
    agentId,
    session,
    project,
    event,
    tool,
    toolName,
    subject,
    input,
    decision,
    told,
    determining,
    evaluations,
  } = record
  const observing = evaluations.find(({ observed, effect }) => observed === true && restricts(effect))
  const failing = evaluations.find(({ failure }) => failure !== undefined)
  const isFailed = record.error !== undefined || failing !== undefined
  const reason = reasonOf(record) ?? observing?.reason ?? failing?.failure?.message
  const rule = determining[0] ?? observing?.ruleId ?? failing?.ruleId
  return {
    seq,
    id,
    at,
    ...(agent !== undefined && { agent }),
    ...(session !== undefined && { session }),
    ...(project !== undefined && { project }),
    tool: toolName ?? tool ?? event ?? '',
    subject: (subject === undefined && input === undefined ? '' : callWords(record))
      .slice(0, subjectCharacters)
      .toWellFormed(),
    outcome: told ?? decision,
    ...(endedTurn(record) && { isEnded: true }),
    ...(observing !== undefined && { isObserved: true }),
    ...(record.approval?.outcome === 'approved' && { isApproved: true }),
    ...(isFailed && { isFailed: true }),
    ...(event === 'UserPromptSubmit' && { isPrompt: true }),
    ...(agentId !== undefined && { agentId }),
    ...(rule !== undefined && { rule }),
    ...(reason !== undefined && { reason: firstLine(reason).slice(0, subjectCharacters).toWellFormed() }),
    durationMs: record.durationMs,
    ...(ran && { ran }),
  }
}

/**
 * Returns the reason of the first rule that made the decision: the decision's own reason repeats it with the rule's
 * name.
 */
function reasonOf({ error, reason, determining, evaluations }: StoredDecision['record']): string | undefined {
  const first = evaluations.find(({ ruleId, effect }) => ruleId === determining[0] && effect !== undefined)
  const text = error?.message ?? first?.reason ?? reason
  return text === '' ? undefined : text
}

/** More than fits into one line of a wide screen. */
const subjectCharacters = 300

/** Finds a row by its id or the id of its refusal. @throws HookgateError `usage` if there is none */
function foundDecision(record: LatestReader, id: string): StoredDecision {
  const found = record.look().reader?.find(id)
  if (found !== undefined) return found
  throw new HookgateError('usage', `no recorded decision has the id ${quoted(id)}`, {
    remedy: 'it may have been removed for its age; take one from the list',
  })
}

/** Explains one decision. Its policies are evaluated once more, which takes some seconds. */
export const whyRoutes = ({ record, env, cwd, places: own, managedFolder }: PageContext) => ({
  why: answering(z.strictObject({ id: z.string().regex(/^[0-9a-z]{4,40}$/) }), async ({ id }) => {
    const rules = placesFor({ cwd, env, home: knownHome(env['HOME']), stateFolder: own.folder, managedFolder })
    return shown(await explainDecision(foundDecision(record, id), { rules, own, env }))
  }),
})

/** Returns what the page shows of a report: with the texts of commands and paths instead of their parts. */
function shown({ expressed, rules, facts, rewrittenFacts, factsMissing, states, without, today, lift }: WhyReport) {
  return {
    expressed,
    rules,
    facts: facts && shownFacts(facts),
    rewrittenFacts: rewrittenFacts && shownFacts(rewrittenFacts),
    factsMissing,
    states,
    without,
    today,
    lift,
  }
}
export type WhyAnswer = ReturnType<typeof shown>

/** The facts about a call, as the page shows them. */
const shownFacts = ({ shell: { commands, flows, uncertain, forkBomb }, paths, impacts }: ToolFacts) => ({
  shell: {
    commands: commands.map((command, at) => ({
      ...shownCommand(command, commands),
      impacts: impacts.filter(({ by }) => by === at).map(impactText),
    })),
    flows,
    uncertain,
    forkBomb,
  },
  paths: paths.map(shownPath),
})
export type ShownFacts = ReturnType<typeof shownFacts>

const shownCommand = (command: ShellCommand, all: readonly ShellCommand[]) => ({
  text: commandText(command),
  notes: commandNotes(command, command.startedBy === undefined ? undefined : all[command.startedBy]),
  startedBy: command.startedBy,
  paths: command.paths.map(shownPath),
  network: command.network,
  code: command.code && { language: command.code.language, does: command.code.does },
  uncertain: command.uncertain,
})

const shownPath = (path: TouchedPath) => ({ access: path.access, text: pathText(path) })

/** Spans of time in one chart of the page: 90 days. */
const pageSpansMax = 100

/** Different rules of whose failures the page shows the last: each costs a look into the record. */
const pageFailuresMax = 50

/** A moment that the page names: the year 9999, so that it has four digits. */
const pageMomentMsMax = 253_402_300_799_999

const Moment = z.int().nonnegative().max(pageMomentMsMax)

const Asked = z.strictObject({
  /** The start of each span of time, ms since the epoch: the hours and days are those of the person's clock. */
  startsMs: z
    .tuple([Moment], Moment)
    .refine((starts) => starts.length <= pageSpansMax, `at most ${pageSpansMax} spans`)
    .refine((starts) => starts.every((start, index) => start > (starts[index - 1] ?? -1)), 'in ascending order'),
  agent: z.string().optional(),
  project: z.string().optional(),
})

const Week = Asked.omit({ startsMs: true }).extend({
  /** Where the days before begin. */
  beforeMs: Moment,
  /** Where the days begin that are compared with them. */
  sinceMs: Moment,
})

/** Decisions over time. */
export const historyRoutes = ({ record, env, cwd }: PageContext) => ({
  history: answering(Asked, (asked) => {
    const { startsMs, agent, project } = asked
    const argv = [
      'stats',
      '--since',
      localMoment(new Date(startsMs[0])),
      ...(agent === undefined ? [] : ['--agent', agent]),
      ...(project === undefined ? [] : ['--project', project]),
    ]
    const { reader } = record.look()
    return {
      byHand: byHand(argv),
      lost: reader?.lost() ?? 0,
      history: reader === undefined ? undefined : shownHistory(reader, asked),
    }
  }),

  /** What rules and agents did since a day, and what they did with as many days before it. */
  week: answering(Week, ({ beforeMs, sinceMs, agent, project }) => {
    const { reader } = record.look()
    const of = { ...(agent !== undefined && { agent }), ...(project !== undefined && { project }) }
    const both = reader?.figures({ ...of, startsMs: [beforeMs] })
    const now = reader?.figures({ ...of, startsMs: [sinceMs] })
    return both === undefined || now === undefined ? undefined : { both: weekOf(both), now: weekOf(now) }
  }),

  /** The decisions since the beginning of the person's day. */
  today: answering(z.strictObject({ sinceMs: Moment }), ({ sinceMs }) => {
    const found = record.look().reader?.figures({ startsMs: [sinceMs] })
    return found === undefined ? noFigures : allOf(found)
  }),

  /** The level at which decisions are recorded from now on. */
  recordLevel: answering(z.strictObject({}), async () => {
    const here = await rulesAt({ env, cwd }, [cwd])
    return { level: here.record.level }
  }),
})

/** Lists what the page shows, each list as long as an answer may be. */
function shownHistory(reader: Pick<DecisionReader, 'find' | 'figures' | 'durations'>, asked: FiguresFilter) {
  const found = reader.figures(asked)
  const { spans, observedAlone, counted, allAgents, allProjects, rules, failures, unreadable } = found
  const durations = reader.durations(asked.startsMs[0])
  const countedOnly = [...counted.values()].reduce((sum, number) => sum + number, 0)
  return {
    all: allOf(found),
    spans: spans.map((span, index) => Object.assign({ observedAlone: observedAlone[index] ?? 0 }, span)),
    counted: [...counted].map(([day, number]) => ({ day, number })),
    countedOnly,
    agents: allAgents.slice(0, limits.pageRowsMax),
    projects: allProjects.slice(0, limits.pageRowsMax),
    rules: [...rules].slice(0, limits.pageRowsMax).map(([rule, figures]) => Object.assign({ rule }, figures)),
    failures: [...failures].slice(0, pageFailuresMax).map(([rule, { number, message, id }]) => ({
      rule,
      number,
      message,
      id,
      at: reader.find(id)?.record.at,
    })),
    gate: durations.gate,
    times: [...durations.rules]
      .slice(0, limits.pageRowsMax)
      .map(([rule, distribution]) => Object.assign({ rule }, distribution)),
    unreadable,
  }
}

/** Returns the sums of a time, and those of each rule and agent. */
const weekOf = (found: RecordFigures) => ({
  all: allOf(found),
  rules: [...found.rules].slice(0, limits.pageRowsMax),
  agents: [...found.agents].slice(0, limits.pageRowsMax).map(([agent, { decided }]) => [agent, decided] as const),
})

/** Adds up all spans, with the decisions that were only counted. */
function allOf({ spans, counted }: Pick<RecordFigures, 'spans' | 'counted'>) {
  const decided = [...counted.values()].reduce((sum, number) => sum + number, 0)
  return spans.reduce(addFigures, { ...noFigures, decided })
}

/** Returns a moment as a person types it for `--since`: a day, if it is its first moment. */
function localMoment(date: Date): string {
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  if (date.getSeconds() !== 0 || date.getMilliseconds() !== 0) return date.toISOString()
  const time = `${two(date.getHours())}:${two(date.getMinutes())}`
  return time === '00:00' ? day : `${day}T${time}`
}

const two = (number: number) => String(number).padStart(2, '0')
