import { isAbsolute } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { errorText, HookgateError } from '../../../model/errors.ts'
import type { JsonObject } from '../../../model/json.ts'
import type { Handler, Matcher, Program, Rule, RuleSet } from '../../../model/rule.ts'
import { jsonText } from '../../../model/text.ts'
import { maskSecrets } from '../../../mask/mask.ts'
import type { Listener } from './listener.ts'
import { type HttpProblem, requestMalformed, sendProblem } from './bad-requests.ts'

/**
 * Adds the routes of monitoring:
 *
 * - `GET /healthz` returns `{"status": "ok", "version", "pid", …}` while the process answers.
 * - `GET /readyz` returns 200 while the gate's rules are loaded and it does not stop, else 503 and why.
 *
 * Where other machines ask, everybody is told the first two without their reasons, which name files.
 * - `GET /metrics` returns the Prometheus text format.
 */
export function addHealthRoutes(app: FastifyInstance, listener: Listener): void {
  const { shared, version, info, readiness, log } = listener
  const isForEverybody = listener.whoAsks !== undefined
  app.get('/healthz', (_request, reply) =>
    reply
      .type(json)
      .send(jsonText(isForEverybody ? { status: 'ok' } : { status: 'ok', version, pid: process.pid, ...info() })),
  )
  app.get('/readyz', async (_request, reply) => {
    const state = await readiness.look()
    if (isForEverybody && !state.ready) log.warn({ code: 'notReady' }, state.why)
    return reply
      .code(state.ready ? 200 : 503)
      .type(json)
      .send(jsonText(isForEverybody ? { ready: state.ready } : state))
  })
  app.get('/metrics', async (_request, reply) =>
    reply.type(shared.metrics.contentType).send(await shared.metrics.text()),
  )
}

const json = 'application/json; charset=utf-8'

/**
 * Adds the routes that only read:
 *
 * - `GET /v1/rules[?root=/a/workspace]…` returns the rules in force for these roots; without one, the rules that apply
 *   everywhere.
 */
export function addStatusRoutes(app: FastifyInstance, listener: Listener): void {
  const { gate } = listener
  addHealthRoutes(app, listener)

  app.get<{ Querystring: { readonly root?: unknown } }>('/v1/rules', async (request, reply) => {
    const workspaceRoots = [request.query.root ?? []].flat().map(String)
    if (!workspaceRoots.every((root) => isAbsolute(root))) {
      return sendProblem(reply, requestMalformed('a `root` is not absolute', 'give absolute paths'))
    }
    try {
      const rules = rulesShown(await gate.rulesFor({ workspaceRoots }))
      return reply.type('application/json; charset=utf-8').send(jsonText(rules))
    } catch (error) {
      if (error instanceof HookgateError) return sendProblem(reply, rulesProblem(error))
      throw error
    }
  })
}

const rulesProblem = (error: HookgateError): HttpProblem => ({
  status: error.code === 'closed' ? 503 : 422,
  code: error.code,
  message: errorText(new HookgateError(error.code, error.message, error.place && { place: error.place })),
  remedy: error.remedy ?? 'see `hookgate check`',
})

/** Returns the rules in force as JSON, in plan order, for `GET /v1/rules`. */
function rulesShown({ rules, notes, alarms }: RuleSet): JsonObject {
  return { rules: rules.map(ruleShown), notes, alarms }
}

function ruleShown({ id, source, match, handler, onFailure, timeoutMs, untrustedReason }: Rule): JsonObject {
  return {
    id,
    source: { id: source.id, scope: source.scope, file: source.file },
    events: match.events,
    ...(match.triggers !== undefined && { triggers: match.triggers }),
    matcher: matcherShown(match.matcher),
    ...(match.condition !== undefined && { if: match.condition.text }),
    handler: handlerShown(handler),
    onFailure,
    timeoutMs: timeoutMs ?? null,
    /** Why the rule is not trusted, and what to do. */
    untrustedReason: untrustedReason ?? null,
  }
}

/** Formats the matcher for the tool or trigger: `*`, exact names, or a regular expression. */
function matcherShown(matcher: Matcher): string | readonly string[] {
  switch (matcher.kind) {
    case 'any':
      return '*'
    case 'names':
      return matcher.names
    case 'pattern':
      return `/${matcher.pattern.source}/`
  }
}

/** Omits a handler's environment and parameters, which may contain secrets. */
function handlerShown(handler: Handler): JsonObject {
  switch (handler.kind) {
    case 'command':
      return { kind: 'command', dialect: handler.dialect, program: programShown(handler.program), async: handler.async }
    case 'policy':
      return { kind: 'policy', policy: handler.policy, file: handler.file }
    case 'builtin':
      return { kind: 'builtin', builtin: handler.builtin.kind }
    case 'remote':
      return { kind: 'remote', asks: handler.asks.kind, url: handler.server.url }
  }
}

/** Formats a hook's program, without the secrets that may be in it. */
export function programShown(program: Program): string | readonly string[] {
  switch (program.form) {
    case 'shell':
      return maskSecrets(program.command)
    case 'exec':
      return [program.file, ...program.args].map((word) => maskSecrets(word))
    case 'script':
      return program.file
  }
}
