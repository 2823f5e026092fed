import type { Failure } from '../../../model/failure.ts'
import { limits } from '../../../model/limits.ts'
import { blame, type Domain } from './domain.ts'
import { startFailure } from './failures.ts'
import { type Culprit, failRefused, type Job } from './job.ts'
import { attribute } from './attribute.ts'
import type { Placement } from './placement.ts'
import { Queue } from './queue.ts'
import { type Loss, Sandbox } from './sandbox.ts'
import { Starter } from './restart-delay.ts'
import { type Suspect, Suspects } from './retry-alone.ts'

/**
 * The sandboxes of one runner: one that serves, one in reserve, one in which suspects are heard, and the one that is
 * coming up. A sandbox that is lost costs nobody an answer but those it was lost over.
 */
export class Sandboxes {
  #serving: Sandbox | undefined
  #spare: Sandbox | undefined
  #starting: Sandbox | undefined
  #trial: { readonly sandbox: Sandbox; readonly suspect: Suspect } | undefined
  readonly #queue = new Queue()
  #inUse: NodeJS.Timeout | undefined
  /** Whether it is worth while to have one in reserve. */
  #isInUse = false
  #isStopped = false
  readonly #suspects = new Suspects()
  readonly #starter = new Starter(() => this.#start())
  readonly #all = new Set<Sandbox>()
  /** Ended, and not yet gone. */
  readonly #dying = new Set<Sandbox>()
  readonly #placement: Placement
  readonly #threads: number
  readonly #quarantined: (culprit: Culprit) => Failure | undefined
  readonly #domains: ReadonlyMap<number, Domain>

  constructor(
    placement: Placement,
    threads: number,
    domains: ReadonlyMap<number, Domain>,
    quarantined: (culprit: Culprit) => Failure | undefined,
  ) {
    this.#quarantined = quarantined
    this.#placement = placement
    this.#threads = threads
    this.#domains = domains
  }

  ask(job: Job): void {
    this.#queue.add(job)
    this.#advance()
  }

  load(domain: Domain): void {
    // Whoever is heard alone stays alone: what is built there may bring it down.
    for (const sandbox of this.#all) if (sandbox !== this.#trial?.sandbox) sandbox.load(domain)
    this.#advance()
  }

  drop(domain: Domain): void {
    for (const sandbox of this.#all) sandbox.drop(domain)
    this.#suspects.forget(domain.id)
  }

  /** Starts the first of them, should there be none. */
  warm(): void {
    this.#advance()
  }

  /** To be called every `limits.policyWatchMs` while anything is unanswered. */
  watch(): void {
    for (const sandbox of this.#all) sandbox.watch()
  }

  /** Ends all of them. The next question starts others. */
  killAll(): void {
    for (const sandbox of this.#all) this.#end(sandbox)
    this.#serving = this.#spare = this.#starting = this.#trial = undefined
    this.#queue.clear()
    this.#suspects.clear()
    this.#starter.stop()
  }

  async close(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#inUse)
    this.killAll()
    await Promise.all([...this.#dying].map((sandbox) => sandbox.gone()))
  }

  /** Gives everything that waits to whoever can take it, and starts what is missing. */
  #advance(): void {
    const started = this.#starting
    if (started?.isReady === true) {
      this.#starting = undefined
      this.#starter.failures = 0
      this.#settle(started)
    }
    if (this.#serving === undefined && this.#isAskedFor) {
      this.#serving = this.#spare
      this.#spare = undefined
    }
    this.#serve()
    this.#hear()
    if (this.#needsAnother) this.#starter.start()
  }

  /** Whether somebody needs a sandbox more than those who are to be heard alone. */
  get #isAskedFor(): boolean {
    return !this.#queue.isEmpty || this.#suspects.isEmpty
  }

  get #needsAnother(): boolean {
    if (this.#isStopped || this.#starting !== undefined || this.#starter.isWaiting) return false
    if (this.#serving === undefined && this.#spare === undefined) return true
    if (!this.#isInUse && this.#suspects.isEmpty) return false
    const hasReserve = this.#spare !== undefined || this.#trial !== undefined
    return !hasReserve && (this.#placement.hasSpare || !this.#suspects.isEmpty)
  }

  /** Finds a sandbox its place, now that it is ready or its trial is over. */
  #settle(sandbox: Sandbox): void {
    if (this.#serving === undefined && this.#isAskedFor) {
      this.#serving = sandbox
      this.#use()
    } else if (this.#spare === undefined && (this.#placement.hasSpare || !this.#suspects.isEmpty)) this.#spare = sandbox
    else this.#end(sandbox)
  }

  #end(sandbox: Sandbox): void {
    this.#all.delete(sandbox)
    sandbox.kill()
    this.#dying.add(sandbox)
    void sandbox.ended.then(() => this.#dying.delete(sandbox))
  }

  #use(): void {
    if (this.#isInUse || this.#inUse !== undefined) return
    this.#inUse = setTimeout(() => {
      this.#isInUse = true
      this.#advance()
    }, limits.sandboxSpareAfterMs).unref()
  }

  #serve(): void {
    if (this.#serving !== undefined) this.#queue.serve(this.#serving.links)
  }

  /** INVARIANT: whoever is heard is alone in its sandbox, and nobody else is sent there before it has answered. */
  #hear(): void {
    if (this.#trial !== undefined || this.#spare?.isIdle !== true) return
    const suspect = this.#nextSuspect()
    const [link] = this.#spare.links
    if (suspect === undefined || link === undefined) return
    this.#trial = { sandbox: this.#spare, suspect }
    this.#spare = undefined
    link.ask(suspect.job, [suspect.member])
  }

  #nextSuspect(): Suspect | undefined {
    for (let one = this.#suspects.next(); one !== undefined; one = this.#suspects.next()) {
      const { job, member } = one
      failRefused(job)
      const failure = this.#quarantined(job.culprit(member))
      if (failure !== undefined) job.fail(member, failure)
      if (!job.isMemberSettled(member)) return one
    }
    return undefined
  }

  #onProgress(sandbox: Sandbox): void {
    if (this.#trial?.sandbox === sandbox && sandbox.isIdle) {
      this.#trial = undefined
      for (const domain of this.#domains.values()) sandbox.load(domain)
      this.#settle(sandbox)
    }
    this.#advance()
  }

  #onLoss(sandbox: Sandbox, loss: Loss): void {
    this.#end(sandbox)
    this.#starter.lost()
    if (this.#serving === sandbox) this.#serving = undefined
    if (this.#spare === sandbox) this.#spare = undefined
    if (this.#starting === sandbox) this.#starting = undefined
    if (this.#trial?.sandbox === sandbox) {
      const { suspect } = this.#trial
      const { domains } = attribute(sandbox, loss)
      this.#trial = undefined
      for (const domain of domains) blame(domain)
      if (domains.length === 0) this.#judge(suspect, loss)
      else this.#suspects.add([suspect])
    } else this.#attribute(sandbox, loss)
    this.#advance()
  }

  #judge(suspect: Suspect, loss: Loss): void {
    const { trials } = suspect
    // Somebody may have ended the sandbox, but hardly the next one too. The system does it where memory is short.
    if (loss.kind === 'died' && trials === 0) this.#suspects.add([{ ...suspect, trials: 1 }])
    else {
      this.#suspects.convict(suspect, loss)
      this.#starter.explained()
    }
  }

  #attribute(sandbox: Sandbox, loss: Loss): void {
    const { suspects, innocents, domains, alone } = attribute(sandbox, loss)
    this.#queue.addFirst(innocents)
    for (const domain of domains) blame(domain)
    if (alone) for (const suspect of suspects) this.#judge(suspect, loss)
    else this.#suspects.add(suspects)
    if (loss.kind === 'failed' && domains.length === 0) this.#failed(loss.error)
  }

  /**
   * Nobody is to be kept waiting for what does not come. One failure may be somebody's doing, two are the machine's.
   * Whoever asks after that waits for the next attempt.
   */
  #failed(error: unknown): void {
    this.#starter.failures += 1
    if (this.#all.size > 0 || this.#starter.failures < 2) return
    const failure = startFailure(error)
    this.#suspects.fail(failure)
    this.#queue.fail(failure)
  }

  #start(): void {
    if (!this.#needsAnother) return
    try {
      const sandbox = new Sandbox(this.#placement.start(this.#threads), this.#domains.values(), {
        onProgress: (one) => this.#onProgress(one),
        onLoss: (one, loss) => this.#onLoss(one, loss),
      })
      this.#starting = sandbox
      this.#all.add(sandbox)
    } catch (error) {
      this.#starter.lost()
      this.#failed(error)
      this.#advance()
    }
  }
}
