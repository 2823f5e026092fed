import { renameSync, statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { tryLock } from '../files/lock.ts'
import { errorText } from '../model/errors.ts'
import { limits } from '../model/limits.ts'
import type { RecordSettings } from '../model/record-settings.ts'
import { foldWriters, settleDeadWriters } from './answer-count.ts'
import { appendBatch, type RecordBatch, type Writer } from './append.ts'
import { inTransaction, isBusy, isCorrupt, openForWriting } from './database.ts'
import { prune } from './prune.ts'

/** What became of a batch. `busy`: another process holds the lock, so it can be tried again. */
export type WriteResult = { readonly kind: 'written' } | { readonly kind: 'busy' | 'failed'; readonly why: string }

/** Writes batches into the database. Never throws: a decision does not depend on it. */
export interface DecisionWriter {
  /** @param lost how many decisions of this writer are lost since its last batch that was written */
  write(batch: RecordBatch, lost: number, keep: Pick<RecordSettings, 'days' | 'megabytes'>): WriteResult
  /** Adds the writer's figures to those of all that have ended. @returns false if they could not be */
  end(): boolean
}

interface OpenDatabase {
  readonly database: DatabaseSync
  readonly inode: number
}

export function openWriter(file: string, writer: Writer): DecisionWriter {
  let opened: OpenDatabase | undefined
  let batches = 0

  function databaseNow(): DatabaseSync {
    // Someone may have moved it away: what is then written into it would be lost unnoticed.
    if (opened !== undefined && inodeOf(file) !== opened.inode) close()
    if (opened === undefined) {
      const database = openForWriting(file)
      opened = { database, inode: inodeOf(file) ?? 0 }
      settleDeadWriters(database, file)
    }
    return opened.database
  }

  function close(): void {
    try {
      opened?.database.close()
    } finally {
      opened = undefined
    }
  }

  function attempt(work: (database: DatabaseSync) => void): WriteResult {
    try {
      work(databaseNow())
      return { kind: 'written' }
    } catch (error) {
      if (isBusy(error)) return { kind: 'busy', why: errorText(error) }
      const inode = opened?.inode ?? inodeOf(file)
      closeQuietly(close)
      if (isCorrupt(error)) return setAside(file, inode, error)
      return { kind: 'failed', why: errorText(error) }
    }
  }

  return {
    write(batch, lost, keep) {
      const append = (database: DatabaseSync) => appendBatch(database, writer, batch, lost)
      const result = attempt(append)
      // It was damaged and is set aside: the batch begins a new one.
      const settled = result.kind === 'failed' && inodeOf(file) === undefined ? attempt(append) : result
      if (settled.kind === 'written' && batches++ % limits.recordPruneEveryBatches === 0) {
        // Its failure costs no row, and the next look tries it again.
        attempt((database) => prune(database, keep, Date.now()))
      }
      return settled
    },
    end() {
      const result = attempt((database) => inTransaction(database, () => foldWriters(database, [writer.name])))
      closeQuietly(close)
      return result.kind === 'written'
    },
  }
}

/**
 * Moves a damaged database away, so that the next batch begins a new one.
 *
 * @param inode the damaged file's: another process may have set it aside already
 */
function setAside(file: string, inode: number | undefined, error: unknown): WriteResult {
  const failed: WriteResult = { kind: 'failed', why: errorText(error) }
  try {
    const lock = tryLock(`${file}.lock`, limits.recordLockMs)
    if (lock === undefined) return failed
    try {
      if (inode === undefined || inodeOf(file) !== inode) return failed
      const suffix = new Date().toISOString().replaceAll(':', '-')
      for (const part of ['-wal', '-shm', '']) renameIfThere(`${file}${part}`, `${file}.damaged-${suffix}${part}`)
    } finally {
      lock.release()
    }
  } catch (cause) {
    return { kind: 'failed', why: `${failed.why}, and it cannot be set aside: ${errorText(cause)}` }
  }
  return failed
}

function renameIfThere(from: string, to: string): void {
  if (inodeOf(from) !== undefined) renameSync(from, to)
}

const inodeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.ino

function closeQuietly(close: () => void): void {
  try {
    close()
  } catch {
    // It is damaged: there is nothing left to be done with it.
  }
}
