/* oxlint-disable unicorn/no-thenable -- a word of the settings; nothing of it is awaited */
import type { PastCall, PastItem } from '../../model/event.ts'
import type { SessionLimits } from '../../model/session-limits.ts'
import type { KeptStep } from '../../model/past.ts'
import { type Fold, openFold } from '../../past/fold.ts'
import { happeningOf, stepOf } from '../../past/step.ts'
import { scopeOf, type StepStore } from '../../past/store.ts'
import { loopState } from '../../rules/index.ts'
import { eventOf } from '../replay/replay.ts'

/** The loops of which the past says how near healthy sessions come; which refusals are healthy, it does not say. */
const measured = ['failed', 'repeated'] as const
type Measured = (typeof measured)[number]

/** A limit that would have stopped no call of the past, by far. */
export interface SuggestedLimit {
  readonly name: Measured
  readonly value: { readonly times: number; readonly then?: 'ask' }
  /** The most that any session has come to, and by which call; absent if there was none. */
  readonly most: number
  readonly of?: string
  readonly sessions: number
  readonly calls: number
}

/** Twice what was seen: a limit just above it would stop the next session that is a little longer. */
const margin = 2
/** With fewer, a person is stopped in the course of ordinary work that merely has not come up yet. */
const timesLeast: Readonly<Record<Measured, number>> = { failed: 4, repeated: 30 }
const timesMax = 1000
/** Fewer sessions say little of what the next one does. */
const sessionsLeast = 20
/** Sessions that are counted at once: the files of sub-agents stand beside their parent's. */
const countedAtOnce = 100

/**
 * Suggests limits on loops where none is set, or one that would have stopped a call that ran.
 *
 * @param inForce the limits of the user's file and its preset
 */
export async function suggestLimits(
  steps: AsyncIterable<KeptStep> | Iterable<KeptStep>,
  inForce: SessionLimits,
): Promise<readonly SuggestedLimit[]> {
  const sessions = new Set<string>()
  const folds = new Map<string, Readonly<Record<Measured, Fold>>>()
  const most: Record<Measured, { value: number; of?: string }> = { failed: { value: 0 }, repeated: { value: 0 } }
  let calls = 0
  for await (const step of steps) {
    const { id } = scopeOf(step, 'session')
    const own = folds.get(id) ?? { failed: openFold(loopState('failed')), repeated: openFold(loopState('repeated')) }
    folds.set(id, own)
    const [oldest = ''] = folds.keys()
    if (folds.size > countedAtOnce) folds.delete(oldest)
    const isCall = step.outcome === 'allowed'
    if (isCall) {
      sessions.add(id)
      calls += 1
    }
    for (const name of measured) {
      const value = isCall ? Number(own[name].valueFor(step, step.atMs) ?? 0) : 0
      if (value > most[name].value) most[name] = { value, of: step.text }
      own[name].add(step)
    }
  }
  if (sessions.size < sessionsLeast) return []
  return measured.flatMap((name): SuggestedLimit[] => {
    const { value, of } = most[name]
    const set = inForce[name]
    const times = Math.max(timesLeast[name], (value + 1) * margin)
    if (set === false || (set !== undefined && set.times > value) || times > timesMax) return []
    const then = name === 'repeated' ? ({ then: 'ask' } as const) : {}
    const about = { sessions: sessions.size, calls, most: value, ...(of !== undefined && { of }) }
    return [{ name, value: { times, ...then }, ...about }]
  })
}

/** Makes steps of what session files say. */
export async function* stepsIn(
  items: AsyncIterable<PastItem>,
  accepts: (call: PastCall) => boolean,
): AsyncGenerator<KeptStep> {
  let seq = 0
  for await (const item of items) {
    if (item.kind === 'unreadable' || !accepts(item.call)) continue
    const event = await eventOf(item.call, item.call.atMs ?? 0)
    if (typeof event === 'string') continue
    const outcome = item.kind === 'call' ? 'allowed' : item.became
    yield { ...stepOf(happeningOf(event, undefined), outcome), seq: (seq += 1) }
  }
}

/** Returns the steps that are kept, one session after another. */
export function* keptSteps(store: StepStore, accepts: (step: KeptStep) => boolean): Generator<KeptStep> {
  for (const { latest } of store.sessions())
    yield* store.after(scopeOf(latest, 'session'), 0).filter((step) => accepts(step))
}
