import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller, Gate } from '../../gate.ts'
import type { JsonObject } from '../../model/json.ts'
import type { Log } from '../log.ts'
import type { Connections } from './connections.ts'
import type { HttpLimits } from './limits.ts'
import { type Body, readBody } from './read-body.ts'
import type { Shared } from './shared.ts'
import type { Pass } from './admission.ts'

/** The dependencies of one listener's routes. */
export interface Listener {
  readonly gate: Gate
  readonly shared: Shared
  readonly limits: HttpLimits
  readonly connections: Connections
  readonly log: Log
  readonly version: string
  readonly info: () => JsonObject
  /** Aborted when the listener closes. */
  readonly closing: AbortSignal
  /** Returns whether a caller with that environment has the gate's rules; `undefined` if callers may not send one. */
  readonly sameRules: ((env: Caller['env']) => boolean) | undefined
}

/** A request whose body has been read, and which is being answered. */
export interface Reception {
  readonly body: Body
  readonly pass: Pass
  /** Aborted if the client disconnects before it has the whole response. */
  readonly signal: AbortSignal
}

/** Reads the body, and releases the request's resources once it is answered or its client disconnects. */
export async function receive(
  { shared, limits }: Listener,
  request: FastifyRequest,
  reply: FastifyReply,
  /** The number of body bytes before the event. */
  callerBytes = 0,
): Promise<Reception> {
  const abort = new AbortController()
  const pass = shared.admission.open()
  reply.raw.once('close', () => {
    pass.end()
    if (!reply.raw.writableFinished) abort.abort()
  })
  const body = await readBody(request.raw, pass, { ...limits, bodyBytesMax: limits.bodyBytesMax + callerBytes })
  if (body.kind === 'gone') shared.metrics.rejected('gone')
  return { body, pass, signal: abort.signal }
}
