import type { FastifyInstance } from 'fastify'
import { type AppOptions, createApp } from './app.ts'
import type { GateStatus } from './gate-status.ts'

/** The options of a gate's apps: those of `createApp`, and how to report on and end the gate. */
export interface Control extends Omit<AppOptions, 'token'> {
  readonly status: () => Promise<GateStatus>
  readonly drain: () => void
}

/** Creates the app for the socket: the routes of HTTP, plus status and drain, which are for the gate's owner only. */
export function socketApp({ status, drain, ...options }: Control): FastifyInstance {
  const app = createApp({ ...options, token: undefined })
  app.get('/v1/status', (_request, reply) => status().then((current) => reply.send(current)))
  app.post('/v1/drain', (_request, reply) => {
    // Only once the response is sent: draining closes this connection too.
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
