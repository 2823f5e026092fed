import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { agentNames } from '../../../agents/registry.ts'
import { HookgateError } from '../../../model/errors.ts'
import { isJsonObject, type JsonObject } from '../../../model/json.ts'
import { choiceOf, jsonText } from '../../../model/text.ts'
import { answerObject } from './answer-event.ts'
import { issuesOf } from './issues.ts'
import type { Listener } from './listener.ts'
import { busy, requestMalformed, sendProblem } from './problem.ts'
import { receiveJson } from './receive.ts'
import { undecided } from '../../../gate/combine/combine.ts'

const Question = z.strictObject({
  /** The event as its agent sends it. Not validated here: the agent's dialect does that. */
  event: z.custom<JsonObject>(isJsonObject, 'it must be an object'),
  agent: z.enum(agentNames).optional(),
})

const form = `send \`{"event": {…}, "agent": "${agentNames.join('" | "')}"}\`; \`agent\` is optional`

/**
 * Adds `POST /v1/decide`, which takes `{"event": <an agent's event>, "agent"?}` and returns the verdict as `hookgate
 * run --json` prints it. An event that cannot be decided also gets a verdict, a refusal with an `error` field; a
 * malformed request gets 400.
 */
export function addDecideRoute(app: FastifyInstance, listener: Listener): void {
  app.post('/v1/decide', async (request, reply) => {
    const received = await receiveJson(listener, request, reply)
    if (received.kind === 'gone') return reply.hijack()
    if (received.kind === 'problem') return sendProblem(reply, received.problem)
    const question = Question.safeParse(received.object)
    if (!question.success) {
      listener.shared.metrics.rejected('malformed')
      return sendProblem(reply, requestMalformed(`the question is malformed: ${issuesOf(question.error)}`, form))
    }
    const { pass, signal } = received
    if (!pass.begin()) {
      listener.shared.metrics.rejected('busy')
      return sendProblem(reply, busy(`${listener.shared.admission.requestsMax} events are being decided`))
    }
    const answered = await answerObject(listener, question.data.event, question.data.agent, signal, {
      who: listener.whoAsks?.(request.raw),
    })
    if (answered === undefined) return reply.hijack()
    const shown = answered.verdict ?? undecided(asField(answered.error))
    return reply.type('application/json; charset=utf-8').send(jsonText(shown))
  })
}

/** Rewords the remedy of `agentUnknown` for this route: the original names the command line's flag. */
function asField(error: unknown): unknown {
  if (!(error instanceof HookgateError) || error.code !== 'agentUnknown') return error
  const remedy = `name it in the field \`agent\`: ${choiceOf(agentNames)}`
  return new HookgateError(error.code, error.message, { remedy })
}
