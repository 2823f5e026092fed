import { z } from 'zod'
import { senderProofOf } from '../../files/proof.ts'
import { isSameSecret } from '../../files/state/keys.ts'
import type { Approvals } from '../../gate/approvals/queue.ts'
import { type AnswerResult, ApprovalChannel, type OpenRequest, RequestAnswer } from '../../model/approval.ts'
import { parseJsonOnce } from '../../model/json.ts'
import { whyNoPerson } from './answer-sender.ts'
import { type HttpProblem, requestMalformed } from './http/bad-requests.ts'
import type { Log } from './log-file.ts'

/** A person's answer, given at this machine. Answers from outside come by channels of the gate’s own. */
const LocalAnswer = RequestAnswer.extend({ channel: ApprovalChannel.exclude(['ntfy']) })

/** The answer as text, so that what is proved is what is read. */
const ProvedAnswer = z.strictObject({ answer: z.string(), proof: z.string(), pid: z.int().positive() })

/** The calls that wait for a person, for commands and the page of this machine. */
export interface CommandApprovals {
  /** Returns them, the oldest first. */
  open(): readonly OpenRequest[]
  /**
   * Takes `{"answer": <a RequestAnswer as JSON text>, "proof", "pid"}`. The proof shows that its sender has read the gate's
   * key (`senderProofOf`), and the process that the sender is a person's (`whyNoPerson`), which only an approval has to
   * show.
   */
  answer(text: string): AnswerResult | HttpProblem
}

export function openLocalApprovals(
  approvals: Approvals,
  log: Log,
  { key, folder }: { readonly key: string; readonly folder: string },
): CommandApprovals {
  return {
    open: () => approvals.open(),
    answer(text) {
      const proved = parsed(ProvedAnswer, text)
      if (proved === undefined) return malformed
      if (!isSameSecret(proved.proof, senderProofOf(key, proved.answer))) return notProved
      const given = parsed(LocalAnswer, proved.answer)
      if (given === undefined) return malformed
      const why = given.answer === 'approve' ? whyNoPerson({ folder }, proved.proof, proved.pid) : undefined
      const result: AnswerResult = why === undefined ? approvals.answer(given) : { kind: 'noPerson', why }
      log.info({ id: given.id, answer: given.answer, channel: given.channel, result: result.kind }, 'an approval')
      return result
    },
  }
}

function parsed<T>(schema: z.ZodType<T>, text: string): T | undefined {
  try {
    return schema.safeParse(parseJsonOnce(text)).data
  } catch {
    return undefined
  }
}

const malformed = requestMalformed('this is no answer to a request for approval', 'run `hookgate approvals`')

const notProved: HttpProblem = {
  status: 401,
  code: 'unauthorized',
  message: 'an answer to a request for approval has to prove that it comes from hookgate’s own command or page',
  remedy: 'run `hookgate approvals` in a terminal, or open `hookgate ui`',
}
