import { parentPort, workerData } from 'node:worker_threads'
import type { RecordSettings } from '../model/record-settings.ts'
import { limits } from '../model/limits.ts'
import type { RecordBatch, Writer, WriterFigures } from './append.ts'
import { openWriter, type WriteResult } from './writer.ts'

/** Data for the thread's start. */
interface RecorderThreadData {
  readonly file: string
  readonly writer: Writer
}

export type ToRecorderThread =
  | {
      readonly kind: 'write'
      readonly batch: RecordBatch
      readonly figures: WriterFigures
      readonly keep: Pick<RecordSettings, 'days' | 'megabytes'>
    }
  | { readonly kind: 'end'; readonly figures: WriterFigures | undefined }

export type FromRecorderThread = WriteResult | { readonly kind: 'ended'; readonly isSaved: boolean }

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- recorder.ts starts it, with a value of this type
const { file, writer } = workerData as RecorderThreadData
const writes = openWriter(file, writer, limits.recordLockMs)

/** The thread that writes decisions: it waits for the disk and for other writers, in place of the gate. */
parentPort?.on('message', (message: ToRecorderThread) => {
  const answer: FromRecorderThread =
    message.kind === 'write'
      ? writes.write(message.batch, message.figures, message.keep)
      : { kind: 'ended', isSaved: writes.end(message.figures) }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel between threads has no origin
  parentPort?.postMessage(answer)
})
