import type { FastifyInstance } from 'fastify'
import { type AppOptions, createApp } from './app.ts'
import type { GateStatus } from './gate-status.ts'

/** What a gate answers for itself, beside the events. */
export interface Control extends Omit<AppOptions, 'token'> {
  readonly status: () => Promise<GateStatus>
  readonly drain: () => void
}

/** What answers at the socket: all that HTTP answers, and what ends the gate, which is for its owner only. */
export function socketApp({ status, drain, ...options }: Control): FastifyInstance {
  const app = createApp({ ...options, token: undefined })
  app.get('/v1/status', (_request, reply) => status().then((told) => reply.send(told)))
  app.post('/v1/drain', (_request, reply) => {
    // When it is on its way: who drains closes this connection too.
    reply.raw.once('close', () => drain())
    reply.code(202).send({})
  })
  return app
}

export function httpApp(
  { status: _status, drain: _drain, sameRules: _owners, ...options }: Control,
  token: string,
): FastifyInstance {
  return createApp({ ...options, token })
}
