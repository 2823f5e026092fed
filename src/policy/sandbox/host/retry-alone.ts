import type { Failure } from '../../../model/failure.ts'
import { failRefused, type Job, type PolicyRef } from './job.ts'

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
