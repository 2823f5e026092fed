import type { Failure } from '../../../model/failure.ts'
import { failRefused, type Job, unsettledOf } from './job.ts'
import { leastLoaded, type Link } from './link.ts'

/**
 * What waits to be asked, in two lines. In the one stands what somebody vouches for, and goes to any thread. What is apart
 * (of a workspace that nobody trusts, or slow of late) goes to the last thread alone, and while that is at it, nobody
 * else is sent there: whatever such a source takes, it takes from itself and its like.
 */
export class Queue {
  #open: Job[] = []
  #apart: Job[] = []

  get isEmpty(): boolean {
    return this.#open.length === 0 && this.#apart.length === 0
  }

  add(job: Job): void {
    if (job.isApart()) this.#apart.push(job)
    else this.#open.push(job)
  }

  /** Those that have waited before. */
  addFirst(jobs: readonly Job[]): void {
    this.#open.unshift(...jobs.filter((job) => !job.isApart()))
    this.#apart.unshift(...jobs.filter((job) => job.isApart()))
  }

  /** Gives all of it to whoever can take it. */
  serve(links: readonly Link[]): void {
    const free = links.filter((link) => !link.isApart)
    takeFrom(this.#open, (job) => {
      // It has turned out to be slow while this one waited.
      if (job.isApart()) this.#apart.push(job)
      return job.isApart() || isTaken(job, free.length > 0 ? free : links)
    })
    takeFrom(this.#apart, (job) => isTaken(job, links.slice(-1)))
  }

  fail(failure: Failure): void {
    const waiting = [...this.#open, ...this.#apart]
    this.clear()
    for (const job of waiting) for (const member of unsettledOf(job)) job.fail(member, failure)
  }

  clear(): void {
    this.#open = []
    this.#apart = []
  }
}

/** Takes as many out of a line as somebody has taken, from its beginning. */
function takeFrom(line: Job[], isGone: (job: Job) => boolean): void {
  const left = line.findIndex((job) => !isGone(job))
  line.splice(0, left < 0 ? line.length : left)
}

/** Whether there is nothing left of it to wait for, or somebody had room for it. */
function isTaken(job: Job, links: readonly Link[]): boolean {
  failRefused(job)
  if (job.isSettled()) return true
  const link = leastLoaded(links)
  if (!link.hasRoom(job)) return false
  link.ask(job, unsettledOf(job))
  return true
}
