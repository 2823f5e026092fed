import { stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { dialectOf } from '../../agents/index.ts'
import { sessionlessDigest } from '../../files/state/refusals.ts'
import { asDecoded, checkDepth } from '../../gate/checked-event.ts'
import { errorText, HookgateError } from '../../model/errors.ts'
import type { HookEvent, PastCall, PastItem } from '../../model/event.ts'
import { limits } from '../../model/limits.ts'
import { acceptedBy, openInput } from './inputs.ts'
import { afterCall, type PastResult } from './outputs.ts'
import type { ReplayOutcome } from './outcome.ts'
import { checkRules, type ReplayQuestion, type ReplaySite } from './question.ts'
import { type ReplayProgress, type ReplayReport, reportOf } from './report.ts'
import { type Decider, openRuleSets, type RulesNames, type Wants } from './rule-sets.ts'
import { type Finding, type Judgment, ReplayTally } from './tally.ts'

interface ReplayWatch {
  /** Ends the replay early, with a report of what was decided until then. */
  readonly signal: AbortSignal
  /** Is called once the replay begins, and may look at its progress until the function that it returns is called. */
  readonly watch: (progress: () => ReplayProgress) => () => void
}

interface Replayed {
  readonly report: ReplayReport
  readonly names: RulesNames
}

/**
 * Decides past calls, and removes whatever it wrote for that, also if it is ended early.
 *
 * @throws HookgateError if there is nothing to read, or rules do not load
 */
export async function runReplay(
  question: ReplayQuestion,
  site: ReplaySite,
  { signal, watch }: ReplayWatch,
): Promise<Replayed> {
  checkRules(question)
  const input = await openInput(question, site)
  const sets = await openRuleSets(question, site)
  const tally = new ReplayTally()
  const unwatch = watch(() => ({ calls: tally.calls, ...input.read }))
  const { promise: aborted, resolve: setAborted } = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => setAborted())
  const startedAtMs = performance.now()
  try {
    const whole = replay(input.items, tally, {
      now: sets.now,
      before: sets.before,
      accepts: acceptedBy(question),
      atOnce: replayCallsAtOnce * availableParallelism(),
      signal,
    })
    if (!signal.aborted) await Promise.race([whole, aborted])
    const report = reportOf(tally, {
      isCompared: sets.before !== undefined,
      isPartial: signal.aborted,
      limit: question.limit,
      seconds: (performance.now() - startedAtMs) / 1000,
    })
    if (report.calls === 0 && !report.partial && report.unreadable.length === 0) throw noCalls(question)
    return { report, names: sets.names }
  } finally {
    unwatch()
    sets.end()
  }
}
/** Calls decided at once for each core: enough to keep the sandbox busy while facts are found here. */
export const replayCallsAtOnce = 4

function noCalls({ sources, from }: ReplayQuestion): HookgateError {
  const where = {
    stdin: 'on stdin',
    record: 'in the record that the options let through',
    sessions: `in ${sources.length === 0 ? 'the sessions that were found' : sources.join(', ')} that the options let through`,
  }[from]
  return new HookgateError('usage', `there is no tool call ${where}`, { remedy: 'see `hookgate replay --help`' })
}

/** Options of deciding past calls. */
interface ReplayOptions {
  readonly now: Decider
  /** Decides by the rules that are compared with. */
  readonly before: Decider | undefined
  /** Returns whether a call is among those to replay. */
  readonly accepts: (call: PastCall) => boolean
  /** The number of calls that are decided at once. */
  readonly atOnce: number
  /** Ends the replay early; what is counted until then stays. */
  readonly signal: AbortSignal
}

/** A call that was decided before, or is being decided. */
interface KnownCall {
  /** Whether what it returns is to be decided as well. */
  readonly outputs: boolean
  judgment: Judgment | undefined
  finding: Finding | undefined
  /** The number of further calls like it that came while it was being decided. */
  waiting: number
  decided: Promise<void>
}

const newCall = (outputs: boolean): KnownCall => ({
  outputs,
  judgment: undefined,
  finding: undefined,
  waiting: 1,
  decided: Promise.resolve(),
})

/**
 * Decides past calls and counts the answers. Equal calls are decided once, as long as their verdict is kept.
 *
 * All are decided as of now, the time included: a call that comes twice has one answer. Where a rule looks back, calls are
 * decided one after the other, at the times when they were made, each by what came before it in its session.
 */
export async function replay(
  items: AsyncIterable<PastItem>,
  tally: ReplayTally,
  { now, before, accepts, atOnce, signal }: ReplayOptions,
): Promise<void> {
  const nowMs = Date.now()
  const known = new Map<string, KnownCall>()
  const folders = new Map<string, Promise<boolean>>()
  const deciding = new Set<Promise<void>>()

  async function decideNew(event: HookEvent, call: PastCall, entry: KnownCall): Promise<void> {
    const isGone = await isFolderGone(event.session.cwd, folders)
    const [after, earlier] = await Promise.all([now.decide(event, isGone), before?.decide(event, isGone)])
    // A sandbox that was ended together with the replay answers nothing that counts.
    if (signal.aborted) return
    const judgment = { now: after, before: earlier, outputs: entry.outputs }
    entry.finding = tally.findingFor(event, call, judgment)
    entry.judgment = judgment
    tally.decisions += 1
    tally.count(judgment, entry.finding, call, entry.waiting)
  }

  /** Has rules judge what a call has returned, and those that look back know what became of it. */
  async function tell(event: HookEvent, item: PastResult, wants: readonly Wants[], entry?: KnownCall): Promise<void> {
    await entry?.decided
    const told = afterCall(event, item)
    const hasOutput = (told.result?.output ?? told.result?.error) !== undefined
    const toldBy = async (decider: Decider | undefined, own: Wants | undefined, was: ReplayOutcome | undefined) => {
      if (decider === undefined || own === undefined) return undefined
      // It would not have run, whatever the session says of its end.
      if (item.became !== 'prompted' && was?.answer === 'refused') return undefined
      if (!own.looksBack && !(own.outputs && hasOutput)) return undefined
      const made = await decider.tell(told)
      return own.outputs ? made : undefined
    }
    const { file, line } = item.call
    const [after, earlier] = await Promise.all([
      toldBy(now, wants[0], entry?.judgment?.now),
      toldBy(before, wants[1], entry?.judgment?.before),
    ])
    if (!signal.aborted) tally.outputs.count(after, earlier, { file, line })
  }

  /** Begins to work on something; waits while too much is under way. */
  async function begin(work: Promise<void>): Promise<void> {
    const one = work.finally(() => deciding.delete(one))
    deciding.add(one)
    if (deciding.size >= atOnce) await Promise.race(deciding)
  }

  for await (const item of items) {
    if (signal.aborted) return
    if (item.kind === 'unreadable') {
      tally.noteUnreadable(item)
      continue
    }
    const { call } = item
    if (!accepts(call)) continue
    // oxlint-disable-next-line no-await-in-loop -- in the order in which they are read
    const event = await eventOf(call, nowMs)
    if (typeof event === 'string') {
      if (item.kind === 'call') tally.noteUnreadable({ file: call.file, line: call.line, why: event })
      continue
    }
    // oxlint-disable-next-line no-await-in-loop -- known already, but for the first of a folder
    const wants = await Promise.all([now, ...(before === undefined ? [] : [before])].map((one) => one.wants(event)))
    const looksBack = wants.some((one) => one.looksBack)
    const then = looksBack ? asDecoded(Object.freeze({ ...event, atMs: call.atMs ?? nowMs })) : event
    // Where rules look back, each call has a past of its own, so that equal ones may have different answers.
    const key = looksBack ? idOf(event) : sessionlessDigest({ ...event, name: 'PreToolUse' })
    const entry = key === undefined ? undefined : known.get(key)
    if (item.kind === 'result') {
      if (!looksBack && !wants.some(({ outputs }) => outputs)) continue
      const telling = tell(then, item, wants, entry)
      // oxlint-disable-next-line no-await-in-loop -- before the next call, or only so many at once
      await (looksBack ? telling : begin(telling))
      continue
    }
    tally.noteCall(call)
    if (!looksBack && entry?.judgment !== undefined) tally.count(entry.judgment, entry.finding, call, 1)
    else if (!looksBack && entry !== undefined) entry.waiting += 1
    else {
      if (known.size >= limits.replayVerdictsKeptMax)
        tally.hasForgotten = (forgetOldest(known) && !looksBack) || tally.hasForgotten
      const fresh = newCall(wants[0]?.outputs === true)
      if (key !== undefined) known.set(key, fresh)
      fresh.decided = decideNew(then, call, fresh)
      // oxlint-disable-next-line no-await-in-loop -- one after the other, as they were, or only so many at once
      await (looksBack ? fresh.decided : begin(fresh.decided))
    }
  }
  await Promise.all(deciding)
}

/** Tells a call from all others of a replay; `undefined` if nothing does. */
const idOf = ({ session, tool }: HookEvent) => (tool?.id === undefined ? undefined : `${session.id}\n${tool.id}`)

/** Forgets the verdict that was made first. One that is still being made would lose the calls that wait for it. */
function forgetOldest(known: Map<string, KnownCall>): boolean {
  for (const [digest, { judgment }] of known) {
    if (judgment !== undefined) return known.delete(digest)
  }
  return false
}

/** Decodes a past call as if it came now. Returns the reason if it is not one. */
export async function eventOf({ agent, wire, cwd }: PastCall, nowMs: number): Promise<HookEvent | string> {
  try {
    checkDepth(wire)
    const dialect = await dialectOf(agent)
    // The variables of this process are those of no past session.
    const event = dialect.decodeEvent(wire, { nowMs, env: {}, cwd })
    if (event.tool === undefined) return 'it is not a call of a tool'
    return asDecoded(Object.freeze({ ...event, atMs: nowMs }))
  } catch (error) {
    return errorText(error)
  }
}

/** Returns whether the folder of a session no longer exists. */
function isFolderGone(folder: string, known: Map<string, Promise<boolean>>): Promise<boolean> {
  const before = known.get(folder)
  if (before !== undefined) return before
  if (known.size >= limits.ruleSetsCachedMax) known.clear()
  const found = stat(folder).then(
    (stats) => !stats.isDirectory(),
    () => true,
  )
  known.set(folder, found)
  return found
}
