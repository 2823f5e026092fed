import { setTimeout as sleep } from 'node:timers/promises'
import { HookgateError } from '../model/errors.ts'
import { startThread } from '../record/own-thread.ts'
import type { ReplayMessages, ReplayPart, ReplayThreadData } from './replay-thread.ts'

/** How long a replay that is stopped may take to remove what it wrote, ms. */
const pageReplayEndMs = 3000

/** The memory of a replay's young and old objects, MB: as much as Node gives a process of its own. */
const pageReplayHeapMb = [64, 2048] as const

type Arrived = ReplayMessages['from']

/**
 * Runs a replay on a thread of its own, which ends when `signal` is aborted.
 *
 * @throws HookgateError with what the replay said, if it made no report
 */
export async function* runOnThread(
  { question, site }: ReplayThreadData,
  signal: AbortSignal,
): AsyncIterable<ReplayPart> {
  const arrived: Arrived[] = []
  let wake: (() => void) | undefined
  const { promise: over, resolve: setOver } = Promise.withResolvers<void>()
  const arrive = (one: Arrived) => {
    arrived.push(one)
    if (one.kind !== 'progress') setOver()
    wake?.()
  }
  const thread = startThread<ReplayMessages>(
    {
      entry: 'ui/replay-thread',
      name: 'hookgate-replay',
      workerData: { question, site: { ...site, env: { ...site.env } } } satisfies ReplayThreadData,
      heapMb: pageReplayHeapMb,
      env: site.env,
    },
    arrive,
    (why = 'the replay ended without a report') => arrive({ kind: 'failed', code: 'unavailable', message: why }),
  )
  const stop = () => thread.post('stop')
  signal.addEventListener('abort', stop)
  try {
    if (signal.aborted) stop()
    for (;;) {
      const one = arrived.shift()
      // oxlint-disable-next-line no-await-in-loop -- one message after the other
      if (one === undefined) await new Promise<void>((resolve) => (wake = resolve))
      else if (one.kind === 'failed') throw new HookgateError(one.code, one.message, one)
      else if (signal.aborted) return
      else yield one
      if (one?.kind === 'report') return
    }
  } finally {
    signal.removeEventListener('abort', stop)
    // It removes what it wrote first.
    stop()
    await Promise.race([over, sleep(pageReplayEndMs, undefined, { ref: false })])
    await thread.terminate()
  }
}
