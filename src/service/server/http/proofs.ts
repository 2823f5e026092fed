import { createHash, type Hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { challengeBytes, type ProvedExchange, proofHeader, proofOf, requestOf } from '../../../files/proof.ts'

const challengeForm = new RegExp(`^[0-9a-f]{${challengeBytes * 2}}$`)

/** Digests of the bodies of requests that ask for a proof. */
const digests = new WeakMap<IncomingMessage, Hash>()

/** Notes a part of a request's body, whether it is kept or discarded. */
export function noteBody(request: IncomingMessage, chunk: Uint8Array): void {
  digests.get(request)?.update(chunk)
}

/**
 * Has an app prove every response to a request with a challenge (`files/proof.ts`).
 *
 * A response that is sent before the body was read completely gets a proof that its client does not accept.
 */
export function addProofs(app: FastifyInstance, key: string): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    if (challengeForm.test(requestOf(raw).challenge)) digests.set(raw, createHash('sha256'))
    done()
  })
  app.addHook('onSend', ({ raw }, reply, payload, done) => {
    const digest = digests.get(raw)
    if (digest !== undefined && (payload === null || typeof payload === 'string' || Buffer.isBuffer(payload))) {
      const exchange: ProvedExchange = {
        ...requestOf(raw),
        bodyDigest: digest.digest('hex'),
        status: reply.statusCode,
        exitCode: String(reply.getHeader('hookgate-exit-code') ?? ''),
        stderrBytes: String(reply.getHeader('hookgate-stderr-bytes') ?? ''),
      }
      digests.delete(raw)
      reply.header(proofHeader, proofOf(key, exchange, payload ?? ''))
    }
    done()
  })
}
