import { openRefusals, type Refusals } from '../files/state/refusals.ts'
import { keptIn } from '../files/state/places.ts'
import { openStopRefusals, type StopRefusals } from '../files/state/stop-refusals.ts'
import type { GateOptions } from './gate-options.ts'

/** The files and counts that a gate keeps from one event to the next. */
export interface GateMemory {
  readonly stops: StopRefusals
  /** The file of refusals that `hookgate allow` reads; `undefined` if none is kept. */
  readonly refusals: Refusals | undefined
  /** The database of decisions. */
  readonly record: string | false | undefined
  /** The folder with compiled policies. */
  readonly compiled: string | undefined
}

/** Opens what the options name. Without a state folder, only the ends of turns are counted, in memory. */
export function openMemory({ state, keeps = true, record }: GateOptions): GateMemory {
  const kept = state === undefined || !keeps ? undefined : keptIn(state)
  return {
    stops: openStopRefusals(kept?.stops),
    refusals: kept && openRefusals(kept.refusals),
    record: record ?? kept?.decisions,
    compiled: kept?.compiled,
  }
}
