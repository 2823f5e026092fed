import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { agentNames } from '../../../agents/registry.ts'
import { errorText, type ErrorCode } from '../../../model/errors.ts'
import { limits } from '../../../model/limits.ts'
import { choiceOf, quoted, jsonText, printable } from '../../../model/text.ts'
import type { Connections } from './connections.ts'
import type { HttpLimits, Listener } from './listener.ts'
import type { Metrics } from './metrics.ts'
import type { z } from 'zod'

/** The error of Node's HTTP parser or its request timeout, as `fastify` passes it on. */
interface ClientError {
  readonly code?: string
  readonly reason?: string
}

/** Answers bytes that are not a valid request, and closes the connection. */
export function onClientError(
  error: ClientError,
  socket: Socket,
  connections: Connections,
  metrics: Metrics,
  { headersMs }: HttpLimits,
): void {
  if (error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const { rejection, problem } = clientProblem(error, headersMs)
  metrics.rejected(rejection)
  // Nothing may be written into a response in progress, and its client must get it.
  connections.whenAnswered(socket, () => endWith(socket, problem))
}

/** Returns what is wrong with bytes that are not a valid request. */
export function clientProblem(
  { code, reason }: ClientError,
  headersMs: number,
): { readonly rejection: 'tooLarge' | 'tooSlow' | 'malformed'; readonly problem: HttpProblem } {
  if (code === 'HPE_HEADER_OVERFLOW') return { rejection: 'tooLarge', problem: headersTooLarge }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return { rejection: 'tooSlow', problem: tooSlow(headersMs) }
  return { rejection: 'malformed', problem: notHttp(reason) }
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

const headersTooLarge: HttpProblem = {
  status: 431,
  code: 'headersTooLarge',
  message: `the headers are over ${limits.httpHeaderBytesMax} bytes`,
  remedy: 'send fewer or shorter headers',
}

const tooSlow = (headersMs: number): HttpProblem => ({
  status: 408,
  code: 'requestTimeout',
  message: `the request did not arrive completely in time (headers: ${headersMs} ms)`,
  remedy: 'send it without delay',
})

const notHttp = (reason: string | undefined): HttpProblem => ({
  status: 400,
  code: 'requestMalformed',
  message: `the request is not HTTP/1.1${reason === undefined ? '' : `: ${reason.toLowerCase()}`}`,
  remedy: 'use an HTTP client',
})

/** Writes a response to a socket without a parsed request, and closes the connection. */
export function endWith(socket: Socket, problem: HttpProblem): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const body = problemText(problem)
  const head = [
    `HTTP/1.1 ${problem.status} ${reasonPhrases[problem.status] ?? 'Error'}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    ...Object.entries(problem.headers ?? {}).map(([name, value]) => `${name}: ${value}`),
  ]
  socket.once('error', () => {})
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  // Unread input would reset the connection before the client has read the response.
  socket.resume()
  setTimeout(() => socket.destroy(), limits.graceMs).unref()
}

const reasonPhrases: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  413: 'Content Too Large',
  431: 'Request Header Fields Too Large',
  503: 'Service Unavailable',
}

const methods = ['GET', 'POST'] as const

/** Adds the handlers for unknown routes, and for exceptions in a route, which are bugs. */
export function addWrongRoutes(app: FastifyInstance, { shared, log }: Listener): void {
  app.setNotFoundHandler((request, reply) => {
    shared.metrics.rejected('malformed')
    const [path = ''] = request.url.split('?')
    const allowed = methods.filter((method) => app.hasRoute({ method, url: path }))
    if (allowed.length > 0) return sendProblem(reply, methodNotAllowed(request.method, allowed.join(', ')))
    return sendProblem(reply, path.startsWith('/v1/hook/') ? agentUnknown(path) : notFound(path))
  })

  app.setErrorHandler((error, request, reply) => {
    shared.metrics.failed(undefined, error)
    log.error({ err: error, route: request.routeOptions.url }, 'not answered because of a bug in hookgate')
    return sendProblem(reply, internal(errorText(error)))
  })
}

/** The problem for a path that cannot be decoded. */
export const badPath: HttpProblem = {
  status: 400,
  code: 'requestMalformed',
  message: 'the path is malformed',
  remedy: 'check its percent signs',
}

const methodNotAllowed = (method: string, allowed: string): HttpProblem => ({
  status: 405,
  code: 'methodNotAllowed',
  message: `${quoted(method)} is not supported for this path`,
  remedy: `use ${allowed}`,
  headers: { allow: allowed },
})

const agentUnknown = (path: string): HttpProblem => ({
  status: 404,
  code: 'agentUnknown',
  message: `${quoted(path.slice('/v1/hook/'.length))} is not an agent that hookgate knows`,
  remedy: `use ${choiceOf(agentNames)}`,
})

const notFound = (path: string): HttpProblem => ({
  status: 404,
  code: 'notFound',
  message: `there is nothing at ${quoted(path)}`,
  remedy: `post an agent's event to ${choiceOf(agentNames.map((agent) => `/${agent}`))}`,
})

const internal = (message: string): HttpProblem => ({
  status: 500,
  code: 'internal',
  message,
  remedy: 'this is a bug in hookgate; see its log',
})

/**
 * The code of an error response. Codes are stable.
 *
 * - `unauthorized` (401) the token is missing or wrong
 * - `fromBrowser`, `foreignHost` (403) the request is from a browser, or its `Host` is not this gate's
 * - `notFound` (404), `methodNotAllowed` (405) there is no such route; `agentUnknown` (404) the path has no known agent
 * - `versionMismatch` (409) the client has another version, or speaks another version of the frames
 * - `otherRules` (409) the client's environment leads to other rules than the gate's
 * - `requestMalformed` (400), `requestTimeout` (408), `requestTooLarge` (413), `headersTooLarge` (431)
 * - `busy` (503) too many requests are in flight
 * - the codes of `ErrorCode`: `rulesMalformed` (422), `internal` (500), …
 */
type ProblemCode =
  | ErrorCode
  | 'unauthorized'
  | 'fromBrowser'
  | 'foreignHost'
  | 'notFound'
  | 'methodNotAllowed'
  | 'versionMismatch'
  | 'otherRules'
  | 'requestMalformed'
  | 'requestTimeout'
  | 'requestTooLarge'
  | 'headersTooLarge'
  | 'busy'

export interface HttpProblem {
  readonly status: number
  readonly code: ProblemCode
  /** One line. */
  readonly message: string
  /** What the caller can do about it. */
  readonly remedy: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Returns `{"error": {"code", "message", "remedy"}}`, the body of every response with a status of 400 and above. */
export function problemText({ code, message, remedy }: HttpProblem): string {
  return jsonText({ error: { code, message, remedy } })
}

export function sendProblem(reply: FastifyReply, problem: HttpProblem): FastifyReply {
  return reply
    .code(problem.status)
    .headers({ 'content-type': 'application/json; charset=utf-8', ...problem.headers })
    .send(problemText(problem))
}

export const busy = (what: string): HttpProblem => ({
  status: 503,
  code: 'busy',
  message: `the gate is busy: ${what}`,
  remedy: 'try again',
  headers: { 'retry-after': '1' },
})

export const requestMalformed = (message: string, remedy: string): HttpProblem => ({
  status: 400,
  code: 'requestMalformed',
  message,
  remedy,
})

/** Says what is wrong with a request's body. */
export const issuesOf = ({ issues }: z.ZodError): string =>
  printable(
    issues
      .slice(0, limits.wrongFieldsNamedMax)
      .map(({ path, message }) =>
        [path.map(String).join('.'), message.toLowerCase()].filter((part) => part !== '').join(': '),
      )
      .join('; '),
  ).slice(0, issuesCharactersMax)
/** Bounds the message: an unknown key that it quotes may be as long as the body. */
const issuesCharactersMax = 500
