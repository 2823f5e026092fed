import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { limits } from '../../../model/limits.ts'

/** A request that is being received or answered. */
export interface FramedExchange {
  /** From now on, no new connection takes the place of this one. */
  setReceived(): void
  end(): void
}

/** The connections of one listener, and the requests on them. */
export interface Connections {
  /** The number of requests without a complete response. */
  readonly inFlight: number
  /** Counts a request that is none of HTTP. */
  begin(socket: Socket): FramedExchange
  /** Calls `then` once the responses in progress on a connection are complete, unless they have ended it. */
  whenAnswered(socket: Socket, then: () => void): void
  /** Destroys the connections without a request in flight. Node's `closeIdleConnections` keeps those never used. */
  dropIdle(): void
  dropAll(): void
}

/**
 * Tracks and bounds the connections of a listener. At the limit, a new connection replaces the one that has been silent
 * longest, even in the middle of sending a request: neither a thousand idle connections nor as many slow writers can
 * lock others out. Must be called before the server listens.
 *
 * @param refuse answers a connection for which there is no room
 */
export function boundConnections(
  server: Server,
  connectionsMax: number,
  refuse: (socket: Socket) => void,
  /** A connection of TLS counts once its handshake is done; `boundHandshakes` bounds the others. */
  begins: 'connection' | 'secureConnection' = 'connection',
): Connections {
  /** The responses in flight on each connection, ordered from the least to the most recently used. */
  const sockets = new Map<Socket, Set<ServerResponse>>()
  /** The exchanges that are none of HTTP, and whether each was received. A connection has one. */
  const exchanges = new Map<Socket, boolean>()
  /** Returns the responses to requests that were received completely. */
  const answersOn = (socket: Socket) => [...(sockets.get(socket) ?? [])].filter(({ req }) => req.complete)
  const touch = (socket: Socket) => {
    const responses = sockets.get(socket)
    if (responses === undefined) return
    sockets.delete(socket)
    sockets.set(socket, responses)
  }
  const firstSilent = (): Socket | undefined => {
    for (const socket of sockets.keys()) {
      if (answersOn(socket).length === 0 && exchanges.get(socket) !== true) return socket
    }
    return undefined
  }

  server.on(begins, (socket: Socket) => {
    if (sockets.size >= connectionsMax) {
      const silent = firstSilent()
      if (silent === undefined) return refuse(socket)
      sockets.delete(silent)
      silent.destroy()
    }
    sockets.set(socket, new Set())
    socket.once('close', () => sockets.delete(socket))
  })
  // Prepended, so that a response that reports the requests in flight already counts its own.
  server.prependListener('request', ({ socket }, response) => {
    sockets.get(socket)?.add(response)
    touch(socket)
    // Emitted exactly once, whether the response is complete or cut off.
    response.once('close', () => {
      sockets.get(socket)?.delete(response)
      touch(socket)
    })
  })
  return {
    get inFlight() {
      return [...sockets.values()].reduce((sum, responses) => sum + responses.size, exchanges.size)
    },
    begin(socket) {
      exchanges.set(socket, false)
      touch(socket)
      return {
        setReceived: () => exchanges.set(socket, true),
        end: () => exchanges.delete(socket),
      }
    },
    whenAnswered(socket, then) {
      const answers = answersOn(socket)
      if (answers.length === 0) then()
      let left = answers.length
      const onClosed = () => {
        left -= 1
        if (left === 0 && !socket.writableEnded) then()
      }
      for (const response of answers) response.once('close', onClosed)
    },
    dropIdle() {
      for (const [socket, responses] of sockets) if (responses.size === 0 && !exchanges.has(socket)) socket.destroy()
    },
    dropAll() {
      for (const socket of sockets.keys()) socket.destroy()
    },
  }
}

const peerOf = ({ remoteAddress = '', remotePort = 0 }: Socket) => `${remoteAddress} ${remotePort}`

/** Bounds the connections whose TLS handshake is not done. At the limit, the oldest is closed for a new one. */
export function boundHandshakes(server: Server, handshakesMax: number): void {
  const waiting = new Map<string, Socket>()
  server.on('connection', (socket: Socket) => {
    const [oldest] = waiting
    if (waiting.size >= handshakesMax && oldest !== undefined) {
      waiting.delete(oldest[0])
      oldest[1].destroy()
    }
    const key = peerOf(socket)
    waiting.set(key, socket)
    socket.once('close', () => waiting.delete(key))
  })
  server.on('secureConnection', (socket: Socket) => waiting.delete(peerOf(socket)))
}

/** Returns the number of requests in flight on several listeners. */
export const inFlightOn = (listeners: Iterable<Connections>): number =>
  [...listeners].reduce((sum, { inFlight }) => sum + inFlight, 0)

/**
 * Stops listening, waits for the requests in flight, and cuts off those not answered within `withinMs`. Clients that
 * are cut off see a broken connection, which never counts as an answer.
 *
 * @param close stops listening; settles when the last connection is closed
 * @returns whether all requests were answered
 */
export async function drain(
  listeners: readonly Connections[],
  close: () => Promise<unknown>,
  withinMs: number,
): Promise<boolean> {
  let isWhole = true
  const cut = setTimeout(() => {
    isWhole = inFlightOn(listeners) === 0
    for (const one of listeners) one.dropAll()
  }, withinMs)
  // Repeated, because a keep-alive connection becomes idle only once its request has been answered.
  const sweep = setInterval(() => listeners.forEach((one) => one.dropIdle()), limits.gateLookMs)
  try {
    await close()
  } finally {
    clearTimeout(cut)
    clearInterval(sweep)
  }
  return isWhole
}
