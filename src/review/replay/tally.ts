import type { HookEvent, PastCall, UnreadablePlace } from '../../model/event.ts'
import { limits } from '../../model/limits.ts'
import { maskedInput } from '../../mask/masked-input.ts'
import { toolCarries } from '../../model/tool-kinds.ts'
import { callWords } from '../../words/call-words.ts'
import { OutputTally } from './outputs.ts'
import {
  type Change,
  changeBetween,
  type Circumstance,
  type ReplayAnswer,
  type ReplayOutcome,
  replayTextCharactersMax,
  shownText,
} from './outcome.ts'

/** Causes of unreadable lines and undecided calls that are told apart. They repeat, unless a cause quotes a line. */
const replayCausesMax = 100

/** The answers of one or two sets of rules to a call. */
export interface Judgment {
  readonly now: ReplayOutcome
  /** The answer of the rules that are compared with. */
  readonly before: ReplayOutcome | undefined
  /** Whether rules are about what the call returns. */
  readonly outputs: boolean
}

/** A command, or a call of another tool, about which there is something to say, with how often it came. */
export interface Finding extends Omit<Judgment, 'outputs'> {
  /** The command, or the tool with its path, URL or input. Secrets masked, cut. */
  readonly subject: string
  readonly agent: string
  /** Absent without other rules to compare with, and if they say the same. */
  readonly change: Change | undefined
  /** The first call that led to it. */
  readonly first: CallPlace
  calls: number
}

/** A place in a session file. */
export interface CallPlace {
  readonly file: string
  readonly line: number | undefined
  readonly cwd: string
}

/** A cause for which lines were not read, or calls not decided. */
export interface CauseCount {
  readonly why: string
  readonly first: Pick<CallPlace, 'file' | 'line'>
  times: number
}

/** The number of calls by answer. */
export type AnswerCounts = Record<ReplayAnswer, number>

const noAnswers = (): AnswerCounts => ({ refused: 0, asked: 0, allowed: 0, noOpinion: 0, undecided: 0 })

/**
 * Counts the answers to past calls, and keeps what there is to show, in bounded memory. All calls with the same subject
 * and the same answers of the same rules are one finding.
 */
export class ReplayTally {
  /** Calls that were decided so far. */
  calls = 0
  readonly now = noAnswers()
  readonly before = noAnswers()
  readonly changes = new Map<Change, number>()
  readonly agents = new Map<string, number>()
  /** Calls whose answer depends on what is on this machine today. */
  readonly asOfNow = new Map<Circumstance, number>()
  readonly hooksNotRun = new Map<string, number>()
  readonly unreadable = new Map<string, CauseCount>()
  readonly undecided = new Map<string, CauseCount>()
  readonly findings = new Map<string, Finding>()
  readonly outputs = new OutputTally()
  /** Calls that are counted above, and of which no finding is kept. */
  findingsNotKept = 0
  /** Decisions that were made; calls that came again while their verdict was kept need none. */
  decisions = 0
  /** True if verdicts had to be forgotten, so that a call may have been decided more than once. */
  hasForgotten = false
  files = 0
  fromMs: number | undefined
  toMs: number | undefined
  #file: string | undefined

  noteUnreadable({ file, line, why }: Pick<UnreadablePlace, 'file' | 'line' | 'why'>): void {
    this.#noteFile(file)
    countCause(this.unreadable, shownText(why), { file, line }, 1)
  }

  /** Notes a call that is about to be decided, and when and where it came. */
  noteCall({ agent, file, atMs }: PastCall): void {
    this.#noteFile(file)
    this.agents.set(agent, (this.agents.get(agent) ?? 0) + 1)
    if (atMs === undefined) return
    this.fromMs = Math.min(this.fromMs ?? atMs, atMs)
    this.toMs = Math.max(this.toMs ?? atMs, atMs)
  }

  /** Files are read one after another. */
  #noteFile(file: string): void {
    if (file === this.#file) return
    this.#file = file
    this.files += 1
  }

  /** Returns the finding for a call that was just decided; `undefined` if there is nothing to say of it. */
  findingFor(event: HookEvent, call: CallPlace, { now, before }: Omit<Judgment, 'outputs'>): Finding | undefined {
    const change = before && changeBetween(before, now)
    if (change === undefined && !isObjection(now)) return undefined
    const subject = subjectOf(event)
    const key = JSON.stringify([subject, event.agent, outcomeKey(now), before && outcomeKey(before)])
    const known = this.findings.get(key)
    if (known !== undefined) return known
    if (this.findings.size >= limits.replayFindingsMax) return undefined
    const { file, line, cwd } = call
    const first = { file, line, cwd }
    const finding: Finding = { subject, agent: event.agent, now, before, change, first, calls: 0 }
    this.findings.set(key, finding)
    return finding
  }

  /** Counts a call that was decided, as often as it came. */
  count(judgment: Judgment, finding: Finding | undefined, place: CallPlace, times: number): void {
    const { now, before } = judgment
    const change = finding?.change ?? (before && changeBetween(before, now))
    this.calls += times
    this.now[now.answer] += times
    if (before !== undefined) this.before[before.answer] += times
    if (change !== undefined) this.changes.set(change, (this.changes.get(change) ?? 0) + times)
    for (const one of now.asOfNow) this.asOfNow.set(one, (this.asOfNow.get(one) ?? 0) + times)
    for (const id of now.hooksNotRun) this.hooksNotRun.set(id, (this.hooksNotRun.get(id) ?? 0) + times)
    for (const { why } of [now, ...(before === undefined ? [] : [before])]) {
      if (why !== undefined) countCause(this.undecided, why, place, times)
    }
    if (judgment.outputs && now.answer !== 'refused' && now.answer !== 'undecided') this.outputs.noteDue(times)
    if (finding !== undefined) finding.calls += times
    else if (change !== undefined || isObjection(now)) this.findingsNotKept += times
  }
}

const isObjection = ({ answer }: ReplayOutcome) => answer === 'refused' || answer === 'asked'

const outcomeKey = ({ answer, rules }: ReplayOutcome) => [answer, rules.map(({ id, reason }) => [id, reason])]

/** Returns the command, or the tool's name and what it is about, with secrets masked. */
function subjectOf({ tool }: HookEvent): string {
  if (tool === undefined) return ''
  if (tool.kind === 'shell' && tool.command !== undefined) return shownText(tool.command)
  const { kind, name, path, url } = tool
  if (toolCarries[kind].also !== 'pattern' && (path ?? url) !== undefined) return shownText(`${name} ${path ?? url}`)
  const { input } = maskedInput(tool.input, replayTextCharactersMax)
  return shownText(callWords({ tool: kind, toolName: name, subject: path ?? url, input }))
}

/** Counts a cause. Once there are too many, all new ones are one cause, which says so. */
function countCause(
  causes: Map<string, CauseCount>,
  why: string,
  { file, line }: Pick<CallPlace, 'file' | 'line'>,
  times: number,
): void {
  const key = causes.has(why) || causes.size < replayCausesMax ? why : otherCauses
  const known = causes.get(key)
  if (known === undefined) causes.set(key, { why: key, first: { file, line }, times })
  else known.times += times
}
const otherCauses = 'other causes'
