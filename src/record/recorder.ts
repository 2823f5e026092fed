import { Worker } from 'node:worker_threads'
import { entryFile } from '../files/program-files.ts'
import { errorText } from '../model/errors.ts'
import type { Evaluation } from '../model/evaluation.ts'
import { limits } from '../model/limits.ts'
import { type RecordSettings, usualRecord } from '../model/record-settings.ts'
import { openAnswerCount } from './answer-count.ts'
import { decisionsIn, type RecordBatch, type RecordRow, type Writer, type WriterFigures } from './append.ts'
import { isListed, isNotable } from './notable.ts'
import type { DecisionRecord } from './record.ts'
import type { FromRecorderThread, RecorderThreadData, ToRecorderThread } from './recorder-thread.ts'
import { dayOf } from '../model/local-time.ts'
import { openTally } from './tally.ts'
import { type DecisionWriter, openWriter, type WriteResult } from './writer.ts'

/** Writes decisions to the database, in batches and on a thread of its own. Nothing of it throws or waits. */
export interface Recorder {
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
  /** Why the last attempt failed; absent if it succeeded. */
  readonly problem?: string | undefined
}

/** @param file the database; its folder is private to the user */
export function openRecorder(file: string): Recorder {
  const answers = openAnswerCount(file)
  const tally = openTally()
  let rows: RecordRow[] = []
  let characters = 0
  let keep: RecordSettings = usualRecord
  let waiting = 0
  /** The number of decisions that `add` was given. */
  let added = 0
  let written = 0
  let lost = 0
  /** The losses that the database knows. */
  let lostSaved = 0
  let problem: string | undefined
  let timer: NodeJS.Timeout | undefined
  let thread: RecorderThread | undefined
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

  const isFull = () => waiting >= limits.recordsWaitingMax || characters >= limits.recordsWaitingCharactersMax

  function schedule(): void {
    if (timer === undefined && underWay === undefined) timer = setTimeout(send, limits.recordBatchMs).unref()
  }

  function send(): void {
    clearTimeout(timer)
    timer = undefined
    if (underWay !== undefined || waiting === 0 || closeByMs < Infinity) return
    const to = livingThread()
    if (to === undefined) schedule()
    else underWay = sendAll(to)
  }

  /** Starts the thread if there is none, and again if it has died, but not in quick succession. */
  function livingThread(): RecorderThread | undefined {
    if (thread?.isDead() === true) thread = undefined
    if (thread === undefined && performance.now() >= threadAtMs) {
      threadAtMs = performance.now() + limits.recordThreadRestartMs
      thread = startThread(file, answers.writer)
    }
    return thread
  }

  async function sendAll(to: RecorderThread): Promise<void> {
    await writeAll(to)
    underWay = undefined
    if (waiting > 0) schedule()
  }

  /** Takes the next batch. What was only counted is always with the first. */
  function takeBatch(): RecordBatch {
    let size = 0
    let end = 0
    for (const { record } of rows) {
      size += record.length
      if (end > 0 && (end >= limits.recordBatchMax || size > limits.recordBatchCharactersMax)) break
      end += 1
    }
    const batch = { rows: rows.slice(0, end), ...tally.take() }
    rows = rows.slice(end)
    for (const { record } of batch.rows) characters -= record.length
    waiting -= decisionsIn(batch)
    return batch
  }

  async function writeAll(to: RecorderThread): Promise<void> {
    while (waiting > 0 && !to.isDead()) {
      const batch = takeBatch()
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
  async function writeInTime(to: RecorderThread, batch: RecordBatch, figures: WriterFigures): Promise<WriteResult> {
    while (performance.now() < closeByMs) {
      // oxlint-disable-next-line no-await-in-loop -- waiting is the point
      const result = await to.write(batch, figures, keep)
      if (result.kind !== 'busy' || isFull() || closeByMs < Infinity) return result
      problem = result.why
      // oxlint-disable-next-line no-await-in-loop -- some locks are not waited for
      await sleep(limits.recordBatchMs)
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
      if (isFull()) return lose(1, problem ?? 'the database is too slow')
      try {
        const record = make()
        if (settings.level === 'all' || isNotable(record)) {
          const text = JSON.stringify(record)
          rows.push({ id: record.id, record: text })
          characters += text.length
        } else {
          tally.count(record)
        }
        waiting += 1
        const day = dayOf(Date.parse(record.at))
        if (isListed(record)) tally.time(day, '', record.durationMs)
        for (const { ruleId, durationMs } of evaluations) if (durationMs > 0) tally.time(day, ruleId, durationMs)
      } catch (error) {
        // A defect of ours, in place of the gate's end.
        return lose(1, errorText(error))
      }
      if (rows.length >= limits.recordBatchMax || characters >= limits.recordBatchCharactersMax) send()
      else schedule()
    },
    status: () => ({ file, written, lost, ...(problem !== undefined && { problem }) }),
    close: () => (closed ??= close()),
  }
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms).unref())

/** Waits for the end of some work, but not for ever: a disk may never answer. */
function inTime<T>(work: Promise<T>): Promise<T | 'late'> {
  return Promise.race([work, sleep(limits.recordCloseMs).then(() => 'late' as const)])
}

interface RecorderThread {
  write(...of: Parameters<DecisionWriter['write']>): Promise<WriteResult>
  /** Returns whether it has ended, so that nothing more can be written. */
  isDead(): boolean
  /** Keeps the process alive until it has ended: someone waits for it. */
  hold(): void
  /** Ends it. @param figures the writer's, if they are to be saved. @returns whether they are */
  end(figures: WriterFigures | undefined): Promise<boolean>
}

function writerHere(file: string, writer: Writer): RecorderThread {
  const here = openWriter(file, writer, limits.recordExitLockMs)
  return {
    write: async (...of) => here.write(...of),
    isDead: () => false,
    hold: () => {},
    end: async (figures) => here.end(figures),
  }
}

/** Starts the thread. If it dies, or cannot be started, the batch at hand counts as lost. */
function startThread(file: string, writer: Writer): RecorderThread {
  let died: string | undefined
  let settle: ((message: FromRecorderThread) => void) | undefined
  const fail = (why: string) => {
    died ??= why
    settle?.({ kind: 'failed', why: died })
  }
  const worker = started(file, writer, fail)
  worker?.on('message', (message: FromRecorderThread) => settle?.(message))
  worker?.on('error', (error) => fail(`its thread died: ${errorText(error)}`))
  worker?.on('exit', () => fail('its thread has ended'))
  worker?.unref()

  function ask(message: ToRecorderThread): Promise<FromRecorderThread> {
    return new Promise((resolve) => {
      if (worker === undefined || died !== undefined) return resolve({ kind: 'failed', why: died ?? '' })
      settle = resolve
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel between threads has no origin
      worker.postMessage(message)
    })
  }

  return {
    async write(batch, figures, keep) {
      const message = await ask({ kind: 'write', batch, figures, keep })
      return message.kind === 'ended' ? { kind: 'failed', why: 'its thread has ended' } : message
    },
    isDead: () => died !== undefined,
    hold: () => worker?.ref(),
    async end(figures) {
      const message = await inTime(ask({ kind: 'end', figures }))
      if (worker !== undefined) await inTime(worker.terminate())
      return message !== 'late' && message.kind === 'ended' && message.isSaved
    },
  }
}

function started(file: string, writer: Writer, fail: (why: string) => void): Worker | undefined {
  const workerData: RecorderThreadData = { file, writer }
  try {
    return new Worker(entryFile('record/recorder-thread'), {
      workerData,
      name: 'hookgate-record',
      // It holds one batch at a time.
      resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 64 },
    })
  } catch (error) {
    fail(`no thread can be started: ${errorText(error)}`)
    return undefined
  }
}
