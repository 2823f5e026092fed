import { HookgateError } from '../model/errors.ts'
import type { PolicyPort, PolicyRequest, PolicyResult } from '../model/policy.ts'

/**
 * Asks policies. A sandbox that was lost is no answer of theirs: taken for one, it would pass for a change that was noticed.
 *
 * @throws HookgateError `internal` where the sandbox cannot be had
 */
export async function askPolicies(policies: PolicyPort, request: PolicyRequest): Promise<readonly PolicyResult[]> {
  const results = await policies.evaluate(request)
  for (const result of results) {
    if ('failure' in result && isNobodysFault(result.failure.code)) {
      throw new HookgateError('internal', `the sandbox was lost: ${result.failure.message}`, { remedy: 'try again' })
    }
  }
  return results
}

const isNobodysFault = (code: string) => ['workerLost', 'exhausted', 'spawnFailed', 'cancelled'].includes(code)

/** Asks one policy. */
export async function askPolicy(policies: PolicyPort, request: PolicyRequest): Promise<PolicyResult> {
  const [result] = await askPolicies(policies, request)
  if (result === undefined) throw new HookgateError('internal', 'a policy was asked and the sandbox did not answer')
  return result
}
