import { rmSync } from 'node:fs'
import { createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { codeOf, errorText, HookgateError } from '../../model/errors.ts'
import { limits } from '../../model/limits.ts'
import type { GatePaths } from '../../files/state/places.ts'

/** The only address that serves HTTP: other machines must not affect what an agent does here. */
const loopback = '127.0.0.1'

export const addressOf = (port: number) => `http://${loopback}:${port}`

/**
 * Removes the socket file that a gate left behind.
 *
 * INVARIANT: only the holder of the gate's lock calls this, so the gate that left the file is no longer alive.
 *
 * @throws HookgateError `unavailable`
 */
export function removeSocket({ socket, socketFolder }: GatePaths): void {
  // A named pipe is not a file, and disappears with its process.
  if (socketFolder === undefined) return
  try {
    rmSync(socket, { force: true })
  } catch (cause) {
    throw socketError(socket, cause)
  }
}

/** INVARIANT: only the holder of the gate's lock calls this, see `removeSocket`. @throws HookgateError `unavailable` */
export async function listenAtSocket(app: FastifyInstance, places: GatePaths): Promise<void> {
  removeSocket(places)
  try {
    await app.listen({ path: places.socket, backlog: limits.httpConnectionsMax })
  } catch (cause) {
    throw socketError(places.socket, cause)
  }
}

const socketError = (socket: string, cause: unknown) =>
  new HookgateError('unavailable', `the gate cannot listen on this socket: ${errorText(cause)}`, {
    place: { file: socket },
    remedy: 'remove what is there, or set HOOKGATE_HOME to another folder',
    cause,
  })

/** What listens at a port, and how another one is chosen. */
interface PortUse {
  readonly who: string
  readonly remedy: string
}

const gateUse: PortUse = {
  who: 'the gate',
  remedy: 'choose another port, with `--http PORT`, or with `--port PORT` for `hookgate enable`',
}

/** @throws HookgateError `unavailable` */
export async function listenAtPort(app: FastifyInstance, port: number, use: PortUse = gateUse): Promise<void> {
  try {
    await app.listen({ host: loopback, port, backlog: limits.httpConnectionsMax })
  } catch (cause) {
    throw portError(port, cause, use)
  }
}

/** Checks that a port is free. @throws HookgateError `unavailable` */
export async function checkPort(port: number): Promise<void> {
  const server = createServer()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', (cause) => reject(portError(port, cause, gateUse)))
  server.listen({ host: loopback, port }, resolve)
  await promise
  await new Promise((closed) => server.close(closed))
}

function portError(port: number, cause: unknown, { who, remedy }: PortUse): HookgateError {
  const isTaken = codeOf(cause) === 'EADDRINUSE'
  const why = isTaken ? 'another program is using it' : errorText(cause)
  return new HookgateError('unavailable', `${who} cannot listen at ${addressOf(port)}: ${why}`, {
    remedy,
    cause,
  })
}
