import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { limits } from '../model/limits.ts'

/** What is under way at some listeners. */
export interface Traffic {
  /** Watches one more, whoever answers there. To be called before it listens. */
  watch(server: Server): void
  /** Questions that have come and are not answered. */
  readonly underWay: number
  /** Cuts off the connections on which nothing is under way. */
  dropIdle(): void
  dropAll(): void
}

export function watchTraffic(): Traffic {
  const connections = new Map<Socket, number>()
  let underWay = 0
  const moved = (socket: Socket, by: 1 | -1) => {
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
      // Before it is answered, so that an answer that tells of what is under way tells of itself too.
      server.prependListener('request', ({ socket }, response) => {
        moved(socket, 1)
        // Whole or cut off: this comes once.
        response.once('close', () => moved(socket, -1))
      })
    },
    get underWay() {
      return underWay
    },
    // Node's own `closeIdleConnections` leaves those alone that have never said anything.
    dropIdle() {
      for (const [socket, asked] of connections) if (asked === 0) socket.destroy()
    },
    dropAll() {
      for (const socket of connections.keys()) socket.destroy()
    },
  }
}

/**
 * Stops listening, lets everything that is under way be answered, and cuts off what is not after `withinMs`: whoever
 * waits for it sees a broken connection, which is never an answer.
 *
 * @param close stops listening; settles when the last connection is gone
 * @returns whether all of it was answered
 */
export async function drain(traffic: Traffic, close: () => Promise<unknown>, withinMs: number): Promise<boolean> {
  let isWhole = true
  const cut = setTimeout(() => {
    isWhole = traffic.underWay === 0
    traffic.dropAll()
  }, withinMs)
  // One that is kept alive becomes idle only when it has been answered.
  const sweep = setInterval(() => traffic.dropIdle(), limits.gateLookMs)
  try {
    await close()
  } finally {
    clearTimeout(cut)
    clearInterval(sweep)
  }
  return isWhole
}
