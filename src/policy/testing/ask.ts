import { HookgateError } from '../../model/errors.ts'
import { lacksSandbox } from '../../model/failure.ts'
import type { PolicyPort, PolicyRequest, PolicyResult } from '../../model/policy.ts'

/** Returns true for an infrastructure failure, for which the policy is not responsible. */
export function isInfrastructureFailure(result: PolicyResult): boolean {
  return 'failure' in result && lacksSandbox(result.failure.code)
}

/**
 * Evaluates one policy. Throws if the sandbox was lost: taken for an answer, that would count as a detected mutant.
 *
 * @throws HookgateError `internal` if the sandbox is not available
 */
export async function evaluateOne(policies: PolicyPort, request: PolicyRequest): Promise<PolicyResult> {
  const [result] = await policies.evaluate(request)
  if (result === undefined) throw new HookgateError('internal', 'the sandbox did not answer for a policy')
  if ('failure' in result && isInfrastructureFailure(result)) {
    throw new HookgateError('internal', `the sandbox was lost: ${result.failure.message}`, { remedy: 'try again' })
  }
  return result
}
