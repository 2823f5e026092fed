import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { dayOf } from '../words/moment.ts'
import { type DurationBar, histogramOf, numberIn, percentile } from './duration-buckets.ts'

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
