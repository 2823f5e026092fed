import { existsSync } from 'node:fs'
import { type OwnThread, startThread } from './own-thread.ts'
import { lastVerification } from './verification.ts'
import type { FromVerifyThread, VerifyThreadData } from './verify-thread.ts'

/** Verifies the record's chain once a day while a gate runs, on a thread of its own. */
interface Verifier {
  /** Starts it if it is time. */
  look(nowMs?: number): void
  close(): Promise<void>
}

/**
 * @param file the database of decisions
 * @param warn reports what is wrong with the record
 */
export function openVerifier(file: string, warn: (text: string) => void): Verifier {
  let nextAtMs = 0
  let thread: OwnThread<never> | undefined

  function start(): void {
    const workerData: VerifyThreadData = { file }
    let isOver = false
    const started = startThread<{ from: FromVerifyThread; to: never }>(
      // It holds one row at a time.
      { entry: 'record/verify-thread', name: 'hookgate-verify', workerData, heapMb: [2, 64] },
      (problem) => problem !== null && warn(problem),
      (why) => {
        isOver = true
        thread = undefined
        if (why !== undefined) warn(`the record cannot be verified: ${why}`)
      },
    )
    if (!isOver) thread = started
  }

  return {
    look(nowMs = Date.now()) {
      if (nowMs < nextAtMs || thread !== undefined || !existsSync(file)) return
      const { at } = lastVerification(file) ?? {}
      const sinceMs = at === undefined ? Infinity : Math.abs(nowMs - Date.parse(at))
      // Set before the result is known: after a failure, the next attempt would fail as well.
      nextAtMs = nowMs + recordVerifyMs - (sinceMs < recordVerifyMs ? sinceMs : 0)
      if (sinceMs >= recordVerifyMs) start()
    },
    async close() {
      nextAtMs = Infinity
      await thread?.terminate()
    },
  }
}
/** Time between two checks of the record's whole chain, which take seconds of a thread: a person may look each day. */
export const recordVerifyMs = 86_400_000
