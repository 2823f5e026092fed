import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { limits } from '../model/limits.ts'

/** Tracks the connections and requests in flight of several listeners. */
export interface Traffic {
  /** Adds a server. Must be called before it listens. */
  watch(server: Server): void
  /** The number of requests in flight. */
  readonly underWay: number
  /** Destroys the connections without a request in flight. */
  dropIdle(): void
  dropAll(): void
}

export function watchTraffic(): Traffic {
  const connections = new Map<Socket, number>()
  let underWay = 0
  const count = (socket: Socket, by: 1 | -1) => {
    underWay += by
    const before = connections.get(socket)
    if (before !== undefined) connections.set(socket, before + by)
  }
  return {
    watch(server) {
      server.on('connection', (socket: Socket) => {
        connections.set(socket, 0)
        socket.once('close', () => connections.delete(socket))
      })
      // Prepended, so that a response that reports the requests in flight already counts its own.
      server.prependListener('request', ({ socket }, response) => {
        count(socket, 1)
        // Emitted exactly once, whether the response is complete or cut off.
        response.once('close', () => count(socket, -1))
      })
    },
    get underWay() {
      return underWay
    },
    // Node's own `closeIdleConnections` leaves connections open that have never sent a request.
    dropIdle() {
      for (const [socket, requests] of connections) if (requests === 0) socket.destroy()
    },
    dropAll() {
      for (const socket of connections.keys()) socket.destroy()
    },
  }
}

/**
 * Stops listening, waits for the requests in flight, and cuts off those not answered within `withinMs`. Clients that
 * are cut off see a broken connection, which never counts as an answer.
 *
 * @param close stops listening; settles when the last connection is closed
 * @returns whether all requests were answered
 */
export async function drain(traffic: Traffic, close: () => Promise<unknown>, withinMs: number): Promise<boolean> {
  let isWhole = true
  const cut = setTimeout(() => {
    isWhole = traffic.underWay === 0
    traffic.dropAll()
  }, withinMs)
  // Repeated, because a keep-alive connection becomes idle only once its request has been answered.
  const sweep = setInterval(() => traffic.dropIdle(), limits.gateLookMs)
  try {
    await close()
  } finally {
    clearTimeout(cut)
    clearInterval(sweep)
  }
  return isWhole
}
