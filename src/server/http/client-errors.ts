import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpLimits } from './limits.ts'
import { type Connections, endWith } from './connections.ts'
import type { Metrics } from './metrics.ts'
import type { Problem } from './problem.ts'
import { limits } from '../../model/limits.ts'

/** What Node's parser and its clock say of a connection, as `fastify` hands it on. */
export interface ClientError {
  readonly code?: string
  readonly reason?: string
}

/** Answers what is no request, and ends its connection. */
export function onClientError(
  { code, reason }: ClientError,
  socket: Socket,
  connections: Connections,
  metrics: Metrics,
  { headersMs }: HttpLimits,
): void {
  if (code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const rejection =
    code === 'HPE_HEADER_OVERFLOW' ? 'tooLarge' : code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'tooSlow' : 'malformed'
  metrics.rejected(rejection)
  // An answer is under way: no other bytes may get in between, and whoever waits for it is to have it. Node reads nothing
  // more of what comes here, and ends the connection behind the answer.
  if (connections.isHeld(socket)) return
  switch (rejection) {
    case 'tooLarge':
      return endWith(socket, headersTooLarge)
    case 'tooSlow':
      return endWith(socket, tooSlow(headersMs))
    case 'malformed':
      return endWith(socket, notHttp(reason))
  }
}

/** Without a listener Node would break such a connection off without a word. */
export function refuseTunnels(server: Server, metrics: Metrics): void {
  server.on('connect', (_request, socket: Socket) => {
    metrics.rejected('malformed')
    endWith(socket, {
      status: 405,
      code: 'methodNotAllowed',
      message: 'the gate is not a proxy',
      remedy: 'remove it from the proxy settings',
    })
  })
}

const headersTooLarge: Problem = {
  status: 431,
  code: 'headersTooLarge',
  message: `the headers are over ${limits.httpHeaderBytesMax} bytes`,
  remedy: 'send fewer or shorter headers',
}

const tooSlow = (headersMs: number): Problem => ({
  status: 408,
  code: 'requestTimeout',
  message: `the request did not arrive completely in time (headers: ${headersMs} ms)`,
  remedy: 'send it without delay',
})

const notHttp = (reason: string | undefined): Problem => ({
  status: 400,
  code: 'requestMalformed',
  message: `the request is not HTTP/1.1${reason === undefined ? '' : `: ${reason.toLowerCase()}`}`,
  remedy: 'use an HTTP client',
})
