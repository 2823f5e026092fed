import type { Failure } from '../../../model/failure.ts'
import { limits } from '../../../model/limits.ts'
import { firstLine, sayable } from '../../../model/text.ts'
import type { Job } from './job.ts'
import type { Loss } from './sandbox.ts'

/** One question that a sandbox may have been lost over. */
export interface Suspect {
  readonly job: Job
  readonly member: number
  /** How often it was asked alone, and its sandbox was ended from outside. */
  readonly trials: number
}

/**
 * Who is to be asked again alone, where nothing else is at risk. Whoever comes from a source that has been found guilty
 * before waits until all others have been heard: a thousand culprits of one source cost no other source its answer.
 */
export class Suspects {
  #waiting: Suspect[] = []
  readonly #convictions = new Map<number, number>()

  get isEmpty(): boolean {
    if (this.#waiting.length === 0) return true
    this.#waiting = this.#waiting.filter(({ job, member }) => !job.isMemberSettled(member))
    return this.#waiting.length === 0
  }

  add(suspects: readonly Suspect[]): void {
    this.#waiting.push(...suspects)
  }

  next(): Suspect | undefined {
    if (this.isEmpty) return undefined
    const least = this.#waiting.reduce((best, one) => (this.#record(one) < this.#record(best) ? one : best))
    this.#waiting.splice(this.#waiting.indexOf(least), 1)
    return least
  }

  convict({ job, member }: Suspect, loss: Loss): void {
    const { domain } = job.culprit(member)
    this.#convictions.set(domain, (this.#convictions.get(domain) ?? 0) + 1)
    job.convict(member, verdictOn(loss))
  }

  forget(domain: number): void {
    this.#convictions.delete(domain)
  }

  /** Gives up all of them. */
  fail(failure: Failure): void {
    for (const { job, member } of this.#waiting) job.fail(member, failure)
    this.#waiting = []
  }

  clear(): void {
    this.#waiting = []
  }

  #record({ job, member }: Suspect): number {
    return this.#convictions.get(job.culprit(member).domain) ?? 0
  }
}

function verdictOn(loss: Loss): Failure {
  if (loss.kind === 'malformed') {
    return { code: 'badOutput', message: `its answer cannot be read: ${sayable(firstLine(loss.why))}` }
  }
  if (loss.kind === 'hung') {
    const message = `took more than ${limits.policyCpuMs} ms of CPU time, and could only be stopped by killing its process`
    return { code: 'policyTimeout', message }
  }
  return {
    code: 'policyOutOfMemory',
    message: `crashed its process, as policies that take more than ${limits.policyMemoryMb} MB of memory do`,
  }
}
