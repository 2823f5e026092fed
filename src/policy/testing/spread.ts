/** Percentiles of measurements. */
export interface Spread {
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

/** Returns the ratio of two medians: the higher percentiles mostly show the machine's load. */
export const timesOf = (one: Spread, other: Spread): number => one.p50 / other.p50

/** Computes percentiles by the nearest rank, so that each is a measured value. */
export function spreadOf(measured: readonly number[]): Spread {
  const sorted = measured.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}
