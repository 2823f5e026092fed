import { setImmediate as onImmediate } from 'node:timers'
import { setImmediate } from 'node:timers/promises'

/** When work was first seen in this turn of the event loop; `undefined` before. */
let beganAtMs: number | undefined

/** Returns whether work has taken `turnMs` in this turn of the event loop, for whichever event. */
export function isTurnOver(): boolean {
  const nowMs = performance.now()
  if (beganAtMs === undefined) {
    beganAtMs = nowMs
    onImmediate(() => (beganAtMs = undefined))
  }
  return nowMs - beganAtMs >= turnMs
}
/**
 * Time for which loading rules, or deciding one event, holds up everything else on the main thread. A single indivisible
 * step may take longer.
 */
const turnMs = 10

/** Yields to the event loop (signals, timers, other sessions) until a turn has time left. */
export async function turn(): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- of many that wait for a turn, only some find time in the next
  while (isTurnOver()) await setImmediate()
}

/** Runs a generator step by step, and yields to the event loop between steps. @param work runs one step */
export async function inTurns<T>(
  pieces: Generator<undefined, T>,
  work: <Result>(piece: () => Result) => Result,
): Promise<T> {
  for (;;) {
    const { done, value } = work(() => pieces.next())
    if (done === true) return value
    // oxlint-disable-next-line no-await-in-loop -- yielding between steps is the point
    await turn()
  }
}

/** Runs a generator to its end without yielding. */
export function atOnce<T>(pieces: Generator<undefined, T>): T {
  for (;;) {
    const { done, value } = pieces.next()
    if (done === true) return value
  }
}
