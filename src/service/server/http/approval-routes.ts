import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { senderProofOf } from '../../../files/proof.ts'
import { isSameSecret } from '../../../files/state/keys.ts'
import type { Approvals } from '../../../gate/approvals/queue.ts'
import { type AnswerResult, ApprovalChannel, RequestAnswer } from '../../../model/approval.ts'
import { parseJsonOnce } from '../../../model/json.ts'
import { jsonText } from '../../../model/text.ts'
import { whyNoPerson } from '../answer-sender.ts'
import type { Listener } from './listener.ts'
import { type HttpProblem, requestMalformed, sendProblem } from './problem.ts'
import { receiveJson } from './receive.ts'

/** A person's answer, given at this machine. Answers from outside come by channels of the gate’s own. */
const LocalAnswer = RequestAnswer.extend({ channel: ApprovalChannel.exclude(['ntfy']) })

/** The answer as text, so that what is proved is what is read. */
const ProvedAnswer = z.strictObject({ answer: z.string(), proof: z.string(), pid: z.int().positive() })

/**
 * Adds the routes of a gate's socket for calls that wait for a person:
 *
 * - `GET /v1/approvals` returns `{"requests": [OpenRequest…]}`, the oldest first.
 * - `POST /v1/approvals` takes `{"answer": <a RequestAnswer as JSON text>, "proof", "pid"}` and returns an
 *   `AnswerResult`. The proof shows that its sender has read the gate's key (`senderProofOf`), and the process that the
 *   sender is a person's (`whyNoPerson`), which only an approval has to show.
 */
export function addApprovalRoutes(
  app: FastifyInstance,
  listener: Listener,
  approvals: Approvals,
  { key, folder }: { readonly key: string; readonly folder: string },
): void {
  app.get('/v1/approvals', (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(jsonText({ requests: approvals.open() })),
  )
  app.post('/v1/approvals', async (request, reply) => {
    const received = await receiveJson(listener, request, reply)
    if (received.kind === 'gone') return reply.hijack()
    if (received.kind === 'problem') return sendProblem(reply, received.problem)
    const proved = ProvedAnswer.safeParse(received.object).data
    if (proved === undefined) return sendProblem(reply, malformed)
    if (!isSameSecret(proved.proof, senderProofOf(key, proved.answer))) {
      listener.shared.metrics.rejected('unauthorized')
      return sendProblem(reply, notProved)
    }
    const given = answerIn(proved.answer)
    if (given === undefined) return sendProblem(reply, malformed)
    const why = given.answer === 'approve' ? whyNoPerson({ folder }, proved.proof, proved.pid) : undefined
    const result: AnswerResult = why === undefined ? approvals.answer(given) : { kind: 'noPerson', why }
    listener.log.info(
      { id: given.id, answer: given.answer, channel: given.channel, result: result.kind },
      'an approval',
    )
    return reply.type('application/json; charset=utf-8').send(jsonText(result))
  })
}

function answerIn(text: string): RequestAnswer | undefined {
  try {
    return LocalAnswer.safeParse(parseJsonOnce(text)).data
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
