import { type FastifyInstance, fastify } from 'fastify'
import type { Caller, Gate } from '../gate.ts'
import type { JsonObject } from '../model/json.ts'
import { limits } from '../model/limits.ts'
import { addAgentRoutes } from './http/agent-routes.ts'
import { onClientError, refuseTunnels } from './http/client-errors.ts'
import { boundConnections } from './http/connections.ts'
import { addDecideRoute } from './http/decide-route.ts'
import { addEventRoutes } from './http/event-routes.ts'
import { guardFor } from './http/guard.ts'
import { type HttpLimits, httpLimits } from './http/limits.ts'
import type { Listener } from './http/listener.ts'
import { sendProblem } from './http/problem.ts'
import type { Shared } from './http/shared.ts'
import { addStatusRoutes } from './http/status-routes.ts'
import { addWrongRoutes, badPath } from './http/wrong-routes.ts'
import type { Log } from './log.ts'

export interface AppOptions {
  readonly gate: Gate
  /** Of `createShared()`: one for all listeners of a gate. */
  readonly shared: Shared
  readonly version: string
  /** What every request must bring as `authorization: Bearer …`; `undefined` where who reaches the socket may ask. */
  readonly token: string | undefined
  readonly log: Log
  /** Whether the rules of a caller with that environment are the gate's. Default: no caller may tell its environment. */
  readonly sameRules?: (env: Caller['env']) => boolean
  /** What `GET /healthz` tells besides `status`, `version` and `pid`. */
  readonly info?: () => JsonObject
  /** Called for every request that is let in, but for those that only watch: `/healthz` and `/metrics`. */
  readonly onActivity?: () => void
  /** Default: those of `model/limits.ts`. */
  readonly limits?: Partial<HttpLimits>
}

/**
 * The gate's HTTP, for one listener: listen on a Unix socket or on a loopback address. More routes may be added before it
 * listens; who asks is checked for them too.
 *
 * Every answer with a status of 400 and above is `{"error": {"code", "message", "remedy"}}` (`http/problem.ts`). Where an
 * agent's event is wrong, or the gate is, the answer is 200 with that agent's refusal; who may not ask at all is told by
 * 401, 403 or 409.
 *
 * `close()` ends the streams of events and waits for what is under way.
 */
export function createApp(options: AppOptions): FastifyInstance {
  const { gate, shared, version, log, onActivity, info = () => ({}) } = options
  const own: HttpLimits = { ...httpLimits, ...options.limits }
  const closing = new AbortController()
  // Only the backstop: `read-body.ts` has its own clock, and refuses in the agent's words.
  const requestTimeout = own.headersMs + own.bodyMs + limits.graceMs

  const app: FastifyInstance = fastify({
    http: {
      maxHeaderSize: limits.httpHeaderBytesMax,
      headersTimeout: own.headersMs,
      requestTimeout,
      connectionsCheckingInterval: own.lateCheckMs,
      insecureHTTPParser: false,
      // `guard.ts` tells what is missing, and a client of HTTP/1.0 has none.
      requireHostHeader: false,
    },
    requestTimeout,
    keepAliveTimeout: own.idleMs,
    exposeHeadRoutes: false,
    // While it closes, an agent is refused by the gate, in its own words, and not by a status that it reads over.
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => onClientError(error, socket, connections, shared.metrics, own),
    frameworkErrors(_error, _request, reply) {
      sendProblem(reply, badPath)
    },
  })
  // Limited by their bytes. Node leaves out what is over the count without a word, and it may be the `Origin`.
  app.server.maxHeadersCount = 0
  const connections = boundConnections(app.server, own.connectionsMax, () => shared.metrics.rejected('busy'))
  refuseTunnels(app.server, shared.metrics)

  const guard = guardFor({ token: options.token, version })
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ 'hookgate-version': version, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    const problem = guard(request.raw)
    if (problem !== undefined) {
      shared.metrics.rejected(problem.rejection)
      log.warn({ code: problem.code, route: request.routeOptions.url ?? 'none' }, problem.message)
      sendProblem(reply, problem)
      return
    }
    // Bodies are JSON whatever they are called: a client that names no type, or a wrong one, is to get its answer.
    delete request.headers['content-type']
    if (!watchingPaths.has(request.routeOptions.url ?? '')) onActivity?.()
    done()
  })
  // Bodies are read by the routes, which know what to say of one that is wrong.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.addHook('preClose', (done) => {
    closing.abort()
    done()
  })

  const listener: Listener = {
    gate,
    shared,
    limits: own,
    connections,
    log,
    version,
    info,
    closing: closing.signal,
    sameRules: options.sameRules,
  }
  addAgentRoutes(app, listener)
  addDecideRoute(app, listener)
  addEventRoutes(app, listener)
  addStatusRoutes(app, listener)
  addWrongRoutes(app, listener)
  return app
}

const watchingPaths: ReadonlySet<string> = new Set(['/healthz', '/metrics'])
