import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Answered, AnswerOptions } from '../../../gate/gate.ts'
import { lastResort } from '../../../agents/last-resort.ts'
import type { KnownAgent } from '../../../agents/registry.ts'
import type { AnswerChannel } from '../../../agents/sender.ts'
import type { Answer } from '../../../model/dialect.ts'
import type { EntryPoint, HookEvent } from '../../../model/event.ts'
import { errorText, HookgateError } from '../../../model/errors.ts'
import type { JsonObject } from '../../../model/json.ts'
import { callerIn, otherRules } from './caller.ts'
import type { Listener } from './listener.ts'
import type { HttpProblem } from './problem.ts'
import { receive } from './receive.ts'

/** The answer to an agent; without `event` if the body is not an event, or was not parsed. */
type AgentAnswer = Answer & Partial<Pick<Answered, 'event'>>

/** The agent that sent a body, and the number of bytes in it before the event. */
interface BodyOrigin {
  readonly agent: KnownAgent
  readonly callerBytes: number
  readonly channel: AnswerChannel
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
  request: FastifyRequest,
  reply: FastifyReply,
  origin: BodyOrigin,
): Promise<AgentAnswer | HttpProblem | undefined> {
  const { agent } = origin
  try {
    return await answerBody(listener, request, reply, origin)
  } catch (error) {
    listener.shared.metrics.failed(agent, error)
    listener.log.error({ agent, err: error }, 'not answered because of a bug in hookgate')
    return lastResort(agent, '', errorText(error))
  }
}

async function answerBody(
  listener: Listener,
  request: FastifyRequest,
  reply: FastifyReply,
  { agent, callerBytes, channel }: BodyOrigin,
): Promise<AgentAnswer | HttpProblem | undefined> {
  const { gate, limits, shared } = listener
  const { body, pass, signal } = await receive(listener, request, reply, callerBytes)
  const refused = (head: Buffer, reason: 'tooLarge' | 'tooSlow' | 'busy', why: string) => {
    shared.metrics.rejected(reason)
    return lastResort(agent, head.toString('utf8', callerBytes), why)
  }
  switch (body.kind) {
    case 'gone':
      return undefined
    case 'tooLarge':
      return refused(body.head, 'tooLarge', `the event is over ${limits.bodyBytesMax} bytes`)
    case 'tooSlow':
      return refused(body.head, 'tooSlow', `the event did not arrive completely within ${limits.bodyMs} ms`)
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
      const origin = askerOf(listener, channel === 'process' ? 'client' : 'http', listener.whoAsks?.(request.raw))
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
