import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { dayOf } from '../words/moment.ts'

/** The distribution of the durations of evaluations. */
export interface Distribution {
  readonly number: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
  /** The longest duration. */
  readonly maxMs: number
  readonly bars: readonly DurationBar[]
}

/** Durations since the beginning of a day in local time, of every agent and project. */
export interface Durations {
  /** The durations of decisions about calls, each with all its rules; `undefined` if none was timed. */
  readonly gate: Distribution | undefined
  /** The durations of each rule, the slowest first. */
  readonly rules: ReadonlyMap<string, Distribution>
}

const TimeRow = z.strictObject({ rule: z.string(), bucket: z.int(), number: z.int() })

/** Reads how long decisions and rules took. @param sinceMs ms since the epoch; counts from the beginning of its day */
export function readDurations(database: DatabaseSync, sinceMs: number): Durations {
  const query = 'SELECT rule, bucket, sum(number) AS number FROM times WHERE day >= ? GROUP BY 1, 2'
  const rows = database.prepare(query).all(dayOf(sinceMs))
  const timed = rows.flatMap((raw) => TimeRow.safeParse({ ...raw }).data ?? [])
  const distributions = [...Map.groupBy(timed, ({ rule }) => rule)].map(([rule, own]) => {
    const buckets = new Map(own.map(({ bucket, number }) => [bucket, number]))
    const distribution: Distribution = {
      number: numberIn(buckets),
      p50Ms: percentile(buckets, 0.5),
      p95Ms: percentile(buckets, 0.95),
      p99Ms: percentile(buckets, 0.99),
      maxMs: percentile(buckets, 1),
      bars: histogramOf(buckets),
    }
    return [rule, distribution] as const
  })
  const slowestFirst = distributions.toSorted(([, a], [, b]) => b.p99Ms - a.p99Ms || b.p50Ms - a.p50Ms)
  return {
    gate: new Map(distributions).get(''),
    rules: new Map(slowestFirst.filter(([rule]) => rule !== '')),
  }
}

/**
 * Durations are counted in buckets, twelve for each doubling: bucket 0 holds up to 0.01 ms. A percentile read from the
 * buckets is the bound of its bucket, so it is at most 6 % too large.
 */
const bucketsPerDoubling = 12
const leastMs = 0.01

/** Returns the bucket of a duration. */
export function bucketOf(ms: number): number {
  return ms <= leastMs ? 0 : Math.ceil(bucketsPerDoubling * Math.log2(ms / leastMs))
}

/** Returns the upper bound of a bucket, in ms. */
const bucketMs = (bucket: number): number => leastMs * 2 ** (bucket / bucketsPerDoubling)

/** Returns a percentile of counted durations, in ms; 0 if there are none. @param share from 0 to 1 */
function percentile(buckets: ReadonlyMap<number, number>, share: number): number {
  const sorted = [...buckets].toSorted(([a], [b]) => a - b)
  const all = numberIn(buckets)
  let below = 0
  for (const [bucket, number] of sorted) {
    below += number
    if (below >= share * all) return bucketMs(bucket)
  }
  return 0
}

/** Returns how many durations were counted. */
const numberIn = (buckets: ReadonlyMap<number, number>): number =>
  [...buckets.values()].reduce((sum, number) => sum + number, 0)

/** Durations of about the same length. */
interface DurationBar {
  /** The longest that it holds. The bars of one histogram follow each other, each up to √2 times as long. */
  readonly upToMs: number
  readonly number: number
}

const bucketsPerBar = bucketsPerDoubling / 2

/** Returns counted durations as a histogram of few bars, from the shortest to the longest. */
function histogramOf(buckets: ReadonlyMap<number, number>): readonly DurationBar[] {
  const bars = new Map<number, number>()
  for (const [bucket, number] of buckets) {
    const bar = Math.ceil(bucket / bucketsPerBar)
    bars.set(bar, (bars.get(bar) ?? 0) + number)
  }
  const first = Math.min(...bars.keys())
  return Array.from({ length: bars.size === 0 ? 0 : Math.max(...bars.keys()) - first + 1 }, (_, index) => ({
    upToMs: bucketMs((first + index) * bucketsPerBar),
    number: bars.get(first + index) ?? 0,
  }))
}
