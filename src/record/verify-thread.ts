import { parentPort, workerData } from 'node:worker_threads'
import { errorText } from '../model/errors.ts'
import { openReader } from './read.ts'
import { faultText, verify } from './verification.ts'

/** Data for the thread's start. */
export interface VerifyThreadData {
  /** The database of decisions. */
  readonly file: string
}

/** The fault of the record, as a text; `null` if it has none. */
export type FromVerifyThread = string | null

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- verifier.ts starts it, with a value of this type
const { file } = workerData as VerifyThreadData

/** The thread that reads all of the record, which takes seconds, in place of the gate. */
function problemOf(): FromVerifyThread {
  try {
    const reader = openReader(file)
    if (reader === undefined) return null
    try {
      const check = verify(reader, file)
      return check.kind === 'broken' ? faultText(check) : null
    } finally {
      reader.close()
    }
  } catch (error) {
    return errorText(error)
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel between threads has no origin
parentPort?.postMessage(problemOf() satisfies FromVerifyThread)
