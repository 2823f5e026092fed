import type { PolicyCall, PolicyRequest, PolicyResult } from '../../../model/policy.ts'
import type { PolicyRunner } from './policy-runner.ts'
import { PolicyCalls } from '../../../model/policy-calls.ts'

/** A runner with one kind of sandbox. */
export interface SingleRunner extends PolicyRunner {
  /** Returns true if it has loaded the domain. */
  holds(domain: number): boolean
}

/**
 * Combines two runners: trusted policies are evaluated on the calling thread, all others in a process.
 *
 * INVARIANT: policies are never evaluated on the calling thread unless they were loaded as trusted ones.
 */
export function byTrust(caller: SingleRunner, process: SingleRunner): PolicyRunner {
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
