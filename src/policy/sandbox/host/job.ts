import type { Failure } from '../../../model/failure.ts'
import type { SandboxFrame } from '../wire/frames.ts'
import type { Domain } from './domain.ts'

/** Names one policy of one domain. */
export interface PolicyRef {
  readonly domain: number
  /** Its index among the policies of its domain. */
  readonly policy: number
}

/** A question to several policies, its members. It is sent for all of them at once, or for one of them alone. */
export interface Job {
  /** The domains that a thread must load before it gets this job. */
  readonly domains: readonly Domain[]
  /** The memory that a thread needs to hold the job, in UTF-16 units of its text. */
  readonly size: number
  /** How long a thread may work on it without sending anything, in ms of CPU time. */
  readonly silenceMsMax: number
  /** True if its event is so large that evaluating it may take long, whatever its policies are. */
  readonly isCostly: boolean
  /** When it must be answered, on the clock of `performance.now()`. */
  deadlineAtMs(): number
  /** Returns true if the job may use only a share of the threads: it is costly, untrusted, or its policies were slow lately. */
  isRestricted(): boolean
  /** Returns the members that have no result yet. */
  unsettled(): readonly number[]
  isSettled(member?: number): boolean
  policyOf(member: number): PolicyRef
  /** Encodes the frame that asks some of its members. */
  encode(id: number, members: readonly number[]): SandboxFrame
  /** Settles the members with a thread's answer. @throws if it does not answer these members */
  accept(parts: readonly string[], members: readonly number[]): void
  /** Settles a member with an infrastructure failure, which is not its policy's fault. */
  fail(member: number, failure: Failure): void
  /** Settles a member whose policy was evaluated alone and crashed its sandbox. */
  markFailed(member: number, failure: Failure): void
}

interface JobOptions<Result> extends Pick<
  Job,
  'domains' | 'size' | 'silenceMsMax' | 'isCostly' | 'deadlineAtMs' | 'isRestricted' | 'encode'
> {
  readonly policies: readonly PolicyRef[]
  /** Decodes the whole answer before any of it counts. @throws if it is malformed */
  decode(parts: readonly string[], members: readonly number[]): Iterable<readonly [member: number, result: Result]>
  failed(failure: Failure): Result
  /** Called with each result that its policy caused, even one that comes too late to count. */
  onAnswer?(member: number, result: Result): void
  /** Called once, with a result for each member. */
  done(results: readonly Result[]): void
}

export function makeJob<Result>(options: JobOptions<Result>): Job {
  const { policies, domains, size, silenceMsMax, isCostly, deadlineAtMs, isRestricted, encode } = options
  const results: (Result | undefined)[] = Array.from({ length: policies.length })
  let missing = policies.length
  const all = [...policies.keys()]

  function settle(member: number, result: Result): void {
    if (results[member] !== undefined) return
    results[member] = result
    missing -= 1
    if (missing === 0) options.done(results.filter((one) => one !== undefined))
  }

  function answer(member: number, result: Result): void {
    options.onAnswer?.(member, result)
    settle(member, result)
  }

  const policyOf = (member: number): PolicyRef => policies[member] ?? { domain: 0, policy: 0 }

  return {
    domains,
    size,
    silenceMsMax,
    isCostly,
    deadlineAtMs,
    isRestricted,
    encode,
    policyOf,
    unsettled: () => (missing === policies.length ? all : all.filter((member) => results[member] === undefined)),
    isSettled: (member) => (member === undefined ? missing === 0 : results[member] !== undefined),
    accept(parts, members) {
      for (const [member, result] of options.decode(parts, members)) answer(member, result)
    },
    fail: (member, failure) => settle(member, options.failed(failure)),
    markFailed(member, { code, message }) {
      const { domain, policy } = policyOf(member)
      const file = domains.find(({ id }) => id === domain)?.policies[policy]?.file
      answer(member, options.failed({ code, message: file === undefined ? message : `${file}: ${message}` }))
    },
  }
}

export function failAll(job: Job, failure: Failure): void {
  for (const member of job.unsettled()) job.fail(member, failure)
}

/** Fails the members whose domain is no longer loaded into any sandbox. */
export function failRefused(job: Job): void {
  for (const { id, refused } of job.domains) {
    if (refused === undefined) continue
    for (const member of job.unsettled()) if (job.policyOf(member).domain === id) job.fail(member, refused)
  }
}
