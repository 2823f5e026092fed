import type { Failure } from '../../../model/failure.ts'
import { failAll, failRefused, type Job } from './job.ts'
import { leastLoaded, type Link } from './link.ts'

/**
 * Jobs waiting for a thread. Untrusted and slow sources get only a share of the threads: the first thread, one job at a
 * time. Costly events get the last thread, one at a time. While a thread works for either, no other job is sent there,
 * unless no thread is left.
 */
export class JobQueue {
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
