import { setTimeout as sleep } from 'node:timers/promises'
import { errorText } from '../../model/errors.ts'
import type { Heartbeat } from '../../model/heartbeat.ts'
import { limits } from '../../model/limits.ts'
import type { Cursor, CursorFile, Destination, ExportReader, ExportRow } from './rows.ts'

/** Rows in one request: the batch size of the OpenTelemetry SDKs. */
const exportBatchRowsMax = 512

/** The longest such wait, unless the collector itself asks for more: a restarted one has its data within a minute. */
const exportRetryMsMax = 60_000

/**
 * The result of a batch. `retry`: the destination is away. `refused`: it does not accept these rows, and will not later
 * either.
 */
export type SendResult =
  | { readonly kind: 'sent'; readonly refused: number }
  | { readonly kind: 'retry'; readonly why: string; readonly afterMs?: number | undefined }
  | { readonly kind: 'refused'; readonly why: string }

/** Something that rows are sent to. */
export interface ExportSink {
  readonly name: Destination
  /** The wait for new rows once all are sent. */
  readonly everyMs: number
  /** Sends rows, in their order. Resolves once they have arrived. */
  send(rows: readonly ExportRow[], signal: AbortSignal): Promise<SendResult>
}

/** The state of an export. */
export interface SinkState extends Pick<Cursor, 'sent' | 'refused' | 'removed'> {
  readonly name: Destination
  /** The failure of the last attempt; absent if it succeeded. */
  readonly problem?: string
}

/** Dependencies of `sendRows`. */
interface SendContext {
  readonly reader: ExportReader
  readonly cursors: CursorFile
  readonly report: (state: SinkState) => void
  /** Aborted when the process ends: what is there is sent, if it can be sent at once. */
  readonly ending: AbortSignal
  /** Aborted when there is no time left. */
  readonly aborted: AbortSignal
}

/** Sends rows to a sink, batch after batch, until the process ends. */
export async function sendRows(sink: ExportSink, context: SendContext): Promise<void> {
  const { ending, aborted } = context
  let rowsMax: number = exportBatchRowsMax
  let failures = 0
  while (!aborted.aborted) {
    // oxlint-disable-next-line no-await-in-loop -- rows are sent in order
    const result = await attempt(sink, context, rowsMax)
    switch (result.kind) {
      case 'idle':
        failures = 0
        if (ending.aborted) return
        // oxlint-disable-next-line no-await-in-loop -- waiting is the point
        await pause(sink.everyMs, ending)
        break
      case 'retry':
        failures += 1
        if (ending.aborted) return
        // oxlint-disable-next-line no-await-in-loop -- waiting is the point
        await pause(result.afterMs ?? backoffMs(failures), ending)
        break
      case 'sent':
        failures = 0
        rowsMax = Math.min(exportBatchRowsMax, rowsMax * 2)
        break
      case 'refused':
        // Half of them next, until it is known which row is refused: it alone is left out.
        rowsMax = Math.max(1, Math.floor(result.rows / 2))
        break
    }
  }
}

type AttemptResult =
  | { readonly kind: 'idle' }
  | { readonly kind: 'sent' }
  | { readonly kind: 'refused'; readonly rows: number }
  | RetryLater
type RetryLater = Extract<SendResult, { kind: 'retry' }>

async function attempt(sink: ExportSink, context: SendContext, rowsMax: number): Promise<AttemptResult> {
  const { reader, cursors, report } = context
  const cursor = cursors.get(sink.name)
  const fail = (why: string, afterMs?: number): RetryLater => {
    const { sent = 0, refused = 0, removed = 0 } = cursors.get(sink.name) ?? {}
    report({ name: sink.name, sent, refused, removed, problem: why })
    return { kind: 'retry', why, afterMs }
  }
  const move = (to: Cursor): AttemptResult => {
    try {
      cursors.set(sink.name, to)
    } catch (error) {
      return fail(`its position cannot be saved: ${errorText(error)}`)
    }
    report({ name: sink.name, sent: to.sent, refused: to.refused, removed: to.removed })
    return { kind: 'sent' }
  }
  try {
    const batch = reader.next(cursor, rowsMax)
    if (batch === undefined) return { kind: 'idle' }
    const { rows, before, after } = batch
    if (rows.length === 0) return move(after)
    // Saved first: after a kill before anything arrives, the export begins at the same row.
    if (cursor === undefined) cursors.set(sink.name, before)
    const result = await sink.send(rows, context.aborted)
    switch (result.kind) {
      case 'sent':
        return move({ ...after, sent: after.sent - result.refused, refused: after.refused + result.refused })
      case 'retry':
        return fail(result.why, result.afterMs)
      case 'refused': {
        if (after.seq - before.seq > 1) return { kind: 'refused', rows: after.seq - before.seq }
        move({ ...after, sent: before.sent, refused: after.refused + 1 })
        return { kind: 'refused', rows: 1 }
      }
    }
  } catch (error) {
    return fail(errorText(error))
  }
}

/** Waits longer after each failure, and never as long as another gate that failed at the same moment. */
function backoffMs(failures: number): number {
  const longestMs = Math.min(exportRetryMsMax, limits.exportRetryMs * 2 ** (failures - 1))
  return longestMs * (0.5 + Math.random() / 2)
}

async function pause(ms: number, ending: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal: ending }).catch(() => {})
}

/** Heartbeats that are to be sent: only the newest counts. */
interface HeartbeatBox {
  put(beat: Heartbeat): void
  /** Returns the newest heartbeat, once there is one that was not taken; `undefined` once the process ends without one. */
  take(ending: AbortSignal): Promise<Heartbeat | undefined>
  /** Aborted when a newer one comes. */
  readonly newer: () => AbortSignal
}

export function openHeartbeatBox(): HeartbeatBox {
  let waiting: Heartbeat | undefined
  let arrival = new AbortController()
  return {
    put(beat) {
      waiting = beat
      arrival.abort()
      arrival = new AbortController()
    },
    async take(ending) {
      if (waiting === undefined && !ending.aborted) await untilAborted(AbortSignal.any([arrival.signal, ending]))
      const taken = waiting
      waiting = undefined
      return taken
    },
    newer: () => arrival.signal,
  }
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** Dependencies of `sendHeartbeats`. */
interface HeartbeatContext {
  readonly send: (beat: Heartbeat, signal: AbortSignal) => Promise<SendResult>
  /** Called with the reason when heartbeats begin to fail. */
  readonly warn: (why: string) => void
  readonly ending: AbortSignal
  readonly aborted: AbortSignal
}

/** Sends each heartbeat, again if it does not arrive, until there is a newer one. */
export async function sendHeartbeats(box: HeartbeatBox, context: HeartbeatContext): Promise<void> {
  const { send, warn, ending } = context
  let failures = 0
  while (true) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const beat = await box.take(ending)
    if (beat === undefined) return
    const newer = box.newer()
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const result = await send(beat, context.aborted)
    if (result.kind === 'sent') {
      failures = 0
      continue
    }
    failures += 1
    if (failures === 1) warn(`heartbeats do not arrive: ${result.why}`)
    if (result.kind === 'refused' || ending.aborted) continue
    const wait = AbortSignal.any([newer, ending])
    // oxlint-disable-next-line no-await-in-loop -- waiting is the point
    await sleep(result.afterMs ?? backoffMs(failures), undefined, { signal: wait }).catch(() => {})
    if (!newer.aborted) box.put(beat)
  }
}
