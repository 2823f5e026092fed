import { isAbsolute } from 'node:path'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { agentNames, type KnownAgent } from '../../../agents/registry.ts'
import { errorText } from '../../../model/errors.ts'
import { ToolKind } from '../../../model/event.ts'
import { isJsonObject, JsonObject, nestsDeeperThan } from '../../../model/json.ts'
import { limits } from '../../../model/limits.ts'
import { choiceOf, jsonText, quoted } from '../../../model/text.ts'
import type { Verdict } from '../../../model/verdict.ts'
import { answerObject, type Asker } from '../http/answer-event.ts'
import type { Listener, Shared } from '../http/listener.ts'
import { busy, issuesOf, sendProblem } from '../http/bad-requests.ts'
import { receiveJson } from '../http/receive.ts'
import { absoluteTarget, fromBrowser, type GuardProblem, isFromBrowser } from '../http/guard.ts'
import type { Log } from '../log-file.ts'
import type { Identity } from './listen-remote.ts'

const text = z.string().min(1)

const Entity = z.strictObject({ type: text, id: text, properties: JsonObject.optional() })

const Action = z.strictObject({ name: text, properties: JsonObject.optional() })

/** One question of the Authorization API: may this subject do that to this resource? */
const AuthzenEvaluation = z.strictObject({
  subject: Entity,
  action: Action,
  resource: Entity,
  context: JsonObject.optional(),
})

/** One answer of the Authorization API. */
interface AuthzenAnswer {
  readonly decision: boolean
  readonly context: JsonObject
}

const Defaults = AuthzenEvaluation.partial()
const Semantic = z.enum(['execute_all', 'deny_on_first_deny', 'permit_on_first_permit'])
const Evaluations = z.strictObject({
  ...Defaults.shape,
  evaluations: z.array(Defaults).max(limits.authzenEvaluationsMax).optional(),
  // The specification leaves other options open.
  options: z.looseObject({ evaluations_semantic: Semantic.optional() }).optional(),
})

/**
 * Adds the AuthZEN Authorization API: `POST /access/v1/evaluation`, `POST /access/v1/evaluations`, and where they are.
 *
 * A refusal and a question are `false`, and no opinion is `true`: `context.effect` says which. What is about the whole
 * request is an error with its status; what is about one evaluation is `false`, with `context.error`.
 */
export function addAuthzenRoutes(app: FastifyInstance, listener: Listener): void {
  app.get('/.well-known/authzen-configuration', (request, reply) => {
    const scheme = request.raw.socket.localPort === undefined || !('encrypted' in request.raw.socket) ? 'http' : 'https'
    const base = `${scheme}://${request.raw.headers.host ?? 'localhost'}`
    return reply.type(json).send(
      jsonText({
        policy_decision_point: base,
        access_evaluation_endpoint: `${base}/access/v1/evaluation`,
        access_evaluations_endpoint: `${base}/access/v1/evaluations`,
      }),
    )
  })

  app.post('/access/v1/evaluation', (request, reply) =>
    answering(listener, request, reply, AuthzenEvaluation, (evaluation, asker, signal) =>
      decided(listener, evaluation, asker, signal),
    ),
  )

  app.post('/access/v1/evaluations', (request, reply) =>
    answering(listener, request, reply, Evaluations, async (asked, asker, signal) => {
      const { evaluations = [], options, ...defaults } = asked
      if (evaluations.length === 0) return decidedPart(listener, defaults, asker, signal)
      const parts = evaluations.map((one) => Object.assign({}, defaults, one))
      const semantic = options?.evaluations_semantic ?? 'execute_all'
      const answers = await inTurn(parts, semantic, (part) => decidedPart(listener, part, asker, signal))
      return answers === undefined ? undefined : { evaluations: answers }
    }),
  )
}

const json = 'application/json; charset=utf-8'
/** Reads a request, and sends what `answer` makes of it; `undefined` if the client has gone. */
async function answering<Schema extends z.ZodType>(
  listener: Listener,
  request: FastifyRequest,
  reply: FastifyReply,
  schema: Schema,
  answer: (asked: z.infer<Schema>, asker: Asker, signal: AbortSignal) => Promise<object | undefined>,
): Promise<FastifyReply> {
  const received = await receiveJson(listener, request, reply)
  if (received.kind === 'gone') return reply.hijack()
  if (received.kind === 'problem') return sendText(reply, received.problem)
  const isTooDeep = nestsDeeperThan(received.object, limits.jsonDepthMax)
  const asked = isTooDeep ? undefined : schema.safeParse(received.object)
  if (asked?.success !== true) {
    listener.shared.metrics.rejected('malformed')
    const why = asked === undefined ? `it is nested deeper than ${limits.jsonDepthMax} levels` : issuesOf(asked.error)
    const message = `the request is malformed: ${why}`
    return sendText(reply, { status: 400, message, remedy: 'see the AuthZEN Authorization API 1.0' })
  }
  const { pass, signal } = received
  if (!pass.begin()) {
    listener.shared.metrics.rejected('busy')
    return sendText(reply, busy(`${listener.shared.admission.requestsMax} requests are being answered`))
  }
  const answered = await answer(asked.data, { who: listener.whoAsks?.(request.raw) }, signal)
  return answered === undefined ? reply.hijack() : reply.type(json).send(jsonText(answered))
}

/** Decides one after the other as far as the semantic goes, or all at once. */
async function inTurn<Part>(
  parts: readonly Part[],
  semantic: z.infer<typeof Semantic>,
  decide: (part: Part) => Promise<AuthzenAnswer | undefined>,
): Promise<readonly AuthzenAnswer[] | undefined> {
  if (semantic === 'execute_all') {
    const all = await Promise.all(parts.map(decide))
    const answers = all.flatMap((one) => one ?? [])
    return answers.length === parts.length ? answers : undefined
  }
  const answers: AuthzenAnswer[] = []
  for (const part of parts) {
    // oxlint-disable-next-line no-await-in-loop -- whether the next is decided depends on this one
    const answer = await decide(part)
    if (answer === undefined) return undefined
    answers.push(answer)
    if (answer.decision === (semantic === 'permit_on_first_permit')) break
  }
  return answers
}

async function decidedPart(
  listener: Listener,
  part: z.infer<typeof Defaults>,
  asker: Asker,
  signal: AbortSignal,
): Promise<AuthzenAnswer | undefined> {
  const whole = AuthzenEvaluation.safeParse(part)
  return whole.success ? decided(listener, whole.data, asker, signal) : failed(400, issuesOf(whole.error))
}

async function decided(
  listener: Listener,
  evaluation: AuthzenEvaluation,
  asker: Asker,
  signal: AbortSignal,
): Promise<AuthzenAnswer | undefined> {
  const call = askedCall(evaluation)
  if ('why' in call) return failed(400, call.why)
  const { wire, agent, onBehalfOf } = call
  const settled = { ...asker, onBehalfOf, as: agent }
  const answered = await answerObject(listener, wire, 'claude-code', signal, settled)
  if (answered === undefined) return undefined
  return answered.verdict === undefined ? failed(500, errorText(answered.error)) : answerOf(answered.verdict)
}

/** A decision that is missing is `false`. */
const failed = (status: number, message: string): AuthzenAnswer => ({
  decision: false,
  context: { effect: 'deny', error: { status, message } },
})

/** INVARIANT: an obligation that cannot be said here makes the answer `false`. */
function answerOf({ decision, reason, determining, obligations, id }: Verdict): AuthzenAnswer {
  const [obligation] = obligations
  const isUnsaid = decision !== 'deny' && obligation !== undefined
  const effect = isUnsaid ? 'deny' : decision
  const unsaid = `a rule demands \`${obligation?.kind ?? ''}\`, which cannot be expressed here`
  const reasons = [reason, ...(isUnsaid ? [unsaid] : [])].filter((one) => one !== '')
  return {
    decision: effect === 'allow' || effect === 'abstain',
    context: {
      effect,
      ...(reasons.length > 0 && { reason: reasons.join('\n') }),
      determining: [...determining],
      ...(id !== undefined && { id }),
    },
  }
}

type AuthzenEvaluation = Readonly<z.infer<typeof AuthzenEvaluation>>

/** Members of a context that hookgate reads. A client may send any others. */
const Context = z.looseObject({
  agent: z.enum(agentNames).optional(),
  session: z.string().optional(),
  cwd: z.string().refine(isAbsolute, 'must be an absolute path').optional(),
})

/** A tool call as Claude Code would send it, whose form has a field for all that is asked here. */
interface AuthzenCall {
  readonly wire: JsonObject
  readonly agent: KnownAgent | undefined
  readonly onBehalfOf: string
}

/** Properties of a resource that hookgate reads. A client may send any others. */
const FileProperties = z.looseObject({
  content: z.string().optional(),
  old: z.string().optional(),
  new: z.string().optional(),
  pattern: z.string().optional(),
})
const ToolProperties = z.looseObject({ input: JsonObject.optional() })
const propertiesOf: Readonly<Record<string, z.ZodType>> = {
  file: FileProperties,
  mcp_tool: ToolProperties,
}

type ToolInput = (id: string, properties: JsonObject) => { readonly name: string; readonly input: JsonObject }

const textIn = (properties: JsonObject, key: string): string => {
  const value = properties[key]
  return typeof value === 'string' ? value : ''
}

/** For each type of resource and each action on it: the call that hookgate decides. */
const calls: Readonly<Record<string, Readonly<Partial<Record<ToolKind, ToolInput>>>>> = {
  command: { shell: (command) => ({ name: 'Bash', input: { command } }) },
  file: {
    read: (path) => ({ name: 'Read', input: { file_path: path } }),
    write: (path, given) => ({ name: 'Write', input: { file_path: path, content: textIn(given, 'content') } }),
    edit: (path, given) => ({
      name: 'Edit',
      input: { file_path: path, old_string: textIn(given, 'old'), new_string: textIn(given, 'new') },
    }),
    search: (path, given) => ({ name: 'Grep', input: { path, pattern: textIn(given, 'pattern') } }),
    list: (path, given) => ({ name: 'Glob', input: { path, pattern: textIn(given, 'pattern') || '*' } }),
  },
  url: { fetch: (url) => ({ name: 'WebFetch', input: { url, prompt: '' } }) },
  mcp_tool: {
    mcp: (id, { input }) => ({
      name: `mcp__${id.replace('/', '__')}`,
      input: input !== undefined && isJsonObject(input) ? input : {},
    }),
  },
}

/** Returns the tool call that an evaluation is about, or why hookgate knows none. */
function askedCall({ subject, action, resource, context = {} }: AuthzenEvaluation): AuthzenCall | { why: string } {
  const byAction = Object.hasOwn(calls, resource.type) ? calls[resource.type] : undefined
  if (byAction === undefined) return { why: `the resource's type is not ${choiceOf(Object.keys(calls))}` }
  const kind = ToolKind.safeParse(action.name)
  const call = kind.success ? byAction[kind.data] : undefined
  if (call === undefined) {
    return { why: `the action on a ${resource.type} is not ${choiceOf(Object.keys(byAction))}` }
  }
  if (resource.type === 'mcp_tool' && !/^[^/]+\/[^/]+$/.test(resource.id)) {
    return { why: `${quoted(resource.id)} is not the name of a server and one of its tools: \`server/tool\`` }
  }
  // What cannot be read must not be judged as if it were not there.
  const readable = propertiesOf[resource.type]?.safeParse(resource.properties ?? {})
  if (readable?.success === false) return { why: `resource.properties.${issuesOf(readable.error)}` }
  const known = Context.safeParse(context)
  if (!known.success) return { why: `context.${issuesOf(known.error)}` }
  const { agent, session = '', cwd = '/' } = known.data
  const { name, input } = call(resource.id, resource.properties ?? {})
  const wire = {
    hook_event_name: 'PreToolUse',
    session_id: session,
    transcript_path: '',
    cwd,
    tool_name: name,
    tool_input: input,
  }
  return { wire, agent, onBehalfOf: `${subject.type}:${subject.id}` }
}

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
function sendText(
  reply: FastifyReply,
  { status, message, remedy, headers = {} }: Pick<GuardProblem, 'status' | 'message' | 'remedy' | 'headers'>,
): FastifyReply {
  return reply.code(status).headers(headers).type('text/plain; charset=utf-8').send(`${message}: ${remedy}`)
}
