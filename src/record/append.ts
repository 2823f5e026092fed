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

/** How many decisions of one kind were only counted. */
export interface DecisionCount {
  /** `2026-01-31`, in UTC. */
  readonly day: string
  readonly agent: string
  readonly project: string
  readonly event: string
  readonly tool: string
  readonly decision: string
  readonly number: number
}

/** How many evaluations of a rule took about the same time: see `times.ts`. */
export interface TimeCount {
  readonly day: string
  /** `''` for the whole decision. */
  readonly rule: string
  readonly bucket: number
  readonly number: number
}

/** A process that writes decisions. */
export interface Writer {
  /** Unique. */
  readonly name: string
  /** ISO 8601, in UTC. */
  readonly startedAt: string
}

/** Returns how many decisions a batch holds. */
export const decisionsIn = ({ rows, counts }: RecordBatch): number =>
  counts.reduce((sum, { number }) => sum + number, rows.length)

/**
 * Appends a batch in one transaction: its rows follow the chain's end, of whichever process that is.
 *
 * @param lost how many decisions of the writer are lost since its last batch
 */
export function appendBatch(database: DatabaseSync, writer: Writer, batch: RecordBatch, lost: number): void {
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
    addWritten(database, writer, decisionsIn(batch), lost)
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

/** Adds to what a writer has written and lost. */
export function addWritten(database: DatabaseSync, { name, startedAt }: Writer, written: number, lost: number): void {
  database
    .prepare(
      `INSERT INTO writers VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET written = written + excluded.written, lost = lost + excluded.lost`,
    )
    .run(name, startedAt, written, lost)
}
