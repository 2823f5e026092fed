import { Worker } from 'node:worker_threads'
import { entryFile } from '../files/program-files.ts'
import { errorText } from '../model/errors.ts'
import type { Evaluation } from '../model/evaluation.ts'
import { limits } from '../model/limits.ts'
import { type RecordSettings, usualRecord } from '../model/record-settings.ts'
import { type AnswerCount, openAnswerCount } from './answer-count.ts'
import { decisionsIn, type RecordBatch, type RecordRow } from './append.ts'
import { type DecisionRecord, isNotable } from './record.ts'
import type { FromRecorderThread, RecorderThreadData, ToRecorderThread } from './recorder-thread.ts'
import { dayOf, openTally } from './tally.ts'
import { type DecisionWriter, openWriter, type WriteResult } from './writer.ts'

/** Writes decisions to the database, in batches and on a thread of its own. Nothing of it throws or waits. */
export interface Recorder {
  /** Counts an answer, before it leaves. */
  count(): void
  /** Records a decision that was counted, after its answer. */
  add(record: DecisionRecord, evaluations: readonly Evaluation[], settings: RecordSettings): void
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
  readonly problem?: string
}

/** @param file the database; its folder is private to the user */
export function openRecorder(file: string): Recorder {
  const answers = openAnswerCount(file)
  const tally = openTally()
  let rows: RecordRow[] = []
  let keep: RecordSettings = usualRecord
  let waiting = 0
  let written = 0
  let lost = 0
  /** Losses that the database does not know yet. */
  let lostUnsaved = 0
  let problem: string | undefined
  let timer: NodeJS.Timeout | undefined
  let thread: RecorderThread | undefined
  let underWay: Promise<void> | undefined
  let isClosing = false

  function lose(decisions: number, why: string): void {
    lost += decisions
    lostUnsaved += decisions
    problem = why
  }

  function schedule(): void {
    if (timer === undefined && underWay === undefined) timer = setTimeout(send, limits.recordBatchMs).unref()
  }

  function send(): void {
    clearTimeout(timer)
    timer = undefined
    if (underWay === undefined && waiting > 0) underWay = sendAll((thread ??= startThread(file, answers)))
  }

  async function sendAll(to: RecorderThread): Promise<void> {
    await writeAll(to)
    underWay = undefined
    if (waiting > 0) schedule()
  }

  async function writeAll(to: RecorderThread): Promise<void> {
    while (waiting > 0) {
      const batch: RecordBatch = { rows: rows.slice(0, limits.recordBatchMax), ...tally.take() }
      rows = rows.slice(limits.recordBatchMax)
      const decisions = decisionsIn(batch)
      waiting -= decisions
      const unsaved = lostUnsaved
      // oxlint-disable-next-line no-await-in-loop -- one batch follows the other
      const result = await writeInTime(to, batch, unsaved)
      if (result.kind === 'written') {
        written += decisions
        lostUnsaved -= unsaved
        problem = undefined
      } else {
        lose(decisions, result.why)
      }
    }
  }

  /** Writes a batch, and tries again while another process writes, for as long as there is room for others to wait. */
  async function writeInTime(to: RecorderThread, batch: RecordBatch, unsaved: number): Promise<WriteResult> {
    while (true) {
      // oxlint-disable-next-line no-await-in-loop -- waiting is the point
      const result = await to.write(batch, unsaved, keep)
      if (result.kind !== 'busy' || isClosing || waiting >= limits.recordsWaitingMax) return result
    }
  }

  return {
    count: () => answers.add(),
    add(record, evaluations, settings) {
      keep = settings
      if (waiting >= limits.recordsWaitingMax) {
        lose(1, 'the database is too slow')
        return
      }
      const day = dayOf(record.at)
      tally.time(day, '', record.durationMs)
      for (const { ruleId, durationMs } of evaluations) if (durationMs > 0) tally.time(day, ruleId, durationMs)
      if (settings.level === 'all' || isNotable(record)) rows.push({ id: record.id, record: JSON.stringify(record) })
      else tally.count(record)
      waiting += 1
      if (rows.length >= limits.recordBatchMax) send()
      else schedule()
    },
    status: () => ({ file, written, lost, ...(problem !== undefined && { problem }) }),
    async close() {
      isClosing = true
      clearTimeout(timer)
      await underWay
      const here = thread === undefined && waiting > 0 ? writerHere(file, answers) : thread
      if (here !== undefined) await writeAll(here)
      const isSaved = (await here?.end()) ?? true
      // Otherwise the next writer counts what is missing.
      if (isSaved && lostUnsaved === 0) answers.remove()
    },
  }
}

interface RecorderThread {
  write(...of: Parameters<DecisionWriter['write']>): Promise<WriteResult>
  /** Ends it. @returns whether the writer's figures were saved */
  end(): Promise<boolean>
}

function writerHere(file: string, { writer }: AnswerCount): RecorderThread {
  const here = openWriter(file, writer)
  return { write: async (...of) => here.write(...of), end: async () => here.end() }
}

/** Starts the thread. A thread that dies, or cannot be started, fails every batch: its decisions count as lost. */
function startThread(file: string, { writer }: AnswerCount): RecorderThread {
  let died: string | undefined
  let settle: ((message: FromRecorderThread) => void) | undefined
  const fail = (why: string) => {
    died = why
    settle?.({ kind: 'failed', why })
  }
  const worker = started(file, writer, fail)
  worker?.on('message', (message: FromRecorderThread) => settle?.(message))
  worker?.on('error', (error) => fail(`its thread died: ${errorText(error)}`))
  worker?.on('exit', () => fail('its thread has ended'))
  worker?.unref()

  function ask(message: ToRecorderThread): Promise<FromRecorderThread> {
    if (worker === undefined || died !== undefined) return Promise.resolve({ kind: 'failed', why: died ?? '' })
    // While it writes, the process may end; close() waits for it.
    return new Promise((resolve) => {
      settle = resolve
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel between threads has no origin
      worker.postMessage(message)
    })
  }

  return {
    async write(batch, lost, keep) {
      const message = await ask({ kind: 'write', batch, lost, keep })
      return message.kind === 'ended' ? { kind: 'failed', why: 'its thread has ended' } : message
    },
    async end() {
      worker?.ref()
      const late = new Promise<undefined>((resolve) => setTimeout(resolve, limits.recordCloseMs, undefined).unref())
      const message = await Promise.race([ask({ kind: 'end' }), late])
      await worker?.terminate()
      return message?.kind === 'ended' && message.isSaved
    },
  }
}

function started(file: string, writer: AnswerCount['writer'], fail: (why: string) => void): Worker | undefined {
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
