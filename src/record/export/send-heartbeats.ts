import { setTimeout as sleep } from 'node:timers/promises'
import type { Heartbeat } from '../../model/heartbeat.ts'
import { backoffMs, type SendResult } from './send-rows.ts'

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
