import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { tryLock } from '../files/lock.ts'
import { errorText } from '../model/errors.ts'
import { limits } from '../model/limits.ts'
import type { RecordSettings } from '../model/record-settings.ts'
import { dayOf } from '../words/moment.ts'
import { settleDeadWriters } from './answer-count.ts'
import { appendBatch, type RecordBatch, saveWriter, type Writer, type WriterFigures } from './append.ts'
import { chainEnds } from './chain.ts'
import {
  creationLock,
  inodeOf,
  inTransaction,
  isBusy,
  isDamaged,
  makeDatabaseFile,
  openForWriting,
} from './database.ts'
import { idAt } from './record-id.ts'
import { verificationFile } from './verification.ts'

/** The result of a batch. `busy`: another process holds the lock, so it can be tried again. */
export type WriteResult = { readonly kind: 'written' } | { readonly kind: 'busy' | 'failed'; readonly why: string }

/** Writes batches into the database. Never throws: a decision does not depend on it. */
export interface DecisionWriter {
  /** @param figures the writer's, if this batch is written */
  write(batch: RecordBatch, figures: WriterFigures, keep: Pick<RecordSettings, 'days' | 'megabytes'>): WriteResult
  /** Ends it. @param figures the writer's, if they are to be saved. @returns whether they are */
  end(figures: WriterFigures | undefined): boolean
}

/** `again`: the database is another one by now. */
type WriteAttempt = WriteResult | { readonly kind: 'again'; readonly why: string }

interface OpenDatabase {
  readonly database: DatabaseSync
  readonly inode: number
}

/** @param lockMs how long it waits for other writers */
export function openWriter(file: string, writer: Writer, lockMs: number): DecisionWriter {
  let opened: OpenDatabase | undefined
  let batches = 0

  function close(): void {
    try {
      opened?.database.close()
    } catch {
      // A damaged database may fail even here, and is set aside anyway.
    }
    opened = undefined
  }

  function attempt(work: (database: DatabaseSync) => void): WriteAttempt {
    let inode: number | undefined
    try {
      if (opened !== undefined && inodeOf(file) !== opened.inode) close()
      inode = opened?.inode ?? makeDatabaseFile(file, lockMs)
      opened ??= { database: openForWriting(file, lockMs), inode }
      work(opened.database)
      // Someone may have moved it away: what was written into it would be lost unnoticed.
      return inodeOf(file) === inode ? { kind: 'written' } : { kind: 'again', why: 'it was moved away' }
    } catch (error) {
      const why = errorText(error)
      if (isBusy(error)) return { kind: 'busy', why }
      close()
      return isDamaged(error) && inode !== undefined ? setAside(file, inode, why) : { kind: 'failed', why }
    }
  }

  function settled(work: (database: DatabaseSync) => void): WriteResult {
    const first = attempt(work)
    const result = first.kind === 'again' ? attempt(work) : first
    return result.kind === 'again' ? { kind: 'failed', why: result.why } : result
  }

  return {
    write(batch, figures, keep) {
      const result = settled((database) => appendBatch(database, writer, batch, figures))
      if (result.kind === 'written' && batches++ % recordPruneEveryBatches === 0) {
        // Its failure costs no row, and the next look tries it again.
        attempt((database) => {
          settleDeadWriters(database, file)
          prune(database, keep, Date.now())
        })
      }
      return result
    },
    end(figures) {
      const isSaved =
        figures === undefined ||
        settled((database) => inTransaction(database, () => saveWriter(database, writer, figures))).kind === 'written'
      close()
      return isSaved
    },
  }
}
/** Batches between two looks at the record's age and size. */
export const recordPruneEveryBatches = 100

/**
 * Moves a damaged database away, so that a new one can begin.
 *
 * @param inode the damaged file's: another process may have set it aside already
 */
function setAside(file: string, inode: number, why: string): WriteAttempt {
  try {
    const lock = tryLock(creationLock(file), limits.recordLockMs)
    if (lock === undefined) return { kind: 'failed', why }
    try {
      if (inodeOf(file) !== inode) return { kind: 'again', why }
      const aside = `${file}${damaged}${new Date().toISOString().replaceAll(':', '-')}`
      for (const part of ['', '-wal', '-shm']) {
        if (inodeOf(`${file}${part}`) !== undefined) renameSync(`${file}${part}`, `${aside}${part}`)
      }
      removeOldDamaged(file)
      // What was found of the old database says nothing of the next.
      rmSync(verificationFile(file), { force: true })
    } finally {
      lock.release()
    }
    return { kind: 'again', why }
  } catch (cause) {
    return { kind: 'failed', why: `${why}, and it cannot be set aside: ${errorText(cause)}` }
  }
}

const damaged = '.damaged-'

/** Returns the damaged databases that were set aside, the oldest first. */
export function damagedDatabases(file: string): readonly string[] {
  const begin = `${basename(file)}${damaged}`
  if (!existsSync(dirname(file))) return []
  return readdirSync(dirname(file))
    .filter((name) => name.startsWith(begin) && !/-(?:wal|shm)$/.test(name))
    .toSorted()
    .map((name) => join(dirname(file), name))
}

function removeOldDamaged(file: string): void {
  for (const old of damagedDatabases(file).slice(0, -damagedRecordsMax)) {
    for (const part of ['', '-wal', '-shm']) rmSync(`${old}${part}`, { force: true })
  }
}
/** Damaged databases that are kept, the newest: each may be as large as the record. */
export const damagedRecordsMax = 3

/** Rows removed in one transaction, for which other writers wait some milliseconds. */
const rowsAtOnceMax = 200
const dayMs = 86_400_000

/**
 * Removes what is older than the settings say, then the oldest rows until the database is as small as they say. The
 * chain then begins after the last removed row, whose hash it keeps.
 */
export function prune(
  database: DatabaseSync,
  { days, megabytes }: Pick<RecordSettings, 'days' | 'megabytes'>,
  nowMs: number,
): void {
  const sinceMs = Math.max(0, nowMs - days * dayMs)
  const since = idAt(sinceMs)
  const oldest = database.prepare('SELECT id FROM decisions ORDER BY id LIMIT 1').get()?.['id']
  if (typeof oldest === 'string' && oldest < since) {
    // Deletes by number: writers take turns, so ids are only nearly in order. The plus keeps SQLite from the index.
    const firstKept = database.prepare('SELECT seq FROM decisions WHERE +id >= ? ORDER BY seq LIMIT 1').get(since)
    const end = firstKept === undefined ? chainEnds(database).head.seq + 1 : Number(firstKept['seq'])
    while (removeOldest(database, end));
  }
  const day = dayOf(sinceMs)
  for (const table of ['counts', 'times']) {
    const first = database.prepare(`SELECT min(day) AS day FROM ${table}`).get()?.['day']
    if (typeof first === 'string' && first < day) database.prepare(`DELETE FROM ${table} WHERE day < ?`).run(day)
  }
  for (const table of ['counts', 'times']) removeSurplusDays(database, table)
  while (bytesOf(database) > megabytes * 1024 * 1024 && removeOldest(database, Infinity));
  if (pragma(database, 'freelist_count') > freePagesMax) database.exec('PRAGMA incremental_vacuum')
}

/** Pages that stay free for the next rows: less than a megabyte. */
const freePagesMax = 200

/** Removes some of the oldest rows with a smaller number than `end`. @returns false if there are none */
function removeOldest(database: DatabaseSync, end: number): boolean {
  return inTransaction(database, () => {
    const { base, head } = chainEnds(database)
    const last = Math.min(base.seq + rowsAtOnceMax, head.seq, end - 1)
    if (last <= base.seq) return false
    const row = database.prepare('SELECT hash FROM decisions WHERE seq = ?').get(last)
    // A row that someone removed: the chain is broken there, and must stay so.
    const hash = row?.['hash'] instanceof Uint8Array ? row['hash'] : Buffer.alloc(32)
    database.prepare('DELETE FROM decisions WHERE seq <= ?').run(last)
    database.prepare('UPDATE chain SET base_seq = ?, base_hash = ?').run(last, hash)
    return true
  })
}

/** Removes the oldest days of a table of figures that is too large: it must not drive the decisions out. */
function removeSurplusDays(database: DatabaseSync, table: string): void {
  const rows = database.prepare(`SELECT count(*) AS number FROM ${table}`)
  while (Number(rows.get()?.['number']) > recordedFiguresMax)
    database.exec(`DELETE FROM ${table} WHERE day = (SELECT min(day) FROM ${table})`)
}
/** Rows of figures in the record, of counts and of times: for 90 days of a hundred rules, in some 5 MB. */
export const recordedFiguresMax = 100_000

/** Returns the bytes of the database that are in use. */
function bytesOf(database: DatabaseSync): number {
  return (pragma(database, 'page_count') - pragma(database, 'freelist_count')) * pragma(database, 'page_size')
}

const pragma = (database: DatabaseSync, name: string) => Number(database.prepare(`PRAGMA ${name}`).get()?.[name])
