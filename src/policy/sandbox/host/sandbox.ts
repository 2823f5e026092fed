import { limits } from '../../../model/limits.ts'
import type { Domain } from './domain.ts'
import { HangWatch } from './hang-watch.ts'
import { Link } from './link.ts'
import type { SandboxEnd, SandboxInstance } from './placement.ts'

/** How a sandbox was lost. */
export type Loss =
  | SandboxEnd
  /** A thread took the CPU time of an endless loop and sent nothing. */
  | { readonly kind: 'hung'; readonly link: Link }
  /** A thread sent output that our own code cannot produce. */
  | { readonly kind: 'malformed'; readonly why: string }

interface SandboxEvents {
  onProgress(sandbox: Sandbox): void
  /** Called at most once, and no other event follows. */
  onLoss(sandbox: Sandbox, loss: Loss): void
}

/** One sandbox and all questions pending in it. */
export class Sandbox {
  readonly links: readonly Link[]
  #isEnded = false
  readonly #startedAtMs = performance.now()
  readonly #instance: SandboxInstance
  readonly #events: SandboxEvents
  readonly #watches: readonly HangWatch[]

  constructor(instance: SandboxInstance, domains: Iterable<Domain>, events: SandboxEvents) {
    this.#instance = instance
    this.#events = events
    this.links = instance.channels.map(
      (channel) =>
        new Link(channel, {
          onProgress: () => events.onProgress(this),
          onMalformed: (error) => this.#lose({ kind: 'malformed', why: String(error) }),
        }),
    )
    this.#watches = this.links.map(
      (link) =>
        new HangWatch(
          link,
          () => instance.cpuMs(link.thread),
          (hang) => this.#lose(hang.kind === 'hung' ? { ...hang, link } : hang),
        ),
    )
    for (const domain of domains) this.load(domain)
    void this.#watchEnd()
  }

  get isReady(): boolean {
    return this.links.every((link) => link.isReady)
  }

  get isIdle(): boolean {
    return this.links.every((link) => link.pending.length === 0)
  }

  /** Loads policies into the first thread. The others load those of their first job: few gates keep two busy. */
  load(domain: Domain): void {
    this.links[0]?.load(domain)
  }

  drop(domain: Domain): void {
    for (const link of this.links) link.drop(domain)
  }

  /** Looks for a thread that has been silent for too long. To be called every `limits.policyWatchMs`. */
  watch(): void {
    if (this.isReady) for (const watch of this.#watches) watch.look()
    else if (performance.now() - this.#startedAtMs > limits.sandboxStartMs) {
      const error = new Error(`it was not ready after ${limits.sandboxStartMs / 1000} s`)
      this.#lose({ kind: 'failed', error })
    }
  }

  /** Ends the sandbox without reporting a loss. */
  kill(isHung = false): void {
    if (this.#isEnded) return
    this.#isEnded = true
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
    const end = await this.#instance.ended
    // A sandbox that ends before it is ready has failed to start, however it ended.
    if (end.kind === 'failed' || this.isReady) this.#lose(end)
    else this.#lose({ kind: 'failed', error: new Error(`it did not become ready: ${end.why}`) })
  }

  #lose(loss: Loss): void {
    if (this.#isEnded) return
    this.kill(loss.kind === 'hung')
    this.#events.onLoss(this, loss)
  }
}
