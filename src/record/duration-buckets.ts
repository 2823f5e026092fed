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
export function percentile(buckets: ReadonlyMap<number, number>, share: number): number {
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
export const numberIn = (buckets: ReadonlyMap<number, number>): number =>
  [...buckets.values()].reduce((sum, number) => sum + number, 0)

/** Durations of about the same length. */
export interface DurationBar {
  /** The longest that it holds. The bars of one histogram follow each other, each up to √2 times as long. */
  readonly upToMs: number
  readonly number: number
}

const bucketsPerBar = bucketsPerDoubling / 2

/** Returns counted durations as a histogram of few bars, from the shortest to the longest. */
export function histogramOf(buckets: ReadonlyMap<number, number>): readonly DurationBar[] {
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
