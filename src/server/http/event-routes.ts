import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { agentNames } from '../../agents/registry.ts'
import type { AgentName } from '../../model/agents.ts'
import { streamEvents } from './event-stream.ts'
import type { Listener } from './listener.ts'
import { busy, requestMalformed, sendProblem } from './problem.ts'
import { receiveJson } from './receive-json.ts'

/** Where events are sent that are only to be kept. */
const keepingPath = (agent: AgentName) => `/${agent.replace(/-(?:code|cli)$/, '')}-hook`

const Since = z.coerce.number().int().nonnegative()

/**
 * - `POST /claude-hook`, `/cline-hook` and so on for every agent: an event that is kept and not decided; 204.
 * - `GET /v1/events[?after=ID]`: `{"events": [KeptEvent…], "lastId"}`, the oldest first; `after` leaves out what is known.
 *   Where `accept` wants `text/event-stream`, the events to come, and those after `after` or `last-event-id` ahead of them.
 */
export function addEventRoutes(app: FastifyInstance, listener: Listener): void {
  const { events, metrics } = listener.shared
  for (const agent of agentNames) {
    app.post(keepingPath(agent), async (request, reply) => {
      const received = await receiveJson(listener, request, reply)
      if (received.kind === 'gone') return reply.hijack()
      if (received.kind === 'problem') return sendProblem(reply, received.problem)
      events.keepEmitted(agent, received.object)
      return reply.code(204).send()
    })
  }

  app.get<{ Querystring: { readonly after?: unknown } }>('/v1/events', (request, reply) => {
    const isStream = request.headers.accept?.includes('text/event-stream') ?? false
    const said = request.query.after ?? (isStream ? request.headers['last-event-id'] : undefined)
    const since = Since.safeParse(said ?? (isStream ? events.lastId : 0))
    if (!since.success) {
      metrics.rejected('malformed')
      return sendProblem(reply, requestMalformed('`after` is not an event id', 'give a whole number, 0 or higher'))
    }
    if (!isStream) {
      const list = events.after(since.data).map(({ json }) => json)
      return reply
        .type('application/json; charset=utf-8')
        .send(`{"events":[${list.join(',')}],"lastId":${events.lastId}}\n`)
    }
    const { closing: signal, limits, connections } = listener
    const wanted = { afterId: since.data, heartbeatMs: limits.heartbeatMs, signal }
    if (!streamEvents(reply.raw, events, wanted)) {
      metrics.rejected('busy')
      return sendProblem(reply, busy('it has no room for more event listeners'))
    }
    reply.raw.once('close', connections.hold(request.raw.socket))
    return reply.hijack()
  })
}
