import type { FastifyInstance } from 'fastify'
import { httpBody } from '../../../agents/index.ts'
import { agentNames } from '../../../agents/registry.ts'
import { answerEvent } from './answer-event.ts'
import { callerBytes, callerRefused } from './caller.ts'
import type { Listener } from './listener.ts'
import { sendProblem } from './problem.ts'

// No keep-alive: an agent that reuses a connection just as it is closed sees a failed hook, and goes ahead. A new
// connection costs 0.2 ms (measured).
const forAgents = { connection: 'close' }

/**
 * Adds two routes for each agent:
 *
 * - `POST /<agent>` takes that agent's event and answers as an HTTP hook does: 200, with the agent's JSON or nothing.
 * - `POST /v1/hook/<agent>` serves clients that replace a command hook. It answers 200 with the bytes of stdout, then
 *   those of stderr. `hookgate-stderr-bytes` is the length of the latter, and `hookgate-exit-code` the exit code. At
 *   the socket, the body may start with the sender's working folder and environment (`caller.ts`), in which the event
 *   is then decided.
 */
export function addAgentRoutes(app: FastifyInstance, listener: Listener): void {
  for (const agent of agentNames) {
    app.post(`/${agent}`, async (request, reply) => {
      const answer = await answerEvent(listener, request, reply, { agent, callerBytes: 0, channel: 'response' })
      if (answer === undefined) return reply.hijack()
      if ('status' in answer) return sendProblem(reply, answer)
      return reply
        .headers(forAgents)
        .type('application/json; charset=utf-8')
        .send(httpBody(answer.event?.agent ?? agent, answer, answer.event?.name))
    })
    app.post(`/v1/hook/${agent}`, async (request, reply) => {
      const announced = callerBytes(request.raw)
      const bytesAhead = announced !== 0 && listener.sameRules === undefined ? callerRefused : announced
      if (typeof bytesAhead !== 'number') {
        listener.shared.metrics.rejected('malformed')
        return sendProblem(reply, bytesAhead)
      }
      const answer = await answerEvent(listener, request, reply, { agent, callerBytes: bytesAhead, channel: 'process' })
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
