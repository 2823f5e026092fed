import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Answered } from '../../answer.ts'
import type { AnswerOptions } from '../../gate.ts'
import { lastResort } from '../../agents/last-resort.ts'
import type { KnownAgent } from '../../agents/registry.ts'
import type { Answer } from '../../model/dialect.ts'
import { errorText, HookgateError } from '../../model/errors.ts'
import type { JsonObject } from '../../model/json.ts'
import { recordOf } from '../../record/record.ts'
import { callerIn, otherRules } from './caller.ts'
import { type Listener, receive } from './listener.ts'
import type { Problem } from './problem.ts'

/** What an agent is told; no event where what came is none, or was not looked into. */
export type Told = Answer & Partial<Pick<Answered, 'event'>>

/** What an event is of, and how much of the body stands ahead of it. */
interface Sent {
  readonly agent: KnownAgent
  readonly callerBytes: number
}

/**
 * The answer to the event in a request's body; `undefined` where the client is gone. A problem only where the client told
 * where it stands: one that does decides by itself on every answer but 200.
 *
 * INVARIANT: whatever is wrong with the event or the gate, a client that is there gets its agent's refusal. An agent goes
 * ahead on every status but 200, and on every body but a refusal.
 */
export async function answerEvent(
  listener: Listener,
  request: FastifyRequest,
  reply: FastifyReply,
  sent: Sent,
): Promise<Told | Problem | undefined> {
  const { agent } = sent
  try {
    return await answerBody(listener, request, reply, sent)
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
  { agent, callerBytes }: Sent,
): Promise<Told | Problem | undefined> {
  const { gate, limits, connections, shared } = listener
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
      const around = aroundOf(listener, body.bytes, callerBytes)
      if ('status' in around) {
        shared.metrics.rejected(around === otherRules ? 'otherRules' : 'malformed')
        return around
      }
      if (!pass.begin()) {
        return refused(body.bytes, 'busy', `it is busy with ${shared.admission.requestsMax} other events; try again`)
      }
      reply.raw.once('close', connections.hold(request.raw.socket))
      const wire = body.bytes.subarray(callerBytes)
      return decided(listener, await timed(() => gate.answer(wire, { agent, signal, ...around })), agent, signal)
    }
  }
}

/** What holds around an event: what its sender tells of itself, or else what is remembered of its session. */
function aroundOf(
  { sameRules, shared }: Listener,
  body: Buffer,
  callerBytes: number,
): Pick<AnswerOptions, 'caller' | 'settle'> | Problem {
  if (callerBytes === 0 || sameRules === undefined) {
    const { sessions } = shared
    return { settle: (event, { namesProject }) => (namesProject ? event : sessions.settle(event)) }
  }
  const caller = callerIn(body.subarray(0, callerBytes))
  if ('status' in caller) return caller
  return sameRules(caller.env) ? { caller } : otherRules
}

/** The same for an event that has been parsed, of an agent that may have to be told by its shape. */
export async function answerObject(
  listener: Listener,
  wire: JsonObject,
  agent: KnownAgent | undefined,
  signal: AbortSignal,
): Promise<Answered | undefined> {
  const options = { signal, ...(agent !== undefined && { agent }) }
  return decided(listener, await timed(() => listener.gate.answer(wire, options)), agent, signal)
}

async function timed<Value>(work: () => Promise<Value>): Promise<readonly [Value, durationMs: number]> {
  const startedAt = performance.now()
  return [await work(), performance.now() - startedAt]
}

/** Counts and keeps what was decided; `undefined` where nobody waits for it any more. */
function decided(
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
    const record = recordOf(event, verdict)
    shared.metrics.decided(record, durationMs)
    shared.events.keepDecided(record)
    return answered
  }
  shared.metrics.failed(agent, error)
  if (error instanceof HookgateError) log.warn({ agent, code: error.code }, `not decided: ${error.message}`)
  else log.error({ agent, err: error }, 'not decided because of a bug in hookgate')
  return answered
}
