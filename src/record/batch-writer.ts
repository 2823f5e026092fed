import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '../model/limits.ts'
import type { Writer, WriterFigures } from './append.ts'
import { startThread } from './own-thread.ts'
import type { FromRecorderThread, ToRecorderThread } from './recorder-thread.ts'
import { type DecisionWriter, openWriter, type WriteResult } from './writer.ts'

/** Writes batches, on a thread of its own or here. */
export interface BatchWriter {
  write(...of: Parameters<DecisionWriter['write']>): Promise<WriteResult>
  /** Returns whether it has ended, so that nothing more can be written. */
  isDead(): boolean
  /** Keeps the process alive until it has ended: someone waits for it. */
  hold(): void
  /** Ends it. @param figures the writer's, if they are to be saved. @returns whether they are */
  end(figures: WriterFigures | undefined): Promise<boolean>
}

/** Opens a writer on this thread: a process for one event starts no other. */
export function writerHere(file: string, writer: Writer): BatchWriter {
  const here = openWriter(file, writer, recordExitLockMs)
  return {
    write: async (...of) => here.write(...of),
    isDead: () => false,
    hold: () => {},
    end: async (figures) => here.end(figures),
  }
}
/** `recordLockMs` in a process whose exit an agent waits for. Records that it does not write are counted as lost. */
export const recordExitLockMs = 250

/** Starts a writer on a thread. If that dies, or cannot be started, the batch at hand counts as lost. */
export function writerThread(file: string, writer: Writer): BatchWriter {
  let died: string | undefined
  let settle: ((message: FromRecorderThread) => void) | undefined
  const thread = startThread<{ from: FromRecorderThread; to: ToRecorderThread }>(
    // It holds one batch at a time.
    { entry: 'record/recorder-thread', name: 'hookgate-record', workerData: { file, writer }, heapMb: [2, 64] },
    (message) => settle?.(message),
    (why = hasEnded) => {
      died = why
      settle?.({ kind: 'failed', why })
    },
  )

  function ask(message: ToRecorderThread): Promise<FromRecorderThread> {
    return new Promise((resolve) => {
      if (died !== undefined) return resolve({ kind: 'failed', why: died })
      settle = resolve
      thread.post(message)
    })
  }

  return {
    async write(batch, figures, keep) {
      const message = await ask({ kind: 'write', batch, figures, keep })
      return message.kind === 'ended' ? { kind: 'failed', why: hasEnded } : message
    },
    isDead: () => died !== undefined,
    hold: () => thread.hold(),
    async end(figures) {
      const message = await inTime(ask({ kind: 'end', figures }))
      await inTime(thread.terminate())
      return message !== 'late' && message.kind === 'ended' && message.isSaved
    },
  }
}

const hasEnded = 'its thread has ended'

/** Waits for the end of some work, but not for ever: a disk may never answer. */
export const inTime = <T>(work: Promise<T>): Promise<T | 'late'> =>
  Promise.race([work, sleep(limits.recordCloseMs, 'late' as const, { ref: false })])
