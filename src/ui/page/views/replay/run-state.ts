import { signal } from '@preact/signals'
import type { AskedOf, PartOf } from '../../../api.ts'
import { askForParts, failureOf, type RequestFailed } from '../../fetch.ts'

type ReplayStep = PartOf<'replay'>
type ProgressShown = Omit<Extract<ReplayStep, { kind: 'progress' }>, 'kind'>
export type ReportShown = Extract<ReplayStep, { kind: 'report' }>['report']
export type FindingShown = ReportShown['findings'][number]
export type AnswerShown = FindingShown['now']['answer']
export type ChangeShown = NonNullable<FindingShown['change']>

/** The state of the replay. */
export type ReplayRun =
  | { readonly state: 'none' }
  | {
      readonly state: 'running'
      readonly progress: ProgressShown
      readonly startedAtMs: number
      readonly stop: () => void
    }
  | { readonly state: 'done'; readonly report: ReportShown; readonly asked: AskedOf<'replay'> }
  | { readonly state: 'failed'; readonly error: RequestFailed }

/** The one replay of this page. It goes on, and its report stays, while other views are looked at. */
export const run = signal<ReplayRun>({ state: 'none' })

/** Begins a replay. It ends with the page: the server stops it when the connection ends. */
export async function start(asked: AskedOf<'replay'>): Promise<void> {
  const abort = new AbortController()
  const startedAtMs = performance.now()
  const stop = () => {
    abort.abort()
    run.value = { state: 'none' }
  }
  run.value = { state: 'running', progress: { calls: 0, bytes: 0, bytesTotal: 0 }, startedAtMs, stop }
  try {
    for await (const part of askForParts('replay', asked, abort.signal)) {
      if (abort.signal.aborted) return
      run.value =
        part.kind === 'report'
          ? { state: 'done', report: part.report, asked }
          : { state: 'running', progress: part, startedAtMs, stop }
    }
  } catch (cause) {
    if (!abort.signal.aborted) run.value = { state: 'failed', error: failureOf(cause) }
  }
}
