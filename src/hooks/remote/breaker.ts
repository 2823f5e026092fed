/** The time for which a failing server is not asked. Then one call tries it again. */
const remotePauseMs = 10_000

/** Failures in a row after which a server is not asked for a while, so that calls do not wait for what is away. */
const remoteFailuresMax = 3

/** Keeps calls from waiting for a server that has not answered lately. */
export interface Breaker {
  /** Returns the time until the server may be asked again, ms; 0 if it may be asked now. */
  waitMs(nowMs: number): number
  succeeded(): void
  failed(nowMs: number): void
}

/** Opens a breaker that lets nothing through for a while after some failures in a row, and then one request. */
export function openBreaker(failuresMax: number = remoteFailuresMax, pauseMs: number = remotePauseMs): Breaker {
  let failures = 0
  let closedAtMs = 0
  return {
    waitMs(nowMs) {
      if (failures < failuresMax) return 0
      if (nowMs < closedAtMs) return closedAtMs - nowMs
      // One request tries; the others wait for what becomes of it.
      closedAtMs = nowMs + pauseMs
      return 0
    },
    succeeded() {
      failures = 0
    },
    failed(nowMs) {
      failures += 1
      if (failures >= failuresMax) closedAtMs = nowMs + pauseMs
    },
  }
}
