import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller, Gate } from '../../gate.ts'
import type { JsonObject } from '../../model/json.ts'
import type { Log } from '../log.ts'
import type { Connections } from './connections.ts'
import type { HttpLimits } from './limits.ts'
import { type Body, readBody } from './read-body.ts'
import type { Shared } from './shared.ts'
import type { Pass } from './admission.ts'

/** What the routes of one listener work with. */
export interface Listener {
  readonly gate: Gate
  readonly shared: Shared
  readonly limits: HttpLimits
  readonly connections: Connections
  readonly log: Log
  readonly version: string
  readonly info: () => JsonObject
  /** Aborted when the listener is closed. */
  readonly closing: AbortSignal
  /** Whether the rules of a caller with that environment are the gate's; `undefined` where no caller may tell its own. */
  readonly sameRules: ((env: Caller['env']) => boolean) | undefined
}

/** A request whose body has been read, for as long as it is answered. */
export interface Reception {
  readonly body: Body
  readonly pass: Pass
  /** Aborted when the client is gone before it has its answer. */
  readonly signal: AbortSignal
}

/** Reads the body, and gives back what the request took up when it has been answered or its client is gone. */
export async function receive(
  { shared, limits }: Listener,
  request: FastifyRequest,
  reply: FastifyReply,
  /** What stands in the body ahead of the event. */
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
