import { setTimeout as sleep } from 'node:timers/promises'
import { errorText } from '../model/errors.ts'
import type { Evaluation } from '../model/evaluation.ts'
import { limits } from '../model/limits.ts'
import { type RecordSettings, usualRecord } from '../model/record-settings.ts'
import { openAnswerCount } from './answer-count.ts'
import { decisionsIn, type RecordBatch, type WriterFigures, type Writer } from './append.ts'
import type { DecisionRecord } from './record.ts'
import { openWaitingRows } from './waiting-rows.ts'
import { startThread } from './own-thread.ts'
import type { FromRecorderThread, ToRecorderThread } from './recorder-thread.ts'
import { type DecisionWriter, openWriter, type WriteResult } from './writer.ts'

/** Time between two starts of the thread that writes, if it dies: a start takes some 20 ms of CPU time. */
const recordThreadRestartMs = 5000

/** Writes decisions to the database, in batches and on a thread of its own. Nothing of it throws or waits. */
interface Recorder {
  /** Counts an answer, before it leaves. */
  count(): void
  /** Records a decision that was counted, after its answer. @param make makes its record */
  add(make: () => DecisionRecord, evaluations: readonly Evaluation[], settings: RecordSettings): void
  status(): RecorderStatus
  /**
   * Writes what is left, and ends. If nothing was written before, it is written here, without a thread: a process for
   * one event starts none.
   */
  close(): Promise<void>
}

export interface RecorderStatus {
  readonly file: string
  /** Decisions that this process has recorded or counted. */
  readonly written: number
  /** Decisions that it could not record. */
  readonly lost: number
  /** The failure of the last attempt; absent if it succeeded. */
  readonly problem?: string | undefined
}

/** @param file the database; its folder is private to the user */
export function openRecorder(file: string): Recorder {
  const answers = openAnswerCount(file)
  const waiting = openWaitingRows()
  let keep: RecordSettings = usualRecord
  /** The number of decisions that `add` was given. */
  let added = 0
  let written = 0
  let lost = 0
  /** The losses that the database knows. */
  let lostSaved = 0
  let problem: string | undefined
  let timer: NodeJS.Timeout | undefined
  let thread: BatchWriter | undefined
  let threadAtMs = 0
  let underWay: Promise<void> | undefined
  /** Set once it ends: what is not written by then is lost. */
  let closeByMs = Infinity
  let closed: Promise<void> | undefined
  let isClosed = false

  function lose(decisions: number, why: string): void {
    if (isClosed) return
    lost += decisions
    problem = why
  }

  function schedule(): void {
    if (timer === undefined && underWay === undefined) timer = setTimeout(send, recordBatchMs).unref()
  }

  function send(): void {
    clearTimeout(timer)
    timer = undefined
    if (underWay !== undefined || waiting.number() === 0 || closeByMs < Infinity) return
    const to = livingThread()
    if (to === undefined) schedule()
    else underWay = sendAll(to)
  }

  /** Starts the thread if there is none, and again if it has died, but not in quick succession. */
  function livingThread(): BatchWriter | undefined {
    if (thread?.isDead() === true) thread = undefined
    if (thread === undefined && performance.now() >= threadAtMs) {
      threadAtMs = performance.now() + recordThreadRestartMs
      thread = writerThread(file, answers.writer)
    }
    return thread
  }

  async function sendAll(to: BatchWriter): Promise<void> {
    await writeAll(to)
    underWay = undefined
    if (waiting.number() > 0) schedule()
  }

  async function writeAll(to: BatchWriter): Promise<void> {
    while (waiting.number() > 0 && !to.isDead()) {
      const batch = waiting.take()
      const decisions = decisionsIn(batch)
      const figures = { written: written + decisions, lost }
      // oxlint-disable-next-line no-await-in-loop -- one batch follows the other
      const result = await writeInTime(to, batch, figures)
      if (result.kind !== 'written') {
        lose(decisions, result.why)
      } else if (!isClosed) {
        written += decisions
        lostSaved = figures.lost
        problem = undefined
      }
    }
  }

  /** Writes a batch, and tries again while another process writes, for as long as there is room for others to wait. */
  async function writeInTime(to: BatchWriter, batch: RecordBatch, figures: WriterFigures): Promise<WriteResult> {
    while (performance.now() < closeByMs) {
      // oxlint-disable-next-line no-await-in-loop -- waiting is the point
      const result = await to.write(batch, figures, keep)
      if (result.kind !== 'busy' || waiting.isFull() || closeByMs < Infinity) return result
      problem = result.why
      // oxlint-disable-next-line no-await-in-loop -- some locks are not waited for
      await sleep(recordBatchMs, undefined, { ref: false })
    }
    return { kind: 'failed', why: 'hookgate ended before it could be written' }
  }

  async function close(): Promise<void> {
    closeByMs = performance.now() + limits.recordCloseMs
    clearTimeout(timer)
    thread?.hold()
    const isInTime = underWay === undefined || (await inTime(underWay)) !== 'late'
    const here = thread?.isDead() === false ? thread : writerHere(file, answers.writer)
    if (isInTime) await inTime(writeAll(here))
    // Decisions still under way may be written and counted as lost, but never the reverse.
    isClosed = true
    if (added - written > lost) problem = 'hookgate ended before it could be written'
    lost = added - written
    const figures = lost === lostSaved ? undefined : { written, lost }
    // A thread that is too slow to write may be too slow to save that.
    const isSaved = (await here.end(figures)) || (await writerHere(file, answers.writer).end({ written, lost }))
    // Otherwise the next writer counts what is missing.
    if (isSaved) answers.remove()
  }

  return {
    count: () => answers.add(),
    add(make, evaluations, settings) {
      keep = settings
      if (isClosed) return
      added += 1
      if (closeByMs < Infinity) return lose(1, 'hookgate is ending')
      if (waiting.isFull()) return lose(1, problem ?? 'the database is too slow')
      try {
        waiting.add(make(), evaluations, settings.level)
      } catch (error) {
        // A defect of ours, in place of the gate's end.
        return lose(1, errorText(error))
      }
      if (waiting.isBatch()) send()
      else schedule()
    },
    status: () => ({ file, written, lost, ...(problem !== undefined && { problem }) }),
    close: () => (closed ??= close()),
  }
}
/** How long records wait for others, to be written together: a person who reads the record does not notice it. */
export const recordBatchMs = 100

/** Writes batches, on a thread of its own or here. */
interface BatchWriter {
  write(...of: Parameters<DecisionWriter['write']>): Promise<WriteResult>
  /** Returns whether it has ended, so that nothing more can be written. */
  isDead(): boolean
  /** Keeps the process alive until it has ended: someone waits for it. */
  hold(): void
  /** Ends it. @param figures the writer's, if they are to be saved. @returns whether they are */
  end(figures: WriterFigures | undefined): Promise<boolean>
}

/** Opens a writer on this thread: a process for one event starts no other. */
function writerHere(file: string, writer: Writer): BatchWriter {
  const here = openWriter(file, writer, recordExitLockMs)
  return {
    write: async (...of) => here.write(...of),
    isDead: () => false,
    hold: () => {},
    end: async (figures) => here.end(figures),
  }
}
/** `recordLockMs` in a process whose exit an agent waits for. Records that it does not write are counted as lost. */
const recordExitLockMs = 250

/** Starts a writer on a thread. If that dies, or cannot be started, the batch at hand counts as lost. */
function writerThread(file: string, writer: Writer): BatchWriter {
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
const inTime = <T>(work: Promise<T>): Promise<T | 'late'> =>
  Promise.race([work, sleep(limits.recordCloseMs, 'late' as const, { ref: false })])
