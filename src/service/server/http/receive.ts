import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorText } from '../../../model/errors.ts'
import { isJsonObject, type JsonObject, parseJsonOnce } from '../../../model/json.ts'
import type { HttpLimits, Listener, Pass } from './listener.ts'
import { busy, type HttpProblem, requestMalformed } from './bad-requests.ts'

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
): Promise<Reception> {
  const abort = new AbortController()
  const pass = shared.admission.open()
  reply.raw.once('close', () => {
    pass.end()
    if (!reply.raw.writableFinished) abort.abort()
  })
  const body = await readBody(request.raw, pass, limits)
  if (body.kind === 'gone') shared.metrics.rejected('gone')
  return { body, pass, signal: abort.signal }
}

/** The result of reading a request's body. `head` is the part that was kept before reading failed. */
export type Body =
  | { readonly kind: 'whole'; readonly bytes: Buffer }
  | { readonly kind: 'tooLarge' | 'tooSlow' | 'noRoom'; readonly head: Buffer }
  /** The client disconnected; there is no one to answer. */
  | { readonly kind: 'gone' }

/**
 * Reads a body within its limits of size and time. The rest of a body that is too large is read and discarded: a client
 * whose connection closes while it still writes never reads the response, and an agent that reads no refusal goes
 * ahead.
 */
function readBody(
  stream: IncomingMessage,
  pass: Pass,
  { bodyBytesMax, bodyMs, discardedBytesMax }: HttpLimits,
): Promise<Body> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let kept = 0
    let discarded = 0
    let refused: 'tooLarge' | 'noRoom' | undefined

    const settle = (body: Body) => {
      clearTimeout(timer)
      stream.off('data', onData).off('end', onEnd).off('close', onGone)
      resolve(body)
    }
    const head = () => Buffer.concat(chunks)
    const onData = (chunk: Buffer) => {
      if (refused === undefined && kept + chunk.length > bodyBytesMax) refused = 'tooLarge'
      if (refused === undefined && !pass.hold(chunk.length)) refused = 'noRoom'
      if (refused === undefined) {
        kept += chunk.length
        chunks.push(chunk)
        return
      }
      discarded += chunk.length
      if (discarded > discardedBytesMax) settle({ kind: refused, head: head() })
    }
    const onEnd = () =>
      settle(refused === undefined ? { kind: 'whole', bytes: head() } : { kind: refused, head: head() })
    const onGone = () => settle({ kind: 'gone' })
    const timer = setTimeout(() => settle({ kind: refused ?? 'tooSlow', head: head() }), bodyMs)
    // A client that disconnects causes `error`, then `close`; after the whole body is read, only `close`.
    stream.on('data', onData).on('end', onEnd).on('close', onGone)
    stream.on('error', () => {})
  })
}

type ReceivedJson =
  | { readonly kind: 'object'; readonly object: JsonObject; readonly pass: Pass; readonly signal: AbortSignal }
  | { readonly kind: 'problem'; readonly problem: HttpProblem }
  /** The client disconnected. */
  | { readonly kind: 'gone' }

/** Reads the JSON object in a request's body, for callers other than agents: errors become a status, not a refusal. */
export async function receiveJson(
  listener: Listener,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<ReceivedJson> {
  const { metrics } = listener.shared
  const { body, pass, signal } = await receive(listener, request, reply)
  switch (body.kind) {
    case 'gone':
      return body
    case 'tooLarge':
      metrics.rejected('tooLarge')
      return { kind: 'problem', problem: tooLarge(listener.limits.bodyBytesMax) }
    case 'tooSlow':
      metrics.rejected('tooSlow')
      return { kind: 'problem', problem: tooSlow(listener.limits.bodyMs) }
    case 'noRoom':
      metrics.rejected('busy')
      return { kind: 'problem', problem: busy('the requests in progress fill its memory') }
    case 'whole': {
      const parsed = parse(body.bytes)
      if ('object' in parsed) return { kind: 'object', object: parsed.object, pass, signal }
      metrics.rejected('malformed')
      return { kind: 'problem', problem: parsed.problem }
    }
  }
}

function parse(bytes: Buffer): { readonly object: JsonObject } | { readonly problem: HttpProblem } {
  try {
    const value = parseJsonOnce(new TextDecoder().decode(bytes))
    return isJsonObject(value)
      ? { object: value }
      : { problem: requestMalformed('the body is JSON, but not an object', remedy) }
  } catch (cause) {
    return { problem: requestMalformed(`the body is not JSON: ${errorText(cause)}`, remedy) }
  }
}
const remedy = 'send one JSON object'

export const tooLarge = (bytesMax: number): HttpProblem => ({
  status: 413,
  code: 'requestTooLarge',
  message: `the body is over ${bytesMax} bytes`,
  remedy: 'send less: no agent writes a file of this size in one call',
})

export const tooSlow = (bodyMs: number): HttpProblem => ({
  status: 408,
  code: 'requestTimeout',
  message: `the body did not arrive completely within ${bodyMs} ms`,
  remedy: 'send as many bytes as `content-length` says',
  headers: { connection: 'close' },
})
