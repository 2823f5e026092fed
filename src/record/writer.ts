import { readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { tryLock } from '../files/lock.ts'
import { errorText } from '../model/errors.ts'
import { limits } from '../model/limits.ts'
import type { RecordSettings } from '../model/record-settings.ts'
import { settleDeadWriters } from './answer-count.ts'
import { appendBatch, type RecordBatch, saveWriter, type Writer, type WriterFigures } from './append.ts'
import {
  creationLock,
  inodeOf,
  inTransaction,
  isBusy,
  isDamaged,
  makeDatabaseFile,
  openForWriting,
} from './database.ts'
import { prune } from './prune.ts'

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
