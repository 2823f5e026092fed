/** Nearest-rank percentile of a non-empty list, in the list's unit. */
function percentile(values: readonly number[], fraction: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * fraction) - 1)] ?? Number.NaN
}

export interface Summary {
  readonly p50: number
  readonly p99: number
}

export function summary(values: readonly number[]): Summary {
  return { p50: percentile(values, 0.5), p99: percentile(values, 0.99) }
}

/** The median of the ratios pair by pair: what is left when the machine's speed drifts during the run. */
export function medianRatio(values: readonly number[], floor: readonly number[]): number {
  return percentile(
    values.map((value, at) => value / (floor[at] ?? Number.NaN)),
    0.5,
  )
}
