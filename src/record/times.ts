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
  const all = sorted.reduce((sum, [, number]) => sum + number, 0)
  let below = 0
  for (const [bucket, number] of sorted) {
    below += number
    if (below >= share * all) return bucketMs(bucket)
  }
  return 0
}
