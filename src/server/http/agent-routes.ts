import type { FastifyInstance } from 'fastify'
import { httpBody } from '../../agents/http-body.ts'
import { agentNames } from '../../agents/registry.ts'
import { answerEvent } from './answer-event.ts'
import { callerBytes, callerRefused } from './caller.ts'
import type { Listener } from './listener.ts'
import { sendProblem } from './problem.ts'

// An agent that finds its kept connection closed just when it asks sees a failed hook, and goes ahead. So none is kept: a
// new one was measured to cost 0.2 ms.
const forAgents = { connection: 'close' }

/**
 * - `POST /<agent>`: that agent's event in, its answer as an HTTP hook gives it out: 200 with its JSON or nothing.
 * - `POST /v1/hook/<agent>`: the same for whoever stands where a command hook stands: 200, the bytes of stdout and behind
 *   them the bytes of stderr, of which `hookgate-stderr-bytes` tells how many they are; `hookgate-exit-code`. At the
 *   socket, the sender's own folder and environment may stand ahead of the event (`caller.ts`), which is decided there.
 */
export function addAgentRoutes(app: FastifyInstance, listener: Listener): void {
  for (const agent of agentNames) {
    app.post(`/${agent}`, async (request, reply) => {
      const answer = await answerEvent(listener, request, reply, { agent, callerBytes: 0 })
      if (answer === undefined) return reply.hijack()
      if ('status' in answer) return sendProblem(reply, answer)
      return reply
        .headers(forAgents)
        .type('application/json; charset=utf-8')
        .send(httpBody(agent, answer, answer.event?.name))
    })
    app.post(`/v1/hook/${agent}`, async (request, reply) => {
      const ahead = callerBytes(request.raw)
      const wrong = ahead !== 0 && listener.sameRules === undefined ? callerRefused : ahead
      if (typeof wrong !== 'number') {
        listener.shared.metrics.rejected('malformed')
        return sendProblem(reply, wrong)
      }
      const answer = await answerEvent(listener, request, reply, { agent, callerBytes: wrong })
      if (answer === undefined) return reply.hijack()
      if ('status' in answer) return sendProblem(reply, answer)
      const stderr = Buffer.from(answer.stderr)
      return reply
        .type('application/octet-stream')
        .headers({ ...forAgents, 'hookgate-exit-code': answer.exitCode, 'hookgate-stderr-bytes': stderr.length })
        .send(Buffer.concat([Buffer.from(answer.stdout), stderr]))
    })
  }
}
