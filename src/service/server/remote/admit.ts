import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorText } from '../../../model/errors.ts'
import { absoluteTarget, fromBrowser, type GuardProblem, isFromBrowser } from '../http/guard.ts'
import { sendProblem } from '../http/problem.ts'
import type { Shared } from '../http/listener.ts'
import type { Log } from '../log.ts'
import type { Identity } from './listen-remote.ts'

/** Paths that are answered to everybody: a load balancer has no certificate. They say yes or no. */
const publicPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/.well-known/authzen-configuration'])

/** Paths whose errors are a text, as the AuthZEN specification has it, and not hookgate's JSON. */
const isAuthzenPath = (url: string): boolean => url.startsWith('/access/')

/** Gives back the id of a request, also with a refusal. It may hold nothing that a header may not. */
export function returnRequestId(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const [id, ...more] = request.raw.headersDistinct['x-request-id'] ?? []
    if (id !== undefined && more.length === 0 && /^[\x20-\x7e]{1,256}$/.test(id)) reply.header('x-request-id', id)
    done()
  })
}

const whoAsked = new WeakMap<IncomingMessage, string>()

/** Returns who has proved to have sent a request. */
export const whoAsks = (request: IncomingMessage): string | undefined => whoAsked.get(request)

interface ProvedAdmission {
  readonly identify: (request: IncomingMessage) => Promise<Identity>
  readonly shared: Shared
  readonly log: Log
  readonly version: string
  readonly onActivity?: (() => void) | undefined
}

/**
 * Checks who sends a request, before anything of its body is read.
 *
 * INVARIANT: a page in a browser gets no answer, although the browser may have a client certificate.
 */
export function admitProved(app: FastifyInstance, admission: ProvedAdmission): void {
  const { shared, log, version, onActivity } = admission
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'hookgate-version': version, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    const problem = await problemWith(request, admission)
    if (problem !== undefined) {
      shared.metrics.rejected(problem.rejection)
      log.warn({ code: problem.code, route: request.routeOptions.url ?? 'none' }, problem.message)
      await refuse(request, reply, problem)
      return
    }
    delete request.headers['content-type']
    if (!publicPaths.has(request.routeOptions.url ?? '')) onActivity?.()
  })
}

async function problemWith(
  { raw, routeOptions }: FastifyRequest,
  { identify, log }: ProvedAdmission,
): Promise<GuardProblem | undefined> {
  if (isFromBrowser(raw)) return fromBrowser
  if (raw.url?.startsWith('/') !== true) return absoluteTarget
  if (publicPaths.has(routeOptions.url ?? '')) return undefined
  try {
    const identity = await identify(raw)
    if ('status' in identity) return identity
    whoAsked.set(raw, identity.who)
    return undefined
  } catch (error) {
    // INVARIANT: a defect admits nobody.
    log.error({ err: error }, 'a caller could not be identified because of a bug in hookgate')
    return { ...absoluteTarget, rejection: 'unauthorized', status: 500, code: 'internal', message: errorText(error) }
  }
}

function refuse(request: FastifyRequest, reply: FastifyReply, problem: GuardProblem): FastifyReply {
  if (!isAuthzenPath(request.url)) return sendProblem(reply, problem)
  return sendText(reply, problem)
}

/** Sends an error as AuthZEN has it. */
export function sendText(
  reply: FastifyReply,
  { status, message, remedy, headers = {} }: Pick<GuardProblem, 'status' | 'message' | 'remedy' | 'headers'>,
): FastifyReply {
  return reply.code(status).headers(headers).type('text/plain; charset=utf-8').send(`${message}: ${remedy}`)
}
