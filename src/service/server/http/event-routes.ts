import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { agentNames } from '../../../agents/registry.ts'
import type { AgentName } from '../../../model/event.ts'
import type { EventLog } from './event-log.ts'
import type { Listener } from './listener.ts'
import { busy, requestMalformed, sendProblem } from './bad-requests.ts'
import { receiveJson } from './receive.ts'

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
      return reply.type('application/json; charset=utf-8').send(eventsText(events, since.data))
    }
    const { closing: signal, limits } = listener
    const streamOptions = { afterId: since.data, heartbeatMs: limits.heartbeatMs, signal }
    if (!streamEvents(reply.raw, events, streamOptions)) {
      metrics.rejected('busy')
      return sendProblem(reply, busy('it has no room for more event listeners'))
    }
    return reply.hijack()
  })
}

/** Returns the kept events with a greater id, as JSON. */
export const eventsText = (events: EventLog, afterId: number): string =>
  `{"events":[${events
    .after(afterId)
    .map(({ json }) => json)
    .join(',')}],"lastId":${events.lastId}}\n`

/**
 * Streams kept events after `afterId`, and new ones as they come, as server-sent events until the client disconnects or
 * `signal` aborts. `id:` is the event's id, `data:` the JSON of a `KeptEvent`.
 *
 * INVARIANT: nothing is buffered for a client beyond what the system accepts. A client has a position in the log; it is
 * dropped if the log no longer holds that position, or if it reads nothing from one heartbeat to the next.
 *
 * @returns whether there was room for another listener; if not, nothing was sent
 */
function streamEvents(
  response: ServerResponse,
  events: EventLog,
  {
    afterId,
    heartbeatMs,
    signal,
  }: { readonly afterId: number; readonly heartbeatMs: number; readonly signal: AbortSignal },
): boolean {
  // Events dropped before the client came show as a gap in the ids. An id beyond `lastId` is from another gate's log.
  let sentId = afterId > events.lastId ? events.lastId : Math.max(afterId, events.firstId - 1)
  let waiting = false
  let stuckBeats = 0

  function sendNew(): void {
    if (sentId < events.firstId - 1) {
      drop()
      return
    }
    if (waiting) return
    for (const { id, json } of events.after(sentId)) {
      sentId = id
      waiting = !response.write(`id: ${id}\ndata: ${json}\n\n`)
      if (waiting) return
    }
  }

  function beat(): void {
    stuckBeats = waiting ? stuckBeats + 1 : 0
    if (stuckBeats > 1) drop()
    else if (!waiting) waiting = !response.write(': nothing new\n\n')
  }

  const unlisten = events.listen(sendNew)
  if (unlisten === undefined) return false
  const heart = setInterval(beat, heartbeatMs)
  const onDrain = () => {
    waiting = false
    sendNew()
  }
  /** INVARIANT: nothing is written after this: no one would handle the error. */
  function stop(): void {
    unlisten?.()
    clearInterval(heart)
    response.off('drain', onDrain)
    signal.removeEventListener('abort', end)
  }
  function drop(): void {
    stop()
    response.destroy()
  }
  function end(): void {
    stop()
    if (waiting) response.destroy()
    else response.end()
  }
  response.on('drain', onDrain)
  response.once('close', stop)
  signal.addEventListener('abort', end)
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    connection: 'close',
  })
  response.flushHeaders()
  sendNew()
  return true
}
