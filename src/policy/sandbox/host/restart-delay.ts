import { limits } from '../../../model/limits.ts'

/** Losses in a row that cause no delay: losing a batch, then retrying its culprit alone, takes two. */
const freeLosses = 3
const firstDelayMs = 100

/** Computes the delay before the next sandbox starts: an exponential backoff where sandboxes keep dying. */
export class RestartDelay {
  #losses = 0
  #lastLossAtMs = 0

  noteLoss(): void {
    const nowMs = performance.now()
    if (nowMs - this.#lastLossAtMs > 2 * limits.sandboxBackoffMsMax) this.#losses = 0
    this.#losses += 1
    this.#lastLossAtMs = nowMs
  }

  /** Forgets the losses so far: a policy caused them, not the machine. */
  reset(): void {
    this.#losses = 0
  }

  get ms(): number {
    if (this.#losses <= freeLosses) return 0
    return Math.min(limits.sandboxBackoffMsMax, firstDelayMs * 2 ** (this.#losses - freeLosses - 1))
  }
}
