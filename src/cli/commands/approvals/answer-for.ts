import { userName } from '../../../files/user-name.ts'
import type { OpenRequest, RequestAnswer } from '../../../model/approval.ts'

/** Makes the answer of the person at this terminal to a request that they were shown. */
export function answerFor(
  { id, call }: Pick<OpenRequest, 'id' | 'call'>,
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
