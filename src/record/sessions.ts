import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { conditionOf, type DecisionFilter } from './filter.ts'

/** A session of an agent, as far as its decisions are recorded. */
const RecordedSession = z.object({
  agent: z.string(),
  session: z.string(),
  /** The project of its latest decision. */
  project: z.string().nullable(),
  since: z.string(),
  latest: z.string(),
  decisions: z.int(),
  refused: z.int(),
  asked: z.int(),
})
export type RecordedSession = Readonly<z.infer<typeof RecordedSession>>

/** SQLite takes the columns that are no sums from the row with the largest `seq`. */
const query = `SELECT agent, session, project, min(at) AS since, at AS latest, count(*) AS decisions,
    sum(outcome = 'deny') AS refused, sum(outcome IN ('ask', 'defer')) AS asked, max(seq) AS last
  FROM decisions WHERE listed AND agent IS NOT NULL AND session IS NOT NULL
  GROUP BY agent, session ORDER BY last DESC LIMIT ?`

/** Lists the sessions with the latest decisions, the latest first. */
export const readSessions = (database: DatabaseSync, max: number): readonly RecordedSession[] =>
  database
    .prepare(query)
    .all(max)
    .flatMap((raw) => RecordedSession.safeParse({ ...raw }).data ?? [])

const OutlineRow = z.strictObject({ seq: z.int(), outcome: z.string() })
/** The number of a row, and the answer that the agent got. */
export type OutlineRow = Readonly<z.infer<typeof OutlineRow>>

/** Returns which rows match, without what is in them: the latest so many, in the order of writing. */
export function readOutline(database: DatabaseSync, filter: DecisionFilter, max: number): readonly OutlineRow[] {
  const { condition, values } = conditionOf(filter)
  return database
    .prepare(`SELECT seq, outcome FROM decisions WHERE ${condition} ORDER BY seq DESC LIMIT ?`)
    .all(...values, max)
    .flatMap((raw) => OutlineRow.safeParse({ ...raw }).data ?? [])
    .toReversed()
}
