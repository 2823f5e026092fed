/** Nearest-rank percentile of a non-empty list, in the list's unit. */
function percentile(values: readonly number[], fraction: number): number {
  return percentileOfSorted(
    values.toSorted((a, b) => a - b),
    fraction,
  )
}

function percentileOfSorted(sorted: ArrayLike<number>, fraction: number): number {
  return sorted[Math.max(0, Math.min(sorted.length - 1, Math.ceil(sorted.length * fraction) - 1))] ?? Number.NaN
}

export interface Summary {
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

export function summary(values: Iterable<number>): Summary {
  // Numbers in a typed array are sorted as numbers, and many times faster.
  const sorted = Float64Array.from(values).toSorted()
  const at = (fraction: number) => percentileOfSorted(sorted, fraction)
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}

export const median = (values: readonly number[]) => percentile(values, 0.5)

/** Returns the median of the pairwise ratios, which is robust when the machine's speed drifts during the run. */
export function medianRatio(values: readonly number[], floor: readonly number[]): number {
  return median(values.map((value, at) => value / (floor[at] ?? Number.NaN)))
}

/** Shuffles the order of a round, so that no candidate always runs after the same other one. */
export function shuffled<T>(list: readonly T[]): readonly T[] {
  return list
    .map((item) => ({ item, key: Math.random() }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ item }) => item)
}
