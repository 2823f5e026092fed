import { isAbsolute } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { httpBody } from '../../../agents/index.ts'
import { lastResort } from '../../../agents/last-resort.ts'
import { agentNames, type KnownAgent } from '../../../agents/registry.ts'
import type { AnswerChannel } from '../../../agents/sender.ts'
import { undecided } from '../../../gate/combine/combine.ts'
import type { Answered, AnswerOptions, Caller } from '../../../gate/gate.ts'
import type { Answer } from '../../../model/dialect.ts'
import { errorText, HookgateError } from '../../../model/errors.ts'
import type { EntryPoint, HookEvent } from '../../../model/event.ts'
import { isJsonObject, type JsonObject } from '../../../model/json.ts'
import { environmentForNode } from '../../../model/node-environment.ts'
import { choiceOf, jsonText } from '../../../model/text.ts'
import type { Listener } from './listener.ts'
import { busy, type HttpProblem, issuesOf, requestMalformed, sendProblem } from './bad-requests.ts'
import { receive, receiveJson, type Reception } from './receive.ts'

/** The answer to an agent; without `event` if the body is not an event, or was not parsed. */
type AgentAnswer = Answer & Partial<Pick<Answered, 'event'>>

/** The agent that sent a body, and the number of bytes in it before the event. */
interface BodyOrigin {
  readonly agent: KnownAgent
  readonly callerBytes: number
  readonly channel: AnswerChannel
  /** Who has proved to ask. */
  readonly who: string | undefined
}

/**
 * Answers the event in a request's body; `undefined` if the client has disconnected. Returns a problem only to clients
 * that send their environment: they decide the event themselves on any status but 200.
 *
 * INVARIANT: whatever is wrong with the event or the gate, a connected client gets its agent's refusal. An agent goes
 * ahead on any status but 200, and on any body that is not a refusal.
 */
export async function answerEvent(
  listener: Listener,
  reception: Reception | Promise<Reception>,
  origin: BodyOrigin,
): Promise<AgentAnswer | HttpProblem | undefined> {
  const { agent } = origin
  try {
    return await answerBody(listener, await reception, origin)
  } catch (error) {
    listener.shared.metrics.failed(agent, error)
    listener.log.error({ agent, err: error }, 'not answered because of a bug in hookgate')
    return lastResort(agent, '', errorText(error))
  }
}

async function answerBody(
  listener: Listener,
  { body, pass, signal }: Reception,
  { agent, callerBytes, channel, who }: BodyOrigin,
): Promise<AgentAnswer | HttpProblem | undefined> {
  const { gate, limits: bounds, shared } = listener
  const refused = (head: Buffer, reason: 'tooLarge' | 'tooSlow' | 'busy', why: string) => {
    shared.metrics.rejected(reason)
    return lastResort(agent, head.toString('utf8', callerBytes), why)
  }
  switch (body.kind) {
    case 'gone':
      return undefined
    case 'tooLarge':
      return refused(body.head, 'tooLarge', `the event is over ${bounds.bodyBytesMax} bytes`)
    case 'tooSlow':
      return refused(body.head, 'tooSlow', `the event did not arrive completely within ${bounds.bodyMs} ms`)
    case 'noRoom':
      return refused(body.head, 'busy', 'it is busy with other events, which fill its memory; try again')
    case 'whole': {
      const context = contextOf(listener, body.bytes, callerBytes)
      if ('status' in context) {
        shared.metrics.rejected(context === otherRules ? 'otherRules' : 'malformed')
        return context
      }
      if (!pass.begin()) {
        return refused(body.bytes, 'busy', `it is busy with ${shared.admission.requestsMax} other events; try again`)
      }
      const wire = body.bytes.subarray(callerBytes)
      const origin = askerOf(listener, channel === 'process' ? 'client' : 'http', who)
      const options = { agent, signal, channel, ...origin, ...context } as const
      return recordAnswer(listener, await timed(() => gate.answer(wire, options)), agent, signal)
    }
  }
}

/** Returns the context of an event: the sender's folder and environment if sent, otherwise the session's project. */
function contextOf(
  { sameRules, shared, whoAsks }: Listener,
  body: Buffer,
  callerBytes: number,
): Pick<AnswerOptions, 'caller' | 'settle'> | HttpProblem {
  if (whoAsks !== undefined) return { settle: withoutRoots }
  if (callerBytes === 0 || sameRules === undefined) {
    const { sessions } = shared
    return { settle: (event, { namesProject }) => (namesProject ? event : sessions.settle(event)) }
  }
  const caller = callerIn(body.subarray(0, callerBytes))
  if ('status' in caller) return caller
  return sameRules(caller.env) ? { caller } : otherRules
}

/** Answers an event that is already parsed; if `agent` is `undefined`, the event's shape determines the agent. */
export async function answerObject(
  listener: Listener,
  wire: JsonObject,
  agent: KnownAgent | undefined,
  signal: AbortSignal,
  { who, onBehalfOf, as }: Asker,
): Promise<Answered | undefined> {
  const settled = (event: HookEvent) => {
    const placed = listener.whoAsks === undefined ? event : withoutRoots(event)
    return as === undefined ? placed : Object.freeze({ ...placed, agent: as })
  }
  const options = {
    signal,
    settle: settled,
    ...askerOf(listener, 'http', who),
    ...(onBehalfOf !== undefined && { onBehalfOf }),
    ...(agent !== undefined && { agent }),
  } as const
  return recordAnswer(listener, await timed(() => listener.gate.answer(wire, options)), agent, signal)
}

/** Who asks, for the record. */
export interface Asker {
  readonly who: string | undefined
  /** Whom it asks for. */
  readonly onBehalfOf?: string
  /** The agent that is said to make the call. Default: the one whose form the event has. */
  readonly as?: KnownAgent | undefined
}

const askerOf = ({ whoAsks }: Listener, via: EntryPoint, who: string | undefined) => ({
  via: whoAsks === undefined ? via : ('remote' as const),
  ...(who !== undefined && { who }),
})

/**
 * INVARIANT: an event of another machine names no folder of this one from which rules are read: its caller could choose
 * any.
 */
const withoutRoots = (event: HookEvent): HookEvent => Object.freeze({ ...event, workspaceRoots: Object.freeze([]) })

/** Times a decision, without the time in which a person was asked. */
async function timed(work: () => Promise<Answered>): Promise<readonly [Answered, durationMs: number]> {
  const startedAt = performance.now()
  const answered = await work()
  return [answered, performance.now() - startedAt - (answered.verdict?.approval?.waitedMs ?? 0)]
}

/** Counts and logs a decision; returns `undefined` if the client has disconnected. */
function recordAnswer(
  { shared, log }: Listener,
  [answered, durationMs]: readonly [Answered, number],
  agent: KnownAgent | undefined,
  signal: AbortSignal,
): Answered | undefined {
  if (signal.aborted) {
    shared.metrics.rejected('gone')
    return undefined
  }
  const { event, verdict, error } = answered
  if (event !== undefined && verdict !== undefined) {
    // Once the answer is on its way.
    setImmediate(() => {
      shared.metrics.decided(event, verdict, durationMs)
      shared.events.keepDecided(event.agent, answered.record())
    })
    return answered
  }
  shared.metrics.failed(agent, error)
  if (error instanceof HookgateError) log.warn({ agent, code: error.code }, `not decided: ${error.message}`)
  else log.error({ agent, err: error }, 'not decided because of a bug in hookgate')
  return answered
}

// A thin client replaces `hookgate run`, and sends what that would read from its process: the working folder, then
// every variable as `NAME=VALUE`, each terminated by a NUL. They precede the event in the body, because a variable may
// contain any byte.

/** Parses the folder and environment that precede an event; returns a problem if they are malformed. */
function callerIn(bytes: Buffer): Caller | HttpProblem {
  const parts = new TextDecoder().decode(bytes).split('\0')
  const [cwd = '', ...variables] = parts
  if (parts.pop() !== '' || !isAbsolute(cwd)) return malformed('the event is not preceded by a folder and variables')
  const env = new Map<string, string>()
  for (const variable of variables.slice(0, -1)) {
    const at = variable.indexOf('=', 1)
    if (at < 0) return malformed('a variable before the event has no name')
    const name = variable.slice(0, at)
    // If a name occurs twice, programs see the first value.
    if (!env.has(name)) env.set(name, variable.slice(at + 1))
  }
  // The client passes the environment to `hookgate run` in the same way.
  return { cwd, env: environmentForNode(Object.fromEntries(env)) }
}

/**
 * The response to a client with other rules, which then runs `hookgate run` to decide by its own environment's rules.
 */
const otherRules: HttpProblem = {
  status: 409,
  code: 'otherRules',
  message: 'the client has a different home or `XDG_CONFIG_HOME` from the gate, and therefore different rules',
  remedy: "set both to the gate's values, or set `HOOKGATE_HOME` to use a separate gate",
}

const malformed = (message: string) => requestMalformed(message, 'send as many bytes as the head says, then the event')

// No keep-alive: an agent that reuses a connection just as it is closed sees a failed hook, and goes ahead. A new
// connection costs 0.2 ms (measured).
const forAgents = { connection: 'close' }

/**
 * Adds two routes for each agent:
 *
 * - `POST /<agent>` takes that agent's event and answers as an HTTP hook does: 200, with the agent's JSON or nothing.
 * - `POST /v1/hook/<agent>` serves command hooks that speak no frames, such as a script with `curl` that asks a gate on
 *   another machine. It answers 200 with the bytes of stdout, then those of stderr. `hookgate-stderr-bytes` is the length
 *   of the latter, and `hookgate-exit-code` the exit code.
 */
export function addAgentRoutes(app: FastifyInstance, listener: Listener): void {
  for (const agent of agentNames) {
    app.post(`/${agent}`, async (request, reply) => {
      const origin = { agent, callerBytes: 0, channel: 'response', who: listener.whoAsks?.(request.raw) } as const
      const answer = await answerEvent(listener, receive(listener, request, reply), origin)
      if (answer === undefined) return reply.hijack()
      if ('status' in answer) return sendProblem(reply, answer)
      return reply
        .headers(forAgents)
        .type('application/json; charset=utf-8')
        .send(httpBody(answer.event?.agent ?? agent, answer, answer.event?.name))
    })
    app.post(`/v1/hook/${agent}`, async (request, reply) => {
      const origin = { agent, callerBytes: 0, channel: 'process', who: listener.whoAsks?.(request.raw) } as const
      const answer = await answerEvent(listener, receive(listener, request, reply), origin)
      if (answer === undefined) return reply.hijack()
      if ('status' in answer) return sendProblem(reply, answer)
      const stderr = Buffer.from(answer.stderr)
      return reply
        .type('application/octet-stream')
        .headers({ ...forAgents, 'hookgate-exit-code': answer.exitCode, 'hookgate-stderr-bytes': stderr.length })
        .send(Buffer.concat([Buffer.from(answer.stdout), stderr]))
    })
  }
}

const Question = z.strictObject({
  /** The event as its agent sends it. Not validated here: the agent's dialect does that. */
  event: z.custom<JsonObject>(isJsonObject, 'it must be an object'),
  agent: z.enum(agentNames).optional(),
})

const form = `send \`{"event": {…}, "agent": "${agentNames.join('" | "')}"}\`; \`agent\` is optional`

/**
 * Adds `POST /v1/decide`, which takes `{"event": <an agent's event>, "agent"?}` and returns the verdict as `hookgate
 * run --json` prints it. An event that cannot be decided also gets a verdict, a refusal with an `error` field; a
 * malformed request gets 400.
 */
export function addDecideRoute(app: FastifyInstance, listener: Listener): void {
  app.post('/v1/decide', async (request, reply) => {
    const received = await receiveJson(listener, request, reply)
    if (received.kind === 'gone') return reply.hijack()
    if (received.kind === 'problem') return sendProblem(reply, received.problem)
    const question = Question.safeParse(received.object)
    if (!question.success) {
      listener.shared.metrics.rejected('malformed')
      return sendProblem(reply, requestMalformed(`the question is malformed: ${issuesOf(question.error)}`, form))
    }
    const { pass, signal } = received
    if (!pass.begin()) {
      listener.shared.metrics.rejected('busy')
      return sendProblem(reply, busy(`${listener.shared.admission.requestsMax} events are being decided`))
    }
    const answered = await answerObject(listener, question.data.event, question.data.agent, signal, {
      who: listener.whoAsks?.(request.raw),
    })
    if (answered === undefined) return reply.hijack()
    const shown = answered.verdict ?? undecided(asField(answered.error))
    return reply.type('application/json; charset=utf-8').send(jsonText(shown))
  })
}

/** Rewords the remedy of `agentUnknown` for this route: the original names the command line's flag. */
function asField(error: unknown): unknown {
  if (!(error instanceof HookgateError) || error.code !== 'agentUnknown') return error
  const remedy = `name it in the field \`agent\`: ${choiceOf(agentNames)}`
  return new HookgateError(error.code, error.message, { remedy })
}
