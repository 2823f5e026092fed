import { type FastifyInstance, fastify } from 'fastify'
import type { Socket } from 'node:net'
import { limits } from '../model/limits.ts'
import { badPath, clientProblem, endWith } from '../service/server/http/bad-requests.ts'
import { boundConnections } from '../service/server/http/connections.ts'
import { type HttpProblem, sendProblem } from '../service/server/http/problem.ts'
import { pageHeaders } from './guard.ts'

/** Connections to the page: a browser has six at once to one address. Beyond, the one that is silent longest goes. */
const pageConnectionsMax = 200

/** Limits on the time and the number of clients. */
export interface PageLimits {
  readonly headersMs: number
  readonly requestMs: number
  readonly lateCheckMs: number
  readonly connectionsMax: number
}

const ownLimits: PageLimits = {
  headersMs: limits.httpHeadersMs,
  requestMs: limits.httpHeadersMs + limits.httpBodyMs,
  lateCheckMs: limits.httpLateCheckMs,
  connectionsMax: pageConnectionsMax,
}

/** Creates the HTTP app of the page: bounded, and with the page's headers also where no route is reached. */
export function openPageApp(given: Partial<PageLimits> = {}): FastifyInstance {
  const own = { ...ownLimits, ...given }
  const app = fastify({
    http: {
      maxHeaderSize: limits.httpHeaderBytesMax,
      headersTimeout: own.headersMs,
      requestTimeout: own.requestMs,
      connectionsCheckingInterval: own.lateCheckMs,
      insecureHTTPParser: false,
      // The guard reports a missing `Host` itself, with the page's headers.
      requireHostHeader: false,
    },
    requestTimeout: own.requestMs,
    keepAliveTimeout: limits.httpIdleMs,
    bodyLimit: limits.pageBodyBytesMax,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    clientErrorHandler(error, socket) {
      if (error.code === 'ECONNRESET') socket.destroy()
      else end(socket, clientProblem(error, own.headersMs).problem)
    },
    frameworkErrors: (_error, _request, reply) => void sendProblem(reply.headers(pageHeaders), badPath),
  })
  // Headers are limited by bytes. Node silently drops headers over the count, and one of them may be `Origin`.
  app.server.maxHeadersCount = 0
  boundConnections(app.server, own.connectionsMax, (socket) => end(socket, tooManyConnections))
  // Without a listener, Node closes the connection without a response.
  app.server.on('connect', (_request, socket: Socket) => end(socket, noTunnels))
  // A form of another page can post text without asking first; nothing here reads any.
  app.removeContentTypeParser('text/plain')
  return app
}

const end = (socket: Socket, problem: HttpProblem) => endWith(socket, { ...problem, headers: pageHeaders })

const tooManyConnections: HttpProblem = {
  status: 503,
  code: 'busy',
  message: `${pageConnectionsMax} connections are being answered`,
  remedy: 'close some tabs of this page',
}

const noTunnels: HttpProblem = {
  status: 405,
  code: 'methodNotAllowed',
  message: 'the page is not a proxy',
  remedy: 'remove it from the proxy settings',
}
