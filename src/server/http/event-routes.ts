import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { agentNames } from '../../agents/registry.ts'
import type { AgentName } from '../../model/agents.ts'
import { streamEvents } from './event-stream.ts'
import type { Listener } from './listener.ts'
import { busy, requestMalformed, sendProblem } from './problem.ts'
import { receiveJson } from './receive-json.ts'

/** Returns the path for events that are only kept, not decided. */
const keepingPath = (agent: AgentName) => `/${agent.replace(/-(?:code|cli)$/, '')}-hook`

const Since = z.coerce.number().int().nonnegative()

/**
 * Adds the routes for kept events:
 *
 * - `POST /claude-hook`, `/cline-hook` and so on, one per agent, keep an event without deciding it, and answer 204.
 * - `GET /v1/events[?after=ID]` returns `{"events": [KeptEvent…], "lastId"}`, oldest first; `after` omits events up to
 *   that id. If `accept` contains `text/event-stream`, it streams new events, preceded by those after `after` or
 *   `last-event-id`.
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
    const requested = request.query.after ?? (isStream ? request.headers['last-event-id'] : undefined)
    const since = Since.safeParse(requested ?? (isStream ? events.lastId : 0))
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
    const streamOptions = { afterId: since.data, heartbeatMs: limits.heartbeatMs, signal }
    if (!streamEvents(reply.raw, events, streamOptions)) {
      metrics.rejected('busy')
      return sendProblem(reply, busy('it has no room for more event listeners'))
    }
    reply.raw.once('close', connections.hold(request.raw.socket))
    return reply.hijack()
  })
}
