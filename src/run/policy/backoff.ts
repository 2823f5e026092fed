import { limits } from '../../model/limits.ts'

/** Losses in a row that cost no wait: a culprit is found within two. */
const freeLosses = 3

/** How long to wait before the next sandbox, so that a machine on which none lives is not kept busy with starting them. */
export class Backoff {
  #losses = 0
  #lastAtMs = 0

  lost(): void {
    const nowMs = performance.now()
    if (nowMs - this.#lastAtMs > 2 * limits.sandboxBackoffMsMax) this.#losses = 0
    this.#losses += 1
    this.#lastAtMs = nowMs
  }

  /** The losses so far were a policy's doing, not the machine's; that policy is known now. */
  explained(): void {
    this.#losses = 0
  }

  get delayMs(): number {
    if (this.#losses <= freeLosses) return 0
    return Math.min(limits.sandboxBackoffMsMax, 50 * 2 ** (this.#losses - freeLosses))
  }
}
