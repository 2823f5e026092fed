import { setImmediate } from 'node:timers/promises'
import { limits } from '../model/limits.ts'

let turnedAtMs = 0

/** Yields to the event loop (signals, timers, other sessions) if the last yield was at least `loadTurnMs` ago. */
export async function turn(): Promise<void> {
  if (performance.now() - turnedAtMs < limits.loadTurnMs) return
  await setImmediate()
  turnedAtMs = performance.now()
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
