import { openKeyValueStore } from '../files/key-value-store.ts'
import { keptIn } from '../files/state/places.ts'
import { openRefusals, type Refusals } from '../files/state/refusals.ts'
import { type DecidedHooks, decidedHooks, type StopRefusals, stopRefusals } from './memory/stop-refusals.ts'
import { memoize } from '../model/lazy.ts'
import type { Past } from '../past/past.ts'
import type { GateOptions } from './gate-options.ts'

/** The files and counts that a gate keeps from one event to the next. */
export interface GateMemory {
  readonly stops: StopRefusals
  readonly decidedHooks: DecidedHooks
  /** The file of refusals that `hookgate allow` reads; `undefined` if none is kept. */
  readonly refusals: Refusals | undefined
  /** What happened before, opened with the first rule that looks back. @throws HookgateError `unavailable` */
  readonly past: () => Promise<Past>
  /** The database of decisions. */
  readonly record: string | false | undefined
  /** The folder with compiled policies. */
  readonly compiled: string | undefined
}

/** Opens what the options name. Without a state folder, only the ends of turns are counted, in memory. */
export function openMemory({ state, keeps = true, record }: GateOptions): GateMemory {
  const kept = state === undefined || !keeps ? undefined : keptIn(state)
  const refusals = kept && openRefusals(kept.refusals)
  return {
    stops: openStops(kept?.stops),
    decidedHooks: openDecidedHooks(refusals),
    refusals,
    past: memoize(async () => {
      const { openPast, openPastToLookAt } = await import('../past/open-past.ts')
      return state === undefined || keeps ? openPast(kept?.past) : openPastToLookAt(keptIn(state).past)
    }),
    record: record ?? kept?.decisions,
    compiled: kept?.compiled,
  }
}

/** Opens the counts of refused ends of turns. @param folder where gates share the counts. Default: in memory */
export const openStops = (folder?: string): StopRefusals =>
  stopRefusals(openKeyValueStore(folder, stopSessionsMax, stopSessionMsMax))
/** How long counts of refusals are kept between processes: a turn takes hours at most. */
const stopSessionMsMax = 86_400_000
/** Latest sessions whose refusals are counted. */
const stopSessionsMax = 1000

export const openDecidedHooks = (refusals?: Refusals): DecidedHooks =>
  decidedHooks(openKeyValueStore(undefined, decidedHooksMax), refusals)
/** Hooks that a gate remembers to have decided: some hundred projects with ten guards each. */
export const decidedHooksMax = 1000
