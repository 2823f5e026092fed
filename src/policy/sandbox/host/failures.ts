import { errorText } from '../../../model/errors.ts'
import type { Failure } from '../../../model/failure.ts'
import { firstLine, sayable } from '../../../model/text.ts'
import { isResourceExhausted } from '../../../model/resource-exhausted.ts'

export const cancelled: Failure = { code: 'cancelled', message: 'the caller gave up on the event' }

/** Why no sandbox could be started. */
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

export function lost(why: string): Failure {
  return { code: 'workerLost', message: `the policies' sandbox was lost: ${sayable(firstLine(why))}` }
}

/** The same with the file of the policy it is about. */
export function placed({ code, message }: Failure, file: string | undefined): Failure {
  return { code, message: file === undefined ? message : `${file}: ${message}` }
}
