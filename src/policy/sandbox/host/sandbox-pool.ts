import type { Failure } from '../../../model/failure.ts'
import { type Domain, failAll, failRefused, type Job, noteBuildLoss, type PolicyRef } from './job.ts'
import { failureAlone, leastLoaded, type Link, type Loss, Sandbox, startFailure } from './sandbox.ts'
import type { SandboxPlacement } from './placement.ts'
import { policyEventsAtOnceMax } from '../wire/frames.ts'

/**
 * The sandboxes of one runner: one serves, and once one was lost, another is a spare. When a sandbox is lost, each
 * policy that was pending in it is retried alone in the spare. A policy whose retry loses that sandbox too has failed.
 */
export class SandboxPool {
  #serving: Sandbox | undefined
  #spare: Sandbox | undefined
  #starting: Sandbox | undefined
  #retrying: { readonly sandbox: Sandbox; readonly retry: Retry } | undefined
  /** True once a sandbox was lost: few gates ever lose one, and a spare takes as much memory as the one that serves. */
  #wantsSpare = false
  #restartTimer: NodeJS.Timeout | undefined
  /** Failed starts in a row. */
  #startFailures = 0
  #isClosed = false
  readonly #queue = new JobQueue()
  readonly #retries: RetryQueue
  readonly #restartDelay = new RestartDelay()
  readonly #all = new Set<Sandbox>()
  /** Sandboxes that are killed but not gone yet. */
  readonly #ending = new Set<Sandbox>()
  readonly #placement: SandboxPlacement
  readonly #threads: number
  readonly #domains: ReadonlyMap<number, Domain>

  /** @param quarantined returns why a policy need not be retried, if it is quarantined */
  constructor(
    placement: SandboxPlacement,
    threads: number,
    domains: ReadonlyMap<number, Domain>,
    quarantined: (policy: PolicyRef) => Failure | undefined,
  ) {
    this.#placement = placement
    this.#threads = threads
    this.#domains = domains
    this.#retries = new RetryQueue(quarantined)
  }

  ask(job: Job): void {
    this.#queue.add(job)
    this.#advance()
  }

  load(domain: Domain): void {
    // INVARIANT: a policy that is retried alone stays alone. Loading another domain could crash its sandbox.
    for (const sandbox of this.#all) if (sandbox !== this.#retrying?.sandbox) sandbox.load(domain)
    // Who only reads what policies declare needs no sandbox, which takes longer to start than all else.
    if (this.#all.size > 0) this.#advance()
  }

  drop(domain: Domain): void {
    for (const sandbox of this.#all) sandbox.drop(domain)
    this.#retries.forget(domain.id)
  }

  /** Starts the first sandbox if there is none. */
  warm(): void {
    this.#advance()
  }

  /** True if no sandbox is starting or has a question pending. */
  get isIdle(): boolean {
    return [...this.#all].every((sandbox) => sandbox.isReady && sandbox.isIdle)
  }

  /** To be called every `limits.policyWatchMs` unless the pool is idle. */
  watch(): void {
    for (const sandbox of this.#all) sandbox.watch()
  }

  /** Ends all sandboxes, for good. */
  killAll(): void {
    this.#isClosed = true
    for (const sandbox of this.#all) this.#end(sandbox)
    this.#queue.clear()
    this.#retries.clear()
    clearTimeout(this.#restartTimer)
    this.#restartTimer = undefined
  }

  /** Resolves when every sandbox that was ended is gone. */
  async gone(): Promise<void> {
    await Promise.all([...this.#ending].map((sandbox) => sandbox.gone()))
  }

  /** Assigns sandboxes to roles, sends them the waiting jobs and retries, and starts a sandbox if one is missing. */
  #advance(): void {
    if (this.#starting?.isReady === true) {
      const started = this.#starting
      this.#starting = undefined
      this.#startFailures = 0
      this.#keep(started)
    }
    if (this.#serving === undefined && (this.#retries.isEmpty || !this.#queue.isEmpty)) this.#promoteSpare()
    if (this.#serving !== undefined) this.#queue.dispatch(this.#serving.links)
    this.#retryNext()
    if (this.#needsAnother) this.#startAfterDelay()
  }

  #promoteSpare(): void {
    if (this.#spare === undefined) return
    this.#serving = this.#spare
    this.#spare = undefined
    this.#loadAll(this.#serving)
  }

  /** Retries the next policy alone. INVARIANT: nothing else is sent to its sandbox before it has answered. */
  #retryNext(): void {
    if (this.#retrying !== undefined || this.#spare?.isIdle !== true) return
    const retry = this.#retries.next()
    if (retry === undefined) return
    const { job, member } = retry
    const sandbox = this.#spare
    this.#retrying = { sandbox, retry }
    this.#spare = undefined
    const { domain } = job.policyOf(member)
    const domains = job.domains.filter(({ id }) => id === domain)
    sandbox.links[0]?.ask(job, [member], domains)
  }

  #onProgress(sandbox: Sandbox): void {
    if (this.#retrying?.sandbox === sandbox && sandbox.isIdle) {
      this.#retrying = undefined
      if (this.#retries.isEmpty) this.#loadAll(sandbox)
      this.#keep(sandbox)
    }
    this.#advance()
  }

  #onLoss(sandbox: Sandbox, loss: Loss): void {
    const retry = this.#retrying?.sandbox === sandbox ? this.#retrying.retry : undefined
    const building = sandbox.links.map((link) => link.building).filter((domain) => domain !== undefined)
    this.#end(sandbox)
    this.#wantsSpare = this.#placement.hasSpare
    this.#restartDelay.noteLoss()
    for (const domain of building) noteBuildLoss(domain)
    if (retry !== undefined && building.length === 0) {
      this.#retries.markFailed(retry, failureAlone(loss))
      this.#restartDelay.reset()
    } else {
      for (const link of sandbox.links) this.#askAgain(link, loss)
    }
    if (loss.kind === 'failed' && building.length === 0) this.#onStartFailure(loss.error)
    this.#advance()
  }

  /** Retries alone what may have caused a loss, and asks the rest again as before: nobody waits for a retry without need. */
  #askAgain(link: Link, loss: Loss): void {
    const isHungElsewhere = loss.kind === 'hung' && loss.link !== link
    for (const [at, one] of link.pending.entries()) {
      if (one.kind !== 'job') continue
      if (isHungElsewhere || at >= policyEventsAtOnceMax) this.#queue.add(one.job)
      else this.#retries.addAll(one.job)
    }
  }

  /** Keeps a ready sandbox as the spare if one is needed, and ends it otherwise. */
  #keep(sandbox: Sandbox): void {
    const isOfUse = this.#placement.hasSpare || this.#serving === undefined || !this.#retries.isEmpty
    if (this.#spare === undefined && isOfUse) this.#spare = sandbox
    else this.#end(sandbox)
  }

  #loadAll(sandbox: Sandbox): void {
    for (const domain of this.#domains.values()) sandbox.load(domain)
  }

  #end(sandbox: Sandbox): void {
    if (this.#serving === sandbox) this.#serving = undefined
    if (this.#spare === sandbox) this.#spare = undefined
    if (this.#starting === sandbox) this.#starting = undefined
    if (this.#retrying?.sandbox === sandbox) this.#retrying = undefined
    this.#all.delete(sandbox)
    sandbox.kill()
    this.#ending.add(sandbox)
    void sandbox.ended.then(() => this.#ending.delete(sandbox))
  }

  get #needsAnother(): boolean {
    if (this.#isClosed || this.#starting !== undefined || this.#restartTimer !== undefined) return false
    if (this.#spare !== undefined) return false
    if (this.#serving === undefined) return true
    return this.#retrying === undefined && (this.#wantsSpare || !this.#retries.isEmpty)
  }

  #startAfterDelay(): void {
    const { ms } = this.#restartDelay
    if (ms === 0) {
      this.#start()
      return
    }
    this.#restartTimer = setTimeout(() => {
      this.#restartTimer = undefined
      if (this.#needsAnother) this.#start()
    }, ms).unref()
  }

  #start(): void {
    try {
      const sandbox = new Sandbox(this.#placement.start(this.#threads), this.#domains.values(), {
        onProgress: (one) => this.#onProgress(one),
        onLoss: (one, loss) => this.#onLoss(one, loss),
      })
      this.#starting = sandbox
      this.#all.add(sandbox)
    } catch (error) {
      this.#restartDelay.noteLoss()
      this.#onStartFailure(error)
      this.#advance()
    }
  }

  /** Fails all waiting jobs if no sandbox can be started. One failed start may be a policy's doing, two are not. */
  #onStartFailure(error: unknown): void {
    this.#startFailures += 1
    if (this.#all.size > 0 || this.#startFailures < 2) return
    const failure = startFailure(error)
    this.#retries.fail(failure)
    this.#queue.fail(failure)
  }
}

/** Losses in a row that cause no delay: losing a batch, then retrying its culprit alone, takes two. */
const freeLosses = 3
const firstDelayMs = 100

/** Computes the delay before the next sandbox starts: an exponential backoff where sandboxes keep dying. */
export class RestartDelay {
  #losses = 0
  #lastLossAtMs = 0

  noteLoss(): void {
    const nowMs = performance.now()
    if (nowMs - this.#lastLossAtMs > 2 * sandboxBackoffMsMax) this.#losses = 0
    this.#losses += 1
    this.#lastLossAtMs = nowMs
  }

  /** Forgets the losses so far: a policy caused them, not the machine. */
  reset(): void {
    this.#losses = 0
  }

  get ms(): number {
    if (this.#losses <= freeLosses) return 0
    return Math.min(sandboxBackoffMsMax, firstDelayMs * 2 ** (this.#losses - freeLosses - 1))
  }
}
/** Longest wait before a lost sandbox is replaced, counted from the first loss. */
export const sandboxBackoffMsMax = 5000

/**
 * Jobs waiting for a thread. Untrusted and slow sources get only a share of the threads: the first thread, one job at a
 * time. Costly events get the last thread, one at a time. While a thread works for either, no other job is sent there,
 * unless no thread is left.
 */
class JobQueue {
  #open: Job[] = []
  #restricted: Job[] = []
  #costly: Job[] = []

  get isEmpty(): boolean {
    return this.#open.length === 0 && this.#restricted.length === 0 && this.#costly.length === 0
  }

  add(job: Job): void {
    if (job.isCostly) this.#costly.push(job)
    else if (job.isRestricted()) this.#restricted.push(job)
    else this.#open.push(job)
  }

  /** Sends as many jobs as the threads have room for. */
  dispatch(links: readonly Link[]): void {
    if (this.isEmpty) return
    const free = links.filter((link) => !link.hasRestricted)
    dispatchFrom(this.#open, (job) => {
      // The job's source became slow while the job waited.
      if (job.isRestricted()) this.#restricted.push(job)
      return job.isRestricted() || isSent(job, free.length > 0 ? free : links)
    })
    dispatchFrom(this.#restricted, (job) => isSent(job, links.slice(0, 1)))
    dispatchFrom(this.#costly, (job) => isSent(job, links.slice(-1)))
  }

  fail(failure: Failure): void {
    const waiting = [...this.#open, ...this.#restricted, ...this.#costly]
    this.clear()
    for (const job of waiting) failAll(job, failure)
  }

  clear(): void {
    this.#open = []
    this.#restricted = []
    this.#costly = []
  }
}

/** Removes jobs from the front of a line while `isGone`, which may send a job, returns true. */
function dispatchFrom(line: Job[], isGone: (job: Job) => boolean): void {
  const left = line.findIndex((job) => !isGone(job))
  line.splice(0, left < 0 ? line.length : left)
}

/** Sends a job to the least loaded thread. Returns false if that has no room; a settled job counts as sent. */
function isSent(job: Job, links: readonly Link[]): boolean {
  failRefused(job)
  if (job.isSettled()) return true
  const link = leastLoaded(links)
  if (!link.hasRoom(job)) return false
  link.ask(job, job.unsettled())
  return true
}

/** One policy of a job that was pending in a lost sandbox, to be retried alone. */
export interface Retry {
  readonly job: Job
  readonly member: number
}

/**
 * Policies to be retried alone, where they put no other at risk. Policies of a source with fewer failures go first: a
 * thousand bad policies of one source then cost no other source its answer.
 */
export class RetryQueue {
  #waiting: Retry[] = []
  readonly #failures = new Map<number, number>()
  readonly #quarantined: (policy: PolicyRef) => Failure | undefined

  /** @param quarantined returns why a policy need not be retried, if it is quarantined */
  constructor(quarantined: (policy: PolicyRef) => Failure | undefined) {
    this.#quarantined = quarantined
  }

  get isEmpty(): boolean {
    if (this.#waiting.length === 0) return true
    this.#waiting = this.#waiting.filter(({ job, member }) => !job.isSettled(member))
    return this.#waiting.length === 0
  }

  addAll(job: Job): void {
    for (const member of job.unsettled()) this.#waiting.push({ job, member })
  }

  next(): Retry | undefined {
    while (!this.isEmpty) {
      const retry = this.#waiting.reduce((best, one) => (this.#failuresOf(one) < this.#failuresOf(best) ? one : best))
      this.#waiting.splice(this.#waiting.indexOf(retry), 1)
      const { job, member } = retry
      failRefused(job)
      const failure = this.#quarantined(job.policyOf(member))
      if (failure !== undefined) job.fail(member, failure)
      if (!job.isSettled(member)) return retry
    }
    return undefined
  }

  /** Marks a policy as failed because it was alone in the sandbox that was lost. */
  markFailed({ job, member }: Retry, failure: Failure): void {
    const { domain } = job.policyOf(member)
    this.#failures.set(domain, (this.#failures.get(domain) ?? 0) + 1)
    job.markFailed(member, failure)
  }

  forget(domain: number): void {
    this.#failures.delete(domain)
  }

  /** Fails all waiting retries. */
  fail(failure: Failure): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const { job, member } of waiting) job.fail(member, failure)
  }

  clear(): void {
    this.#waiting = []
  }

  #failuresOf({ job, member }: Retry): number {
    return this.#failures.get(job.policyOf(member).domain) ?? 0
  }
}
