import { setImmediate } from 'node:timers/promises'
import { limits } from '../model/limits.ts'

let turnedAtMs = 0

/** Lets everything else that waits for the main thread go ahead, if it has waited for long: signals, timers, other sessions. */
export async function turn(): Promise<void> {
  if (performance.now() - turnedAtMs < limits.loadTurnMs) return
  await setImmediate()
  turnedAtMs = performance.now()
}

/** Does work that can be paused, and lets others go ahead in its pauses. @param work does one piece of it */
export async function inTurns<T>(
  pieces: Generator<undefined, T>,
  work: <Result>(piece: () => Result) => Result,
): Promise<T> {
  for (;;) {
    const { done, value } = work(() => pieces.next())
    if (done === true) return value
    // oxlint-disable-next-line no-await-in-loop -- that is what pauses are for
    await turn()
  }
}

/** Does all of it without a pause. */
export function atOnce<T>(pieces: Generator<undefined, T>): T {
  for (;;) {
    const { done, value } = pieces.next()
    if (done === true) return value
  }
}
