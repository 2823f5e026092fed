import type { IncomingMessage } from 'node:http'
import type { Pass } from './admission.ts'
import type { HttpLimits } from './limits.ts'

/** What came of reading a request's body. `head` is what was read until then. */
export type Body =
  | { readonly kind: 'whole'; readonly bytes: Buffer }
  | { readonly kind: 'tooLarge' | 'tooSlow' | 'noRoom'; readonly head: Buffer }
  /** The client went away; there is nobody to be told. */
  | { readonly kind: 'gone' }

/**
 * Reads a body within its limits of size and time. What is too much is read on to its end and thrown away: a client that
 * finds the connection closed while it still writes never reads what it was told, and an agent that reads no refusal goes
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
    // A client that breaks off is an `error`, and then a `close`; after all is read, a `close` alone.
    stream.on('data', onData).on('end', onEnd).on('close', onGone)
    stream.on('error', () => {})
  })
}
