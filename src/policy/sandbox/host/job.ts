import type { Failure } from '../../../model/failure.ts'
import { policyLoad, type SandboxFrame } from '../wire/frames.ts'
import { limits } from '../../../model/limits.ts'
import type { CompiledModule, CompiledPolicy } from '../../../model/policy.ts'

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

/**
 * Duration of one event above which a source's events are evaluated one at a time, apart: a thousand times the usual.
 */
const policySlowMs = 50

/** How long a source stays in that mode after its last slow event. */
const policySlowForMs = 60_000

/**
 * How long a sandbox thread may be silent while an answer is pending: a policy's own limit, twice over. After that it
 * must be in code that cannot be interrupted from inside (native loops), and its process is killed.
 */
const policySilenceMs = 250

/** Time for building an isolate, per policy, compilation included: 100 times the measured 0.02 ms. */
const policyBuildMs = 2

/** The policies of one source, kept by the gate to be loaded into each new sandbox. */
export interface Domain {
  readonly id: number
  readonly policies: readonly CompiledPolicy[]
  /** The JSON of a `PolicyLoad`, as sent to a thread. */
  readonly text: string
  /** Sandboxes lost in a row while building this domain. */
  buildLosses: number
  /** Why the domain is no longer loaded into any sandbox. */
  refused: Failure | undefined
  /** When its events cease to count as slow, on the clock of `performance.now()`. */
  slowUntilMs: number
}

export function makeDomain(
  id: number,
  library: readonly CompiledModule[],
  policies: readonly CompiledPolicy[],
): Domain {
  let text: string | undefined
  return {
    id,
    policies,
    // Made for the first sandbox: many commands read rules and ask no policy.
    get text() {
      return (text ??= JSON.stringify(policyLoad(library, policies)))
    },
    buildLosses: 0,
    refused: undefined,
    slowUntilMs: 0,
  }
}

/** Returns how long a thread may be silent while it builds these policies, in ms of CPU time. */
export const buildSilenceMsMax = (domains: readonly Domain[]): number =>
  policySilenceMs + policyBuildMs * domains.reduce((sum, { policies }) => sum + policies.length, 0)

/** Marks the domain as slow for a while if its policies took too long for one event. */
export function noteDuration(domain: Domain, durationMs: number): void {
  if (durationMs > policySlowMs) domain.slowUntilMs = performance.now() + policySlowForMs
}

export const isSlow = ({ slowUntilMs }: Domain): boolean => slowUntilMs > 0 && performance.now() < slowUntilMs

/** Counts a sandbox lost while building the domain, and refuses it after two in a row: building exhausts only memory. */
export function noteBuildLoss(domain: Domain): void {
  domain.buildLosses += 1
  if (domain.buildLosses < 2) return
  const message = `the policies of its source crash the process that loads them: together they can use ${limits.policyLoadedMemoryMb} MB`
  domain.refused = { code: 'policyOutOfMemory', message }
}
