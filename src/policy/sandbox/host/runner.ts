import { availableParallelism } from 'node:os'
import { HookgateError } from '../../../model/errors.ts'
import { limits } from '../../../model/limits.ts'
import type {
  CompiledModule,
  CompiledPolicy,
  Described,
  LoadedDomain,
  PolicyCall,
  PolicyPlacement,
  PolicyPort,
  PolicyRequest,
  PolicyResult,
} from '../../../model/policy.ts'
import { descriptionOf, evaluationOf, type EvaluationWaits, waitsOfAgents, knownDescriptions } from './evaluation.ts'
import { type Domain, failAll, type Job, makeDomain, type PolicyRef } from './job.ts'
import { cancelled, lostFailure } from './sandbox.ts'
import { callerPlacement, type SandboxPlacement } from './placement.ts'
import { processPlacement } from './process-placement.ts'
import { SandboxPool } from './sandbox-pool.ts'
import { PolicyCalls } from '../../../model/policy-interest.ts'
import { type Failure, hadNoChance, isCostly } from '../../../model/failure.ts'

/** How long replaced policies of a source are kept: events may still be in progress. */
const policyDomainLingerMs = 30_000

export interface PolicyRunnerOptions {
  /** `process`: a separate process. `caller`: the calling thread for trusted policies, and a process for all others. */
  readonly placement: PolicyPlacement
  /** The modules that implement `hookgate/policy` inside the sandbox. */
  readonly library: readonly CompiledModule[]
  /** Default: the number of cores, at most `limits.policyThreadsMax`. */
  readonly threads?: number
  /** How long one event may wait, and be evaluated. Default: as long as its agent waits. */
  readonly waits?: EvaluationWaits
}

export function startPolicyRunner(options: PolicyRunnerOptions): PolicyRunner {
  switch (options.placement) {
    case 'process':
      return startRunnerAt(processPlacement, options)
    case 'caller':
      return byTrust(startRunnerAt(callerPlacement, options), startRunnerAt(processPlacement, options))
  }
}

/** Starts a runner with a given placement, which tests may replace. */
export function startRunnerAt(
  placement: SandboxPlacement,
  options: Omit<PolicyRunnerOptions, 'placement'>,
): SingleRunner {
  // Two even on one core: a costly event then leaves the other thread to everybody else's.
  const {
    library,
    threads = Math.max(2, Math.min(availableParallelism(), limits.policyThreadsMax)),
    waits = waitsOfAgents,
  } = options
  const domains = new Map<number, Domain>()
  const quarantine = new Quarantine()
  const pool = new SandboxPool(placement, threads, domains, (policy) => quarantine.quarantineFailure(policy))
  /** Jobs whose callers are waiting. */
  const pending = new Set<Job>()
  /** Released domains, kept until requests under way for them are answered. */
  const lingering = new Map<Domain, NodeJS.Timeout>()
  let isClosed = false
  let watch: NodeJS.Timeout | undefined
  let lookedAtMs = 0

  function ask(job: Job): void {
    if (job.isSettled()) return
    pending.add(job)
    watch ??= setInterval(look, limits.policyWatchMs)
    if (pending.size === 1) watch.ref()
    pool.ask(job)
  }

  /** INVARIANT: no timer of the runner keeps the event loop alive while no caller waits. */
  function onSettled(job: Job): void {
    if (pending.delete(job) && pending.size === 0) watch?.unref()
  }

  function look(): void {
    // Watching goes on after the last caller has given up, so that a hung sandbox is still ended.
    if (pending.size === 0 && pool.isIdle) {
      clearInterval(watch)
      watch = undefined
      return
    }
    pool.watch()
    const nowMs = performance.now()
    // This thread was busy itself: the answers that have come meanwhile are read before anything counts as late.
    const wasBusy = nowMs - lookedAtMs > limits.graceMs
    lookedAtMs = nowMs
    if (wasBusy) return
    for (const job of pending) if (nowMs > job.deadlineAtMs()) failAll(job, lostFailure('it did not answer in time'))
  }

  function cancelAll(): void {
    for (const job of pending) failAll(job, cancelled)
  }

  async function load(policies: readonly CompiledPolicy[]): Promise<LoadedDomain> {
    if (isClosed) throw closedError()
    const domain = makeDomain(nextDomain(), library, policies)
    domains.set(domain.id, domain)
    const release = () => {
      if (isClosed || lingering.has(domain)) return
      lingering.set(domain, setTimeout(() => drop(domain), policyDomainLingerMs).unref())
    }
    const described = policies.length === 0 ? [] : await describe(domain)
    if (isClosed) throw closedError()
    return { id: domain.id, described, release }
  }

  function describe(domain: Domain): Promise<readonly Described[]> {
    pool.load(domain)
    const known = knownDescriptions(domain)
    if (known !== undefined) return Promise.resolve(known)
    return new Promise((resolve) => {
      const job = descriptionOf(domain, (described) => {
        onSettled(job)
        resolve(described)
      })
      ask(job)
    })
  }

  function drop(domain: Domain): void {
    lingering.delete(domain)
    domains.delete(domain.id)
    pool.drop(domain)
    quarantine.forget(domain.id)
  }

  function evaluate(request: PolicyRequest, signal?: AbortSignal): Promise<readonly PolicyResult[]> {
    if (isClosed) return Promise.reject(closedError())
    if (request.calls.all.length === 0) return Promise.resolve([])
    return new Promise((resolve) => {
      const cancel = () => failAll(job, cancelled)
      const job = evaluationOf(request, domains, waits, {
        onResult: (call, failure) => quarantine.record(call, failure),
        done(results) {
          signal?.removeEventListener('abort', cancel)
          onSettled(job)
          resolve(results)
        },
      })
      for (const [member, call] of request.calls.all.entries()) {
        const refusal = domains.has(call.domain)
          ? quarantine.admit(call)
          : lostFailure('the policies are no longer loaded')
        if (refusal !== undefined) job.fail(member, refusal)
      }
      if (signal?.aborted === true) cancel()
      signal?.addEventListener('abort', cancel)
      ask(job)
    })
  }

  function killAll(): void {
    isClosed = true
    pool.killAll()
    cancelAll()
    clearInterval(watch)
    for (const linger of lingering.values()) clearTimeout(linger)
  }

  async function close(): Promise<void> {
    killAll()
    await pool.gone()
  }

  return {
    load,
    evaluate,
    holds: (domain) => domains.has(domain),
    warm: () => (isClosed ? undefined : pool.warm()),
    killAll,
    close,
  }
}

/** Numbers domains throughout the process, so that several runners can share the calls of an event. */
let lastDomain = 0
const nextDomain = () => (lastDomain += 1)

const closedError = () => new HookgateError('closed', 'the policy runner is closed')

/** A runner with one kind of sandbox. */
interface SingleRunner extends PolicyRunner {
  /** Returns true if it has loaded the domain. */
  holds(domain: number): boolean
}

/**
 * Combines two runners: trusted policies are evaluated on the calling thread, all others in a process.
 *
 * INVARIANT: policies are never evaluated on the calling thread unless they were loaded as trusted ones.
 */
function byTrust(caller: SingleRunner, process: SingleRunner): PolicyRunner {
  async function evaluate(request: PolicyRequest, signal?: AbortSignal): Promise<readonly PolicyResult[]> {
    const { all: calls } = request.calls
    if (calls.every(({ domain }) => caller.holds(domain))) return caller.evaluate(request, signal)
    const here = calls.filter(({ domain }) => caller.holds(domain))
    const there = calls.filter(({ domain }) => !caller.holds(domain))
    const results = new Map<PolicyCall, PolicyResult>()
    const ask = async (runner: PolicyRunner, some: readonly PolicyCall[]) => {
      const answers = await runner.evaluate({ ...request, calls: new PolicyCalls(some) }, signal)
      for (const [at, call] of some.entries()) if (answers[at] !== undefined) results.set(call, answers[at])
    }
    // The process works while this thread evaluates its own.
    await Promise.all([ask(process, there), ask(caller, here)])
    return calls.flatMap((call) => results.get(call) ?? [])
  }
  const both = [caller, process]
  return {
    async load(policies, options) {
      if (options?.isTrusted !== true) return process.load(policies)
      return { ...(await caller.load(policies)), onCaller: true }
    },
    evaluate,
    // The process is started only if it is needed.
    warm: () => caller.warm(),
    killAll: () => both.forEach((runner) => runner.killAll()),
    async close() {
      await Promise.all(both.map((runner) => runner.close()))
    },
  }
}

/** Evaluates policies in a sandbox, where they have no side effects and cannot keep each other from answering. */
export interface PolicyRunner {
  /** Resolves when the policies can be evaluated. A policy that cannot be described does not affect the others. */
  readonly load: PolicyPort['load']
  /**
   * Resolves with one result for each call, in the same order. Never rejects because of a policy, and settles within
   * `limits.policyAnswerMsMax` or little more.
   *
   * @param signal settles the request as `cancelled`
   * @throws HookgateError `closed` after `close()` or `killAll()`
   */
  readonly evaluate: (request: PolicyRequest, signal?: AbortSignal) => Promise<readonly PolicyResult[]>
  /** Starts the sandbox ahead of its first use, in the background: that takes a tenth of a second. */
  warm(): void
  /** Kills every sandbox synchronously, and cancels all pending requests. For signal handlers. */
  killAll(): void
  /** Cancels all pending requests, and leaves no process, thread, handle or listener. */
  close(): Promise<void>
}

interface StrikeRecord {
  strikes: number
  last: Failure
  /** End of the quarantine, on the clock of `performance.now()`. */
  untilMs: number
  /** True while a trial evaluation after the quarantine is under way. */
  isOnTrial: boolean
}

/** Suspends policies for a while after several failures in a row for time or memory. */
export class Quarantine {
  readonly #records = new Map<string, StrikeRecord>()

  /** Returns why a policy must not be evaluated, if so. After its quarantine, one trial evaluation decides. */
  admit(policy: PolicyRef): Failure | undefined {
    if (this.#records.size === 0) return undefined
    const record = this.#records.get(policyKey(policy))
    if (record === undefined || record.strikes < policyStrikesMax) return undefined
    const nowMs = performance.now()
    if (nowMs < record.untilMs) return quarantined(record)
    // Blocks further evaluations until this one has decided.
    record.untilMs = nowMs + limits.policyAnswerMsMax
    record.isOnTrial = true
    return undefined
  }

  /** Returns why a policy that was pending in a lost sandbox need not be retried, if so. */
  quarantineFailure(policy: PolicyRef): Failure | undefined {
    const record = this.#records.get(policyKey(policy))
    if (record === undefined || record.strikes < policyStrikesMax || record.isOnTrial) return undefined
    return quarantined(record)
  }

  /** Records the outcome of a policy's evaluation. */
  record(policy: PolicyRef, failure: Failure | undefined): void {
    if (this.#records.size === 0 && failure === undefined) return
    const key = policyKey(policy)
    if (failure === undefined) this.#records.delete(key)
    else if (isCostly(failure.code)) {
      const strikes = (this.#records.get(key)?.strikes ?? 0) + 1
      const untilMs = performance.now() + policyQuarantineMs
      this.#records.set(key, { strikes, last: failure, untilMs, isOnTrial: false })
    } else if (!hadNoChance(failure.code)) this.#records.delete(key)
  }

  forget(domain: number): void {
    for (const key of this.#records.keys()) if (key.startsWith(`${domain}:`)) this.#records.delete(key)
  }
}
/** Consecutive failures for time or memory after which a policy is quarantined. */
export const policyStrikesMax = 3
/** Duration of the quarantine: long enough to spare other policies, short enough that a guard soon works again. */
export const policyQuarantineMs = 60_000

const policyKey = ({ domain, policy }: PolicyRef) => `${domain}:${policy}`

function quarantined({ last: { code, message } }: StrikeRecord): Failure {
  const how = `quarantined for ${policyQuarantineMs / 1000} s after ${policyStrikesMax} failures in a row`
  return { code, message: `${how}: ${message}; fix it: a changed file is reloaded at once` }
}
