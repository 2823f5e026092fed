import type { Failure } from '../../../model/failure.ts'
import type { Domain } from './domain.ts'

/** Something to be asked of a thread, whose members can also be asked one by one, each on its own. */
export interface Job {
  /** What a thread must have been given before. */
  readonly domains: readonly Domain[]
  readonly memberCount: number
  /** What of it a thread has to hold, in UTF-16 units. */
  readonly size: number
  /** How long a thread may say nothing while it is at it. */
  readonly silenceMsMax: number
  /** Whether no thread is given it that others need, for nobody vouches for how long it takes. */
  isApart(): boolean
  /** When it is answered at the latest, on the clock of `performance.now()`. */
  readonly deadlineAtMs: number
  isSettled(): boolean
  isMemberSettled(member: number): boolean
  /** What asks some of its members. */
  frame(id: number, members: readonly number[]): string
  /** Settles these members by what a thread has answered. @throws where that is no answer */
  hear(parts: readonly string[], members: readonly number[]): void
  /** The member gets no answer, and it is not its own doing. */
  fail(member: number, failure: Failure): void
  /** The same, and it is. */
  convict(member: number, failure: Failure): void
  /** Whose doing a failure of the member is. */
  culprit(member: number): Culprit
}

export interface Culprit {
  readonly domain: number
  readonly policy: number
}

export function unsettledOf(job: Job): readonly number[] {
  const unsettled: number[] = []
  for (let member = 0; member < job.memberCount; member += 1) if (!job.isMemberSettled(member)) unsettled.push(member)
  return unsettled
}

/** What belongs to a domain that no sandbox is given has its answer. */
export function failRefused(job: Job): void {
  for (const { id, refused } of job.domains) {
    if (refused === undefined) continue
    for (const member of unsettledOf(job)) if (job.culprit(member).domain === id) job.fail(member, refused)
  }
}
