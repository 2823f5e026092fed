import { openRefusals, type Refusals } from '../files/state/refusals.ts'
import { keptIn } from '../files/state/places.ts'
import { openStopRefusals, type StopRefusals } from '../files/state/stop-refusals.ts'
import type { GateOptions } from './gate-options.ts'

/** What a gate keeps from one event to the next, and where. */
export interface GateMemory {
  readonly stops: StopRefusals
  /** Where refusals are kept for `hookgate allow`; `undefined`: nowhere. */
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
