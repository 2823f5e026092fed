import { errorText, isResourceExhausted } from '../../../model/errors.ts'
import type { Failure } from '../../../model/failure.ts'
import { limits } from '../../../model/limits.ts'
import { firstLine, sayable } from '../../../model/text.ts'
import type { Loss } from './sandbox.ts'

export const cancelled: Failure = { code: 'cancelled', message: 'the caller gave up on the event' }

/** Returns the failure of all jobs when no sandbox could be started. */
export function startFailure(error: unknown): Failure {
  const because = sayable(firstLine(errorText(error)))
  if (isResourceExhausted(because)) {
    return {
      code: 'exhausted',
      message: `the machine has no resources left to start the policies' sandbox: ${because}`,
    }
  }
  return { code: 'workerLost', message: `the policies' sandbox could not be started: ${because}` }
}

export function lostFailure(why: string): Failure {
  return { code: 'workerLost', message: `the policies' sandbox was lost: ${sayable(firstLine(why))}` }
}

/** Returns the failure of a policy that was evaluated alone when its sandbox was lost. */
export function failureAlone(loss: Loss): Failure {
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
