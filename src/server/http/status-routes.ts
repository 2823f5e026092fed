import { isAbsolute } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { errorText, HookgateError } from '../../model/errors.ts'
import { jsonText } from '../../model/text.ts'
import type { Listener } from './listener.ts'
import { type Problem, requestMalformed, sendProblem } from './problem.ts'
import { rulesShown } from './rules-shown.ts'

/**
 * Adds the routes that only read:
 *
 * - `GET /healthz` returns `{"status": "ok", "version", "pid", …}`.
 * - `GET /metrics` returns the Prometheus text format.
 * - `GET /v1/rules[?root=/a/workspace]…` returns the rules in force for these roots; without one, the rules that apply
 *   everywhere.
 */
export function addStatusRoutes(app: FastifyInstance, listener: Listener): void {
  const { gate, shared, version, info } = listener

  app.get('/healthz', (_request, reply) =>
    reply
      .type('application/json; charset=utf-8')
      .send(jsonText({ status: 'ok', version, pid: process.pid, ...info() })),
  )

  app.get('/metrics', async (_request, reply) =>
    reply.type(shared.metrics.contentType).send(await shared.metrics.text()),
  )

  app.get<{ Querystring: { readonly root?: unknown } }>('/v1/rules', async (request, reply) => {
    const workspaceRoots = [request.query.root ?? []].flat().map(String)
    if (!workspaceRoots.every((root) => isAbsolute(root))) {
      return sendProblem(reply, requestMalformed('a `root` is not absolute', 'give absolute paths'))
    }
    reply.raw.once('close', listener.connections.hold(request.raw.socket))
    try {
      const rules = rulesShown(await gate.rulesFor({ workspaceRoots }))
      return reply.type('application/json; charset=utf-8').send(jsonText(rules))
    } catch (error) {
      if (error instanceof HookgateError) return sendProblem(reply, rulesProblem(error))
      throw error
    }
  })
}

const rulesProblem = (error: HookgateError): Problem => ({
  status: error.code === 'closed' ? 503 : 422,
  code: error.code,
  message: errorText(new HookgateError(error.code, error.message, error.place && { place: error.place })),
  remedy: error.remedy ?? 'see `hookgate check`',
})
