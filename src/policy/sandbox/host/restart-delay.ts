import { limits } from '../../../model/limits.ts'

/** Losses in a row after which the next sandbox is still started at once: a batch and its culprit take two. */
const freeLosses = 3
const firstDelayMs = 100

/** Says how long the start of the next sandbox waits: a machine on which none lives is not kept busy with starting them. */
export class RestartDelay {
  #losses = 0
  #lastLossAtMs = 0

  noteLoss(): void {
    const nowMs = performance.now()
    if (nowMs - this.#lastLossAtMs > 2 * limits.sandboxBackoffMsMax) this.#losses = 0
    this.#losses += 1
    this.#lastLossAtMs = nowMs
  }

  /** The losses so far were a policy's doing, not the machine's. */
  reset(): void {
    this.#losses = 0
  }

  get ms(): number {
    if (this.#losses <= freeLosses) return 0
    return Math.min(limits.sandboxBackoffMsMax, firstDelayMs * 2 ** (this.#losses - freeLosses - 1))
  }
}
