import type { DatabaseSync } from 'node:sqlite'
import { chainEnds, rowHash } from './chain.ts'
import { inTransaction } from './database.ts'

/** Decisions that are written together. */
export interface RecordBatch {
  readonly rows: readonly RecordRow[]
  readonly counts: readonly DecisionCount[]
  readonly times: readonly TimeCount[]
}

export interface RecordRow {
  readonly id: string
  /** A `DecisionRecord` as JSON. */
  readonly record: string
}

/** The number of decisions of one kind that were only counted. */
export interface DecisionCount {
  /** `2026-01-31`, in local time. */
  readonly day: string
  readonly agent: string
  readonly project: string
  readonly event: string
  readonly tool: string
  readonly decision: string
  readonly number: number
}

/** The number of evaluations of a rule that took about the same time: see `duration-buckets.ts`. */
export interface TimeCount {
  readonly day: string
  /** `''` for the decision itself. */
  readonly rule: string
  readonly bucket: number
  readonly number: number
}

/** A process that writes decisions. */
export interface Writer {
  /** Unique; begins with its pid. */
  readonly name: string
  /** ISO 8601, in UTC. */
  readonly startedAt: string
}

/** The results of a writer's decisions since its start. */
export interface WriterFigures {
  /** Recorded, or counted. */
  readonly written: number
  readonly lost: number
}

/** Returns how many decisions a batch holds. */
export const decisionsIn = ({ rows, counts }: RecordBatch): number =>
  counts.reduce((sum, { number }) => sum + number, rows.length)

/**
 * Appends a batch in one transaction: its rows follow the chain's end, of whichever process that is.
 *
 * @param figures the writer's, with this batch
 */
export function appendBatch(database: DatabaseSync, writer: Writer, batch: RecordBatch, figures: WriterFigures): void {
  inTransaction(database, () => {
    appendRows(database, batch.rows)
    const count = database.prepare(
      `INSERT INTO counts VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET number = number + excluded.number`,
    )
    for (const { day, agent, project, event, tool, decision, number } of batch.counts)
      count.run(day, agent, project, event, tool, decision, number)
    const time = database.prepare(
      'INSERT INTO times VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET number = number + excluded.number',
    )
    for (const { day, rule, bucket, number } of batch.times) time.run(day, rule, bucket, number)
    saveWriter(database, writer, figures)
  })
}

function appendRows(database: DatabaseSync, rows: readonly RecordRow[]): void {
  if (rows.length === 0) return
  let { seq, hash } = chainEnds(database).head
  const insert = database.prepare('INSERT INTO decisions (seq, id, record, hash) VALUES (?, ?, ?, ?)')
  for (const { id, record } of rows) {
    seq += 1
    hash = rowHash(hash, seq, id, record)
    insert.run(seq, id, record, hash)
  }
  database.prepare('UPDATE chain SET head_seq = ?, head_hash = ?').run(seq, hash)
}

/**
 * Saves a writer's figures. They are totals, not increments: after its database was replaced, or a transaction ended
 * unknown, a writer's next figures are right again.
 */
export function saveWriter(database: DatabaseSync, { name, startedAt }: Writer, figures: WriterFigures): void {
  database
    .prepare(
      `INSERT INTO writers VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET written = excluded.written, lost = excluded.lost`,
    )
    .run(name, startedAt, figures.written, figures.lost)
}

/** Adds the figures of a writer that has ended to the one row of all that have. */
export function foldWriter(database: DatabaseSync, name: string): void {
  database
    .prepare(
      `INSERT INTO writers SELECT '', started_at, written, lost FROM writers WHERE writer = ?
       ON CONFLICT DO UPDATE SET started_at = min(started_at, excluded.started_at),
         written = written + excluded.written, lost = lost + excluded.lost`,
    )
    .run(name)
  database.prepare('DELETE FROM writers WHERE writer = ?').run(name)
}
