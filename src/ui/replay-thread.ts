import { parentPort, workerData } from 'node:worker_threads'
import { errorText, HookgateError, type ErrorCode, type Place } from '../model/errors.ts'
import type { ReplayQuestion, ReplaySite } from '../review/replay/question.ts'
import type { ReplayProgress, ReplayReport } from '../review/replay/report.ts'
import { runReplay } from '../review/replay/replay.ts'

// The thread of one replay. Sessions are read and calls are taken apart for minutes; meanwhile the page has to answer,
// and a session that takes too much memory must end the replay and not the page.

/** How often the thread says how far it is, ms: a person reads no faster. */
const progressMs = 200

/** Data for the thread's start. */
export interface ReplayThreadData {
  readonly question: ReplayQuestion
  readonly site: ReplaySite
}

/** A message of a running replay: its progress, and at the end its report. */
export type ReplayPart =
  | ({ readonly kind: 'progress' } & ReplayProgress)
  | { readonly kind: 'report'; readonly report: ReplayReport }

/** The parts of a `HookgateError`, which no message between threads carries whole. */
export interface ReplayFailed {
  readonly kind: 'failed'
  readonly code: ErrorCode
  readonly message: string
  readonly place?: Place
  readonly remedy?: string
}

export interface ReplayMessages {
  readonly from: ReplayPart | ReplayFailed
  /** Ends the replay, which removes what it wrote. */
  readonly to: 'stop'
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- replay-run.ts starts it, with a value of this type
const { question, site } = workerData as ReplayThreadData
const abort = new AbortController()
parentPort?.on('message', () => abort.abort())

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel between threads has no origin
const post = (message: ReplayMessages['from']) => parentPort?.postMessage(message)

async function resultOf(): Promise<ReplayMessages['from']> {
  try {
    const { report } = await runReplay(question, site, {
      signal: abort.signal,
      watch(progress) {
        const timer = setInterval(() => post({ kind: 'progress', ...progress() }), progressMs)
        return () => clearInterval(timer)
      },
    })
    return { kind: 'report', report }
  } catch (error) {
    if (!(error instanceof HookgateError)) return { kind: 'failed', code: 'internal', message: errorText(error) }
    const { code, message, place, remedy } = error
    return {
      kind: 'failed',
      code,
      message,
      ...(place !== undefined && { place }),
      ...(remedy !== undefined && { remedy }),
    }
  }
}

void resultOf().then(post)
