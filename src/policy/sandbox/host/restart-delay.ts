import { limits } from '../../../model/limits.ts'

/** Losses in a row that cost no wait: a culprit is found within two. */
const freeLosses = 3
const firstDelayMs = 100

/** When the next sandbox is started: at once, or after a while where one after the other is lost. */
export class Starter {
  /** Starts that came to nothing since the last that did not. */
  failures = 0
  #losses = 0
  #lastLossAtMs = 0
  #retry: NodeJS.Timeout | undefined
  readonly #start: () => void

  constructor(start: () => void) {
    this.#start = start
  }

  get isWaiting(): boolean {
    return this.#retry !== undefined
  }

  lost(): void {
    const nowMs = performance.now()
    if (nowMs - this.#lastLossAtMs > 2 * limits.sandboxBackoffMsMax) this.#losses = 0
    this.#losses += 1
    this.#lastLossAtMs = nowMs
  }

  /** The losses so far were a policy's doing, not the machine's; that policy is known now. */
  explained(): void {
    this.#losses = 0
  }

  start(): void {
    const delayMs = this.#delayMs
    if (delayMs === 0) {
      this.#start()
      return
    }
    this.#retry = setTimeout(() => {
      this.#retry = undefined
      this.#start()
    }, delayMs)
    this.#retry.unref()
  }

  stop(): void {
    clearTimeout(this.#retry)
    this.#retry = undefined
  }

  /** A machine on which none lives is not to be kept busy with starting them. */
  get #delayMs(): number {
    if (this.#losses <= freeLosses) return 0
    return Math.min(limits.sandboxBackoffMsMax, firstDelayMs * 2 ** (this.#losses - freeLosses - 1))
  }
}
