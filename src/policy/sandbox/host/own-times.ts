import { limits } from '../../../model/limits.ts'

/** The times of the policies that one call evaluated. */
interface OwnTimes {
  /** By index in the call: policies that took long enough to be measured. */
  readonly longMs: ReadonlyMap<number, number>
  /** The mean time of each other policy. */
  readonly otherMs: number
}

/**
 * Divides the time of a call among its policies. `long` has those during which the clock of the sandbox advanced, as
 * `index:ms`. That clock counts whole milliseconds: in a shorter call it may advance in any policy, and tells nothing.
 *
 * @throws if `long` is not such a list
 */
export function ownTimesMs(long: string, totalMs: number, policies: number): OwnTimes {
  if (long === '') return { longMs: none, otherMs: totalMs / policies }
  const measured = long.split(',').map(timeOf)
  if (totalMs < 1 || policies === 1) return { longMs: none, otherMs: totalMs / policies }
  const longMs = new Map(measured)
  let sumMs = 0
  for (const ms of longMs.values()) sumMs += ms
  return { longMs, otherMs: Math.max(0, totalMs - sumMs) / Math.max(1, policies - longMs.size) }
}

const none: OwnTimes['longMs'] = new Map()

function timeOf(text: string): readonly [index: number, ms: number] {
  const [, index, ms] = /^(\d+):(\d+(?:\.\d+)?)$/.exec(text) ?? []
  if (index === undefined || ms === undefined) throw new TypeError('a time is not `index:ms`')
  // The clock of the sandbox may be set forward meanwhile.
  return [Number(index), Math.min(Number(ms), limits.policyAnswerMsMax)]
}
