import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { onTestFinished } from 'vitest'
import { openAnswerCount } from '../../src/record/answer-count.ts'
import type { RecordBatch, RecordRow } from '../../src/record/append.ts'
import { type ChainCheck, checkChain } from '../../src/record/chain.ts'
import type { DecisionRecord } from '../../src/record/record.ts'
import { openWriter } from '../../src/record/writer.ts'
import { recordWith } from './records.ts'
import { folderWith } from './workspace.ts'

/** Returns the path of a database that does not exist yet, in a private folder. */
export function noDecisions(): string {
  const folder = join(folderWith(), 'state')
  mkdirSync(folder, { mode: 0o700 })
  return join(folder, 'decisions.db')
}

const rowOf = (record: DecisionRecord): RecordRow => ({ id: record.id, record: JSON.stringify(record) })

const batchOf = (...records: readonly DecisionRecord[]): RecordBatch => ({
  rows: records.map(rowOf),
  counts: [],
  times: [],
})

/** Returns a batch of so many decisions of one moment. */
export const batchAt = (atMs: number, number: number, more: Partial<DecisionRecord> = {}): RecordBatch =>
  batchOf(...Array.from({ length: number }, () => recordWith(more, atMs)))

const forever = { days: 3650, megabytes: 100_000 } as const

/** A process's writer, which counts as its figures what it was given to write. */
export function writerOf(file: string, lockMs = 200) {
  const answers = openAnswerCount(file)
  const writer = openWriter(file, answers.writer, lockMs)
  onTestFinished(() => void writer.end(undefined))
  let written = 0
  return {
    ...answers,
    end: () => writer.end(undefined),
    write(batch: RecordBatch, keep: Parameters<typeof writer.write>[2] = forever) {
      batch.rows.forEach(() => answers.add())
      const result = writer.write(batch, { written: written + batch.rows.length, lost: 0 }, keep)
      if (result.kind === 'written') written += batch.rows.length
      return result
    },
  }
}

/** Opens the database until the test ends. */
export function databaseAt(file: string): DatabaseSync {
  const database = new DatabaseSync(file)
  onTestFinished(() => {
    if (database.isOpen) database.close()
  })
  return database
}

export function rowsIn(file: string): number {
  const database = new DatabaseSync(file)
  try {
    return Number(database.prepare('SELECT count(*) AS number FROM decisions').get()?.['number'])
  } finally {
    database.close()
  }
}

export function chainOf(file: string): ChainCheck {
  const database = new DatabaseSync(file)
  try {
    return checkChain(database)
  } finally {
    database.close()
  }
}
