import { limits } from '../../../model/limits.ts'
import type { Domain } from './domain.ts'
import { Link, type Owed } from './link.ts'
import type { SandboxInstance } from './placement.ts'
import { SilenceWatch } from './hang-watch.ts'

/** How a sandbox was lost. */
export type Loss =
  /** It took the CPU time of an endless loop and said nothing. */
  | { readonly kind: 'hung' }
  /** It brought itself down, as V8 does when memory is exhausted. */
  | { readonly kind: 'aborted'; readonly why: string }
  /** It was ended by somebody else, or could not be reached. */
  | { readonly kind: 'died'; readonly why: string }
  /** It said what it cannot have said. */
  | { readonly kind: 'malformed'; readonly why: string; readonly guilty: Owed | undefined }
  /** It never came to be. */
  | { readonly kind: 'failed'; readonly error: unknown }

export interface SandboxEvents {
  onProgress(sandbox: Sandbox): void
  /** Told once, and nothing after it. */
  onLoss(sandbox: Sandbox, loss: Loss): void
}

/** One sandbox and everything that it owes. */
export class Sandbox {
  readonly links: readonly Link[]
  #isLost = false
  readonly #startedAtMs = performance.now()
  readonly #instance: SandboxInstance
  readonly #events: SandboxEvents
  readonly #silence: SilenceWatch

  constructor(instance: SandboxInstance, domains: Iterable<Domain>, events: SandboxEvents) {
    this.#instance = instance
    this.#events = events
    this.links = instance.channels.map(
      (channel) =>
        new Link(channel, {
          onProgress: () => events.onProgress(this),
          onMalformed: (guilty, error) => this.#lose({ kind: 'malformed', why: String(error), guilty }),
        }),
    )
    this.#silence = new SilenceWatch(
      this.links,
      () => instance.cpuMs(),
      (loss) => this.#lose(loss),
    )
    for (const domain of domains) this.load(domain)
    void this.#watchEnd()
  }

  get isReady(): boolean {
    return this.links.every((link) => link.isReady)
  }

  get isIdle(): boolean {
    return this.links.every((link) => link.owed.length === 0)
  }

  load(domain: Domain): void {
    for (const link of this.links) link.load(domain)
  }

  drop(domain: Domain): void {
    for (const link of this.links) link.drop(domain)
  }

  /** Looks whether it has been silent for too long. To be called every `limits.policyWatchMs` while it owes something. */
  watch(): void {
    if (this.isReady) {
      this.#silence.look()
      return
    }
    if (performance.now() - this.#startedAtMs < limits.sandboxStartMs) return
    const error = new Error(`it was not ready after ${limits.sandboxStartMs / 1000} s`)
    this.#lose({ kind: 'failed', error })
  }

  /** Ends it without a word to anybody. */
  kill(isHung = false): void {
    if (this.#isLost) return
    this.#isLost = true
    for (const link of this.links) link.close()
    this.#instance.kill(isHung)
  }

  get ended(): Promise<unknown> {
    return this.#instance.ended
  }

  gone(): Promise<void> {
    return this.#instance.gone()
  }

  async #watchEnd(): Promise<void> {
    const ending = await this.#instance.ended
    // What dies before it has said that it is there has come to nothing, however it died.
    if (ending.kind === 'failed' || this.isReady) this.#lose(ending)
    else this.#lose({ kind: 'failed', error: new Error(`it did not become ready: ${ending.why}`) })
  }

  #lose(loss: Loss): void {
    if (this.#isLost) return
    this.kill(loss.kind === 'hung')
    this.#events.onLoss(this, loss)
  }
}
