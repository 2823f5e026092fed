import { HookgateError } from '../../model/errors.ts'
import type { PolicyPort, PolicyRequest, PolicyResult } from '../../model/policy.ts'

/** Whether a policy was not heard, which is not its own doing. */
export function isNobodysFault(result: PolicyResult): boolean {
  return 'failure' in result && ['workerLost', 'exhausted', 'spawnFailed', 'cancelled'].includes(result.failure.code)
}

/**
 * Asks one policy. A sandbox that was lost is no answer of its: taken for one, it would pass for a change that was noticed.
 *
 * @throws HookgateError `internal` where the sandbox cannot be had
 */
export async function askPolicy(policies: PolicyPort, request: PolicyRequest): Promise<PolicyResult> {
  const [result] = await policies.evaluate(request)
  if (result === undefined) throw new HookgateError('internal', 'the sandbox did not answer for a policy')
  if ('failure' in result && isNobodysFault(result)) {
    throw new HookgateError('internal', `the sandbox was lost: ${result.failure.message}`, { remedy: 'try again' })
  }
  return result
}
