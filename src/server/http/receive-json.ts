import type { FastifyReply, FastifyRequest } from 'fastify'
import { errorText } from '../../model/errors.ts'
import { isJsonObject, type JsonObject } from '../../model/json.ts'
import type { Pass } from './admission.ts'
import { type Listener, receive } from './listener.ts'
import { busy, type Problem, requestMalformed } from './problem.ts'

export type ReceivedJson =
  | { readonly kind: 'object'; readonly object: JsonObject; readonly pass: Pass; readonly signal: AbortSignal }
  | { readonly kind: 'problem'; readonly problem: Problem }
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

function parse(bytes: Buffer): { readonly object: JsonObject } | { readonly problem: Problem } {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return isJsonObject(value)
      ? { object: value }
      : { problem: requestMalformed('the body is JSON, but not an object', remedy) }
  } catch (cause) {
    return { problem: requestMalformed(`the body is not JSON: ${errorText(cause)}`, remedy) }
  }
}
const remedy = 'send one JSON object'

const tooLarge = (bytesMax: number): Problem => ({
  status: 413,
  code: 'requestTooLarge',
  message: `the body is over ${bytesMax} bytes`,
  remedy: 'send less: no agent writes a file of this size in one call',
})

const tooSlow = (bodyMs: number): Problem => ({
  status: 408,
  code: 'requestTimeout',
  message: `the body did not arrive completely within ${bodyMs} ms`,
  remedy: 'send as many bytes as `content-length` says',
  headers: { connection: 'close' },
})
