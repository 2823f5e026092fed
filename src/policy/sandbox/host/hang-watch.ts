import { limits } from '../../../model/limits.ts'
import type { Link, Owed } from './link.ts'
import { cpuMsOfThread } from '../wire/thread-cpu.ts'

type Verdict = { readonly kind: 'hung' } | { readonly kind: 'died'; readonly why: string }

/** How much of the CPU time that a loop could have taken in its time it must have taken to be called one. */
const shareOfLoop = 0.75

/**
 * Tells a thread that is caught in a loop from one that is kept waiting by a loaded machine: only the former has used
 * the CPU. What cannot be interrupted from inside is found out here.
 */
export class SilenceWatch {
  readonly #links: readonly Link[]
  readonly #cpuMs: () => Promise<number>
  readonly #judge: (verdict: Verdict) => void
  /** For each silent link, since when, and what its thread had used soon after; the process, where threads have no name. */
  readonly #since = new Map<Link, { readonly silentSinceMs: number; readonly cpuMs: number }>()
  #askedAtMs: number | undefined

  constructor(links: readonly Link[], cpuMs: () => Promise<number>, judge: (verdict: Verdict) => void) {
    this.#links = links
    this.#cpuMs = cpuMs
    this.#judge = judge
  }

  look(): void {
    const nowMs = performance.now()
    const silent = this.#links.filter((link) => isSilent(link, nowMs))
    if (silent.length === 0) return
    if (this.#askedAtMs === undefined) {
      this.#askedAtMs = nowMs
      void this.#ask()
      return
    }
    // The thread that would answer has nothing else to do. It is stopped, or the machine is at its end.
    if (nowMs - this.#askedAtMs > limits.sandboxProbeMs) this.#judge({ kind: 'died', why: 'it does not respond' })
  }

  async #ask(): Promise<void> {
    const cpuMs = await this.#cpuMs()
    this.#askedAtMs = undefined
    const nowMs = performance.now()
    for (const link of this.#links) {
      if (isSilent(link, nowMs)) this.#weigh(link, cpuMsOfThread(link.thread) ?? cpuMs, nowMs)
      else this.#since.delete(link)
    }
  }

  #weigh(link: Link, cpuMs: number, nowMs: number): void {
    const { silentSinceMs } = link
    const since = this.#since.get(link)
    if (since?.silentSinceMs !== silentSinceMs) {
      this.#since.set(link, { silentSinceMs, cpuMs })
      return
    }
    const silenceMsMax = silenceMsMaxOf(link.owed[0])
    const silentMs = nowMs - silentSinceMs
    if (silentMs < silenceMsMax) return
    if (cpuMs - since.cpuMs >= shareOfLoop * silenceMsMax) this.#judge({ kind: 'hung' })
    else if (silentMs > limits.policyAnswerMsMax) this.#judge({ kind: 'died', why: 'it got no CPU time' })
  }
}

function isSilent(link: Link, nowMs: number): boolean {
  return link.owed.length > 0 && nowMs - link.silentSinceMs >= limits.policyWatchMs
}

function silenceMsMaxOf(owed: Owed | undefined): number {
  switch (owed?.kind) {
    case 'job':
      return owed.job.silenceMsMax
    case 'load':
      return limits.policySilenceMs + owed.domain.policies.length * limits.policyBuildMs
    case undefined:
      return limits.policySilenceMs
  }
}
