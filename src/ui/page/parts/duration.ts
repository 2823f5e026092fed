import type { CallResult } from '../../../record/record.ts'

/** Formats a number of milliseconds with a unit: `0.04 ms`, `0.4 ms`, `32 ms`, `1.3 s`, `2.5 min`. */
export function durationText(ms: number): string {
  if (ms < 0.1) return `${ms.toFixed(2)} ms`
  if (ms < 10) return `${ms.toFixed(1)} ms`
  if (ms < 999.5) return `${ms.toFixed(0)} ms`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  return `${(ms / 60_000).toFixed(1)} min`
}

/** Says how a call ended: `ran, 1.2 s`, `failed: Exit code 1`. */
export function ranText({ succeeded, durationMs, error }: CallResult): string {
  const how = succeeded ? 'ran' : `failed${error === undefined ? '' : `: ${error}`}`
  return durationMs === undefined ? how : `${how}, ${durationText(durationMs)}`
}
