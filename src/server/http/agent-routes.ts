import type { FastifyInstance } from 'fastify'
import { httpBody } from '../../dialect/http-body.ts'
import { AgentName } from '../../model/agents.ts'
import { answerEvent } from './answer-event.ts'
import type { Listener } from './listener.ts'

// An agent that finds its kept connection closed just when it asks sees a failed hook, and goes ahead. So none is kept: a
// new one was measured to cost 0.2 ms.
const forAgents = { connection: 'close' }

/**
 * - `POST /<agent>`: that agent's event in, its answer as an HTTP hook gives it out: 200 with its JSON or nothing.
 * - `POST /v1/hook/<agent>`: the same for whoever stands where a command hook stands: 200, the bytes of stdout and behind
 *   them the bytes of stderr, of which `hookgate-stderr-bytes` tells how many they are; `hookgate-exit-code`.
 */
export function addAgentRoutes(app: FastifyInstance, listener: Listener): void {
  for (const agent of AgentName.options) {
    app.post(`/${agent}`, async (request, reply) => {
      const answer = await answerEvent(listener, request, reply, agent)
      if (answer === undefined) return reply.hijack()
      return reply
        .headers(forAgents)
        .type('application/json; charset=utf-8')
        .send(httpBody(agent, answer, answer.event?.name))
    })
    app.post(`/v1/hook/${agent}`, async (request, reply) => {
      const answer = await answerEvent(listener, request, reply, agent)
      if (answer === undefined) return reply.hijack()
      const stderr = Buffer.from(answer.stderr)
      return reply
        .type('application/octet-stream')
        .headers({ ...forAgents, 'hookgate-exit-code': answer.exitCode, 'hookgate-stderr-bytes': stderr.length })
        .send(Buffer.concat([Buffer.from(answer.stdout), stderr]))
    })
  }
}
