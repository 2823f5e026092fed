import type { FastifyInstance } from 'fastify'
import { agentNames } from '../../agents/registry.ts'
import { errorText } from '../../model/errors.ts'
import { choiceOf, quoted } from '../../model/text.ts'
import type { Listener } from './listener.ts'
import { type Problem, sendProblem } from './problem.ts'

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
export const badPath: Problem = {
  status: 400,
  code: 'requestMalformed',
  message: 'the path is malformed',
  remedy: 'check its percent signs',
}

const methodNotAllowed = (method: string, allowed: string): Problem => ({
  status: 405,
  code: 'methodNotAllowed',
  message: `${quoted(method)} is not supported for this path`,
  remedy: `use ${allowed}`,
  headers: { allow: allowed },
})

const agentUnknown = (path: string): Problem => ({
  status: 404,
  code: 'agentUnknown',
  message: `${quoted(path.slice('/v1/hook/'.length))} is not an agent that hookgate knows`,
  remedy: `use ${choiceOf(agentNames)}`,
})

const notFound = (path: string): Problem => ({
  status: 404,
  code: 'notFound',
  message: `there is nothing at ${quoted(path)}`,
  remedy: `post an agent's event to ${choiceOf(agentNames.map((agent) => `/${agent}`))}`,
})

const internal = (message: string): Problem => ({
  status: 500,
  code: 'internal',
  message,
  remedy: 'this is a bug in hookgate; see its log',
})
