import { setImmediate } from 'node:timers/promises'
import { limits } from '../../../model/limits.ts'
import { buildSilenceMsMax } from './domain.ts'
import type { Link, PendingQuestion } from './link.ts'

/** How long a thread with a pending answer may get no CPU time before its sandbox counts as stopped. */
const sandboxStalledMs = 2000

type Hang = { readonly kind: 'hung' } | { readonly kind: 'died'; readonly why: string }

/** A silent thread counts as caught in a loop if it used this share of the CPU time that it could have used. */
const shareOfLoop = 0.75

/** One silence of a thread. Moments are on the clock of `performance.now()`. */
interface Silence {
  readonly sinceMs: number
  /** The thread's CPU time when it was first read. */
  readonly startCpuMs: number
  readonly cpuMs: number
  /** When the CPU time was last seen to grow. */
  readonly ranAtMs: number
}

/**
 * Detects a thread that cannot be interrupted from inside. A thread caught in a loop uses the CPU; one that waits on a
 * loaded machine does not, and a stopped one gets no CPU time at all.
 */
export class HangWatch {
  #silence: Silence | undefined
  #readingSinceMs: number | undefined
  readonly #link: Link
  readonly #cpuMs: () => Promise<number>
  readonly #onHang: (hang: Hang) => void

  constructor(link: Link, cpuMs: () => Promise<number>, onHang: (hang: Hang) => void) {
    this.#link = link
    this.#cpuMs = cpuMs
    this.#onHang = onHang
  }

  look(): void {
    if (!isSilent(this.#link)) return
    const nowMs = performance.now()
    if (this.#readingSinceMs === undefined) {
      this.#readingSinceMs = nowMs
      void this.#judge()
    } else if (nowMs - this.#readingSinceMs > sandboxStalledMs) this.#onHang(stalled)
  }

  async #judge(): Promise<void> {
    const cpuMs = await this.#cpuMs()
    // The gate itself may have been busy: read first what the thread has written meanwhile.
    await setImmediate()
    this.#readingSinceMs = undefined
    const [first] = this.#link.pending
    if (first === undefined || !isSilent(this.#link)) return
    const nowMs = performance.now()
    const sinceMs = this.#link.silentSinceMs
    const before = this.#silence
    if (before?.sinceMs !== sinceMs) {
      this.#silence = { sinceMs, startCpuMs: cpuMs, cpuMs, ranAtMs: nowMs }
      return
    }
    const ranAtMs = cpuMs > before.cpuMs ? nowMs : before.ranAtMs
    this.#silence = { ...before, cpuMs, ranAtMs }
    const maxMs = silenceMsMaxOf(first)
    if (nowMs - sinceMs >= maxMs && cpuMs - before.startCpuMs >= shareOfLoop * maxMs) this.#onHang({ kind: 'hung' })
    else if (nowMs - ranAtMs > sandboxStalledMs) this.#onHang(stalled)
  }
}

const stalled: Hang = { kind: 'died', why: 'it got no CPU time' }

function isSilent({ pending, silentSinceMs }: Link): boolean {
  return pending.length > 0 && performance.now() - silentSinceMs >= limits.policyWatchMs
}

function silenceMsMaxOf(first: PendingQuestion): number {
  return first.kind === 'load' ? buildSilenceMsMax([first.domain]) : first.job.silenceMsMax
}
