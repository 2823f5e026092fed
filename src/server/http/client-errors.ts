import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { HttpLimits } from './limits.ts'
import { type Connections, endWith } from './connections.ts'
import type { Metrics } from './metrics.ts'
import type { Problem } from './problem.ts'
import { limits } from '../../model/limits.ts'

/** The error of Node's HTTP parser or its request timeout, as `fastify` passes it on. */
export interface ClientError {
  readonly code?: string
  readonly reason?: string
}

/** Answers bytes that are not a valid request, and closes the connection. */
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
  // A response is in progress on this connection: nothing may be written into it, and its client must get it. Node
  // reads no more requests here, and closes the connection after the response.
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

/** Answers `CONNECT` requests with 405: without a listener, Node closes the connection without a response. */
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
