import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { errorText } from '../../../model/errors.ts'
import { type JsonObject, nestsDeeperThan } from '../../../model/json.ts'
import { limits } from '../../../model/limits.ts'
import { jsonText } from '../../../model/text.ts'
import type { Verdict } from '../../../model/verdict.ts'
import { answerObject, type Asker } from '../http/answer-event.ts'
import { issuesOf } from '../http/issues.ts'
import type { Listener } from '../http/listener.ts'
import { busy } from '../http/problem.ts'
import { receiveJson } from '../http/receive.ts'
import { sendText } from './admit.ts'
import { askedCall, AuthzenEvaluation } from './authzen-call.ts'

/** One answer of the Authorization API. */
interface AuthzenAnswer {
  readonly decision: boolean
  readonly context: JsonObject
}

const Defaults = AuthzenEvaluation.partial()
const Semantic = z.enum(['execute_all', 'deny_on_first_deny', 'permit_on_first_permit'])
const Evaluations = z.strictObject({
  ...Defaults.shape,
  evaluations: z.array(Defaults).max(limits.authzenEvaluationsMax).optional(),
  // The specification leaves other options open.
  options: z.looseObject({ evaluations_semantic: Semantic.optional() }).optional(),
})

/**
 * Adds the AuthZEN Authorization API: `POST /access/v1/evaluation`, `POST /access/v1/evaluations`, and where they are.
 *
 * A refusal and a question are `false`, and no opinion is `true`: `context.effect` says which. What is about the whole
 * request is an error with its status; what is about one evaluation is `false`, with `context.error`.
 */
export function addAuthzenRoutes(app: FastifyInstance, listener: Listener): void {
  app.get('/.well-known/authzen-configuration', (request, reply) => {
    const scheme = request.raw.socket.localPort === undefined || !('encrypted' in request.raw.socket) ? 'http' : 'https'
    const base = `${scheme}://${request.raw.headers.host ?? 'localhost'}`
    return reply.type(json).send(
      jsonText({
        policy_decision_point: base,
        access_evaluation_endpoint: `${base}/access/v1/evaluation`,
        access_evaluations_endpoint: `${base}/access/v1/evaluations`,
      }),
    )
  })

  app.post('/access/v1/evaluation', (request, reply) =>
    answering(listener, request, reply, AuthzenEvaluation, (evaluation, asker, signal) =>
      decided(listener, evaluation, asker, signal),
    ),
  )

  app.post('/access/v1/evaluations', (request, reply) =>
    answering(listener, request, reply, Evaluations, async (asked, asker, signal) => {
      const { evaluations = [], options, ...defaults } = asked
      if (evaluations.length === 0) return decidedPart(listener, defaults, asker, signal)
      const parts = evaluations.map((one) => Object.assign({}, defaults, one))
      const semantic = options?.evaluations_semantic ?? 'execute_all'
      const answers = await inTurn(parts, semantic, (part) => decidedPart(listener, part, asker, signal))
      return answers === undefined ? undefined : { evaluations: answers }
    }),
  )
}

const json = 'application/json; charset=utf-8'
/** Reads a request, and sends what `answer` makes of it; `undefined` if the client has gone. */
async function answering<Schema extends z.ZodType>(
  listener: Listener,
  request: FastifyRequest,
  reply: FastifyReply,
  schema: Schema,
  answer: (asked: z.infer<Schema>, asker: Asker, signal: AbortSignal) => Promise<object | undefined>,
): Promise<FastifyReply> {
  const received = await receiveJson(listener, request, reply)
  if (received.kind === 'gone') return reply.hijack()
  if (received.kind === 'problem') return sendText(reply, received.problem)
  const isTooDeep = nestsDeeperThan(received.object, limits.jsonDepthMax)
  const asked = isTooDeep ? undefined : schema.safeParse(received.object)
  if (asked?.success !== true) {
    listener.shared.metrics.rejected('malformed')
    const why = asked === undefined ? `it is nested deeper than ${limits.jsonDepthMax} levels` : issuesOf(asked.error)
    const message = `the request is malformed: ${why}`
    return sendText(reply, { status: 400, message, remedy: 'see the AuthZEN Authorization API 1.0' })
  }
  const { pass, signal } = received
  if (!pass.begin()) {
    listener.shared.metrics.rejected('busy')
    return sendText(reply, busy(`${listener.shared.admission.requestsMax} requests are being answered`))
  }
  const answered = await answer(asked.data, { who: listener.whoAsks?.(request.raw) }, signal)
  return answered === undefined ? reply.hijack() : reply.type(json).send(jsonText(answered))
}

/** Decides one after the other as far as the semantic goes, or all at once. */
async function inTurn<Part>(
  parts: readonly Part[],
  semantic: z.infer<typeof Semantic>,
  decide: (part: Part) => Promise<AuthzenAnswer | undefined>,
): Promise<readonly AuthzenAnswer[] | undefined> {
  if (semantic === 'execute_all') {
    const all = await Promise.all(parts.map(decide))
    const answers = all.flatMap((one) => one ?? [])
    return answers.length === parts.length ? answers : undefined
  }
  const answers: AuthzenAnswer[] = []
  for (const part of parts) {
    // oxlint-disable-next-line no-await-in-loop -- whether the next is decided depends on this one
    const answer = await decide(part)
    if (answer === undefined) return undefined
    answers.push(answer)
    if (answer.decision === (semantic === 'permit_on_first_permit')) break
  }
  return answers
}

async function decidedPart(
  listener: Listener,
  part: z.infer<typeof Defaults>,
  asker: Asker,
  signal: AbortSignal,
): Promise<AuthzenAnswer | undefined> {
  const whole = AuthzenEvaluation.safeParse(part)
  return whole.success ? decided(listener, whole.data, asker, signal) : failed(400, issuesOf(whole.error))
}

async function decided(
  listener: Listener,
  evaluation: AuthzenEvaluation,
  asker: Asker,
  signal: AbortSignal,
): Promise<AuthzenAnswer | undefined> {
  const call = askedCall(evaluation)
  if ('why' in call) return failed(400, call.why)
  const { wire, agent, onBehalfOf } = call
  const settled = { ...asker, onBehalfOf, as: agent }
  const answered = await answerObject(listener, wire, 'claude-code', signal, settled)
  if (answered === undefined) return undefined
  return answered.verdict === undefined ? failed(500, errorText(answered.error)) : answerOf(answered.verdict)
}

/** A decision that is missing is `false`. */
const failed = (status: number, message: string): AuthzenAnswer => ({
  decision: false,
  context: { effect: 'deny', error: { status, message } },
})

/** INVARIANT: an obligation that cannot be said here makes the answer `false`. */
function answerOf({ decision, reason, determining, obligations, id }: Verdict): AuthzenAnswer {
  const [obligation] = obligations
  const isUnsaid = decision !== 'deny' && obligation !== undefined
  const effect = isUnsaid ? 'deny' : decision
  const unsaid = `a rule demands \`${obligation?.kind ?? ''}\`, which cannot be expressed here`
  const reasons = [reason, ...(isUnsaid ? [unsaid] : [])].filter((one) => one !== '')
  return {
    decision: effect === 'allow' || effect === 'abstain',
    context: {
      effect,
      ...(reasons.length > 0 && { reason: reasons.join('\n') }),
      determining: [...determining],
      ...(id !== undefined && { id }),
    },
  }
}
