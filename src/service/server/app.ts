import { constants } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { Socket } from 'node:net'
import { type FastifyInstance, fastify } from 'fastify'
import type { Caller, Gate } from '../../gate/gate.ts'
import type { JsonObject } from '../../model/json.ts'
import { limits } from '../../model/limits.ts'
import { addAgentRoutes, addDecideRoute } from './http/answer-event.ts'
import {
  addWrongRoutes,
  badPath,
  endWith,
  onClientError,
  refuseTunnels,
  busy,
  sendProblem,
} from './http/bad-requests.ts'
import { boundConnections, boundHandshakes, type Connections } from './http/connections.ts'
import { addEventRoutes } from './http/event-routes.ts'
import { guardFor } from './http/guard.ts'
import {
  type HttpLimits,
  httpLimits,
  type Listener,
  openReadiness,
  type ReadinessLook,
  type Shared,
} from './http/listener.ts'
import { addHealthRoutes, addStatusRoutes } from './http/status-routes.ts'
import { answerFramed, commandAnswers, splitConnections } from './framed.ts'
import type { GateStatus } from './gate-status.ts'
import { openLocalApprovals } from './local-approvals.ts'
import type { Log } from './log-file.ts'
import { addAuthzenRoutes, admitProved, returnRequestId, whoAsks } from './remote/authzen-routes.ts'
import type { RemoteListening, TlsTexts } from './remote/listen-remote.ts'

/** What a gate's socket has beside HTTP. */
interface FramedApp {
  /** The key by which answers prove that they come from this gate, and its folder. */
  readonly key: string
  readonly folder: string
  readonly status: () => Promise<unknown>
  readonly drain: () => void
}

export interface AppOptions {
  readonly gate: Gate
  /** Made by `createShared()`; all listeners of a gate share one. */
  readonly shared: Shared
  readonly version: string
  /**
   * Required of every request as `authorization: Bearer …`; `undefined` if reaching the socket is authorization enough.
   */
  readonly token: string | undefined
  /** TLS, and who may ask, for a listener that other machines reach. Default: it is for this machine. */
  readonly remote?: RemoteListening
  /** Default: ready while its rules are loaded. */
  readonly readiness?: ReadinessLook
  /** What answers frames, for the socket. Default: only HTTP is spoken. */
  readonly framed?: FramedApp
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
  const { gate, shared, version, log, info = () => ({}), remote } = options
  const { metrics } = shared
  const own: HttpLimits = { ...httpLimits, ...options.limits }
  const closing = new AbortController()
  let onFramed: ((socket: Socket) => Promise<void>) | undefined
  const app: FastifyInstance = fastify({
    ...serverOptions(own, remote?.tls),
    clientErrorHandler: (error, socket) => onClientError(error, socket, connections, metrics, own),
    frameworkErrors: (_error, _request, reply) => void sendProblem(reply, badPath),
  })
  // Headers are limited by bytes. Node silently drops headers over the count, and one of them may be `Origin`.
  app.server.maxHeadersCount = 0
  const refuse = (socket: Socket) => {
    metrics.rejected('busy')
    endWith(socket, busy(`${own.connectionsMax} connections are being answered`))
  }
  if (options.framed !== undefined) {
    splitConnections(app.server, own.headersMs, (socket) => void onFramed?.(socket))
  }
  const begins = remote === undefined ? 'connection' : 'secureConnection'
  const connections = boundConnections(app.server, own.connectionsMax, refuse, begins)
  if (remote !== undefined) boundHandshakes(app.server, own.connectionsMax)
  shared.listeners.push(connections)
  refuseTunnels(app.server, metrics)
  returnRequestId(app)
  if (remote === undefined) admitRequests(app, options)
  else admitProved(app, { ...options, identify: remote.identify })
  readBodiesInRoutes(app)
  app.addHook('preClose', (done) => {
    closing.abort()
    done()
  })

  const { signal } = closing
  const listener: Listener = {
    gate,
    shared,
    limits: own,
    log,
    version,
    info,
    closing: signal,
    sameRules: options.sameRules,
    whoAsks: remote === undefined ? undefined : whoAsks,
    readiness: options.readiness ?? openReadiness(gate),
  }
  addAuthzenRoutes(app, listener)
  addAgentRoutes(app, listener)
  addDecideRoute(app, listener)
  if (remote === undefined) {
    addEventRoutes(app, listener)
    addStatusRoutes(app, listener)
  } else {
    // INVARIANT: who may ask for a decision sees nothing of the events and the rules of others.
    addHealthRoutes(app, listener)
  }
  if (options.framed !== undefined) onFramed = framedAnswers(listener, connections, options, options.framed)
  addWrongRoutes(app, listener)
  return app
}

function framedAnswers(
  listener: Listener,
  connections: Connections,
  { gate, onActivity }: AppOptions,
  { key, folder, status, drain }: FramedApp,
): (socket: Socket) => Promise<void> {
  const approvals = gate.approvals && openLocalApprovals(gate.approvals, listener.log, { key, folder })
  const answerCommand = commandAnswers(listener, { status, approvals })
  return (socket) => answerFramed(socket, listener, { key, connections, onActivity, answerCommand, drain })
}

function serverOptions(own: HttpLimits, tls: TlsTexts | undefined) {
  // Only a backstop: `receive.ts` has its own timer, after which the agent gets a refusal in its own protocol.
  const requestTimeout = own.headersMs + own.bodyMs + limits.graceMs
  const http = {
    maxHeaderSize: limits.httpHeaderBytesMax,
    headersTimeout: own.headersMs,
    requestTimeout,
    keepAliveTimeout: own.idleMs,
    connectionsCheckingInterval: own.lateCheckMs,
    insecureHTTPParser: false,
    // `guard.ts` reports a missing `Host` itself, and HTTP/1.0 clients send none.
    requireHostHeader: false,
  }
  const encrypted = tls && {
    ...http,
    ...tls,
    minVersion: 'TLSv1.2' as const,
    handshakeTimeout: own.headersMs,
    // A resumed session would prove a caller long after its certificate has ended, without the certificate's key.
    secureOptions: constants.SSL_OP_NO_TICKET,
    // Who has no certificate is refused by the request, so that health checks need none.
    requestCert: tls.ca !== undefined,
    rejectUnauthorized: false,
  }
  return {
    http,
    ...(encrypted && {
      serverFactory: (handler: (request: IncomingMessage, response: ServerResponse) => void) =>
        createServer(encrypted, handler),
    }),
    requestTimeout,
    keepAliveTimeout: own.idleMs,
    exposeHeadRoutes: false,
    // While closing, the gate refuses events in the agent's protocol: agents ignore a 503 and go ahead.
    return503OnClosing: false,
  }
}

/** Checks who sends a request, before anything of its body is read. */
function admitRequests(app: FastifyInstance, { token, version, shared, log, onActivity }: AppOptions): void {
  const guard = guardFor(token)
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
    if (!monitoringPaths.has(request.routeOptions.url ?? '')) onActivity?.()
    done()
  })
}

function readBodiesInRoutes(app: FastifyInstance): void {
  // The routes read the bodies, because each reports a bad one in its own way.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
}

const monitoringPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

/** The options of a gate's apps: those of `createApp`, and how to report on and end the gate. */
export interface GateAppOptions extends Omit<AppOptions, 'token' | 'framed' | 'remote'> {
  readonly status: () => Promise<GateStatus>
  readonly drain: () => void
}

/** Creates the app for the socket: the frames of hookgate's own programs, and the routes of HTTP. */
export function socketApp(
  { status, drain, ...options }: GateAppOptions,
  proving: { readonly key: string; readonly folder: string },
): FastifyInstance {
  return createApp({ ...options, token: undefined, framed: { ...proving, status, drain } })
}

export function httpApp(
  { status: _status, drain: _drain, sameRules: _owners, ...options }: GateAppOptions,
  token: string,
): FastifyInstance {
  return createApp({ ...options, token })
}

/** Creates the app for other machines: decisions and monitoring, for callers that prove who they are. */
export function remoteApp(
  { status: _status, drain: _drain, sameRules: _owners, ...options }: GateAppOptions,
  remote: RemoteListening,
): FastifyInstance {
  return createApp({ ...options, token: undefined, remote })
}
