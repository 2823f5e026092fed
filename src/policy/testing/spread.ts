/** How measurements spread. */
export interface Spread {
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

/** How many times another it is, by the medians: the ends of both are the machine's. */
export const timesOf = (one: Spread, other: Spread): number => one.p50 / other.p50

/** By the nearest rank: each figure is one that was measured. */
export function spreadOf(measured: readonly number[]): Spread {
  const sorted = measured.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}
