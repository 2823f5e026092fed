import fastify, { type FastifyInstance } from 'fastify'
import type { Gate } from '../gate.ts'
import type { GateStatus } from './gate-status.ts'

interface Control {
  readonly gate: Gate
  status(): Promise<GateStatus>
  drain(): void
}

/** What answers at the socket: all that HTTP answers, and what ends the gate, which is for its owner only. */
export function socketApp(control: Control): FastifyInstance {
  const app = fastify({ return503OnClosing: false })
  app.get('/v1/status', () => control.status())
  app.post('/v1/drain', async (_request, reply) => {
    // Once it is on its way: what drains closes its connection too.
    reply.raw.once('close', () => control.drain())
    return reply.code(202).send({})
  })
  return app
}
export function httpApp(_control: Control, _token: string): FastifyInstance {
  return fastify()
}
