import { userInfo } from 'node:os'
import type { OpenRequest, RequestAnswer } from '../../../model/approval.ts'
import { limits } from '../../../model/limits.ts'

/** Makes the answer of the person at this terminal to a request that they were shown. */
export function answerFor(
  { id, call }: OpenRequest,
  { answer, reason }: Pick<RequestAnswer, 'answer' | 'reason'>,
): RequestAnswer {
  const by = userName()
  return {
    id,
    call,
    answer,
    channel: 'terminal',
    ...(by !== undefined && { by }),
    ...(reason !== undefined && { reason }),
  }
}

/** A user without an entry in the system's list has no name. */
function userName(): string | undefined {
  try {
    return userInfo().username.slice(0, limits.approvalNameCharactersMax)
  } catch {
    return undefined
  }
}
