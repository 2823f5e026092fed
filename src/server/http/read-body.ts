import type { IncomingMessage } from 'node:http'
import type { Pass } from './admission.ts'
import type { HttpLimits } from './limits.ts'

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
export function readBody(
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
