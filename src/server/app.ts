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
  /** Made by `createShared()`; all listeners of a gate share one. */
  readonly shared: Shared
  readonly version: string
  /**
   * Required of every request as `authorization: Bearer …`; `undefined` if reaching the socket is authorization enough.
   */
  readonly token: string | undefined
  readonly log: Log
  /**
   * Returns whether a caller with that environment has the gate's rules. Default: callers may not send an environment.
   */
  readonly sameRules?: (env: Caller['env']) => boolean
  /** Fields that `GET /healthz` returns besides `status`, `version` and `pid`. */
  readonly info?: () => JsonObject
  /** Called for every admitted request except those that only monitor: `/healthz` and `/metrics`. */
  readonly onActivity?: () => void
  /** Overrides of the values in `model/limits.ts`. */
  readonly limits?: Partial<HttpLimits>
}

/**
 * Creates the HTTP app of one listener, to listen on a Unix socket or a loopback address. Routes may be added before it
 * listens; the guard checks their requests too.
 *
 * Every response with a status of 400 and above is `{"error": {"code", "message", "remedy"}}` (`http/problem.ts`). If
 * an agent's event is malformed or the gate fails, the response is 200 with that agent's refusal; a caller that may not
 * ask at all gets 401, 403 or 409.
 *
 * `close()` ends the event streams and waits for requests in flight.
 */
export function createApp(options: AppOptions): FastifyInstance {
  const { gate, shared, version, log, onActivity, info = () => ({}) } = options
  const own: HttpLimits = { ...httpLimits, ...options.limits }
  const closing = new AbortController()
  // Only a backstop: `read-body.ts` has its own timer, after which the agent gets a refusal in its own protocol.
  const requestTimeout = own.headersMs + own.bodyMs + limits.graceMs

  const app: FastifyInstance = fastify({
    http: {
      maxHeaderSize: limits.httpHeaderBytesMax,
      headersTimeout: own.headersMs,
      requestTimeout,
      connectionsCheckingInterval: own.lateCheckMs,
      insecureHTTPParser: false,
      // `guard.ts` reports a missing `Host` itself, and HTTP/1.0 clients send none.
      requireHostHeader: false,
    },
    requestTimeout,
    keepAliveTimeout: own.idleMs,
    exposeHeadRoutes: false,
    // While closing, the gate refuses events in the agent's protocol: agents ignore a 503 and go ahead.
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => onClientError(error, socket, connections, shared.metrics, own),
    frameworkErrors(_error, _request, reply) {
      sendProblem(reply, badPath)
    },
  })
  // Headers are limited by bytes. Node silently drops headers over the count, and one of them may be `Origin`.
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
    // Bodies are read as JSON whatever their type: a client that sends no type or a wrong one still gets its answer.
    delete request.headers['content-type']
    if (!watchingPaths.has(request.routeOptions.url ?? '')) onActivity?.()
    done()
  })
  // The routes read the bodies, because each reports a bad one in its own way.
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
