import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { limits } from '../../model/limits.ts'
import { busy, problemText, type Problem } from './problem.ts'

/** The connections of one listener. */
export interface Connections {
  /** Protects a connection from being closed for a new one while it is answered. @returns a function that ends this */
  hold(socket: Socket): () => void
  isHeld(socket: Socket): boolean
}

/**
 * Bounds the connections of a listener. At the limit, a new connection replaces the one that has been silent longest,
 * even in the middle of sending a request: neither a thousand idle connections nor as many slow writers can lock others
 * out.
 */
export function boundConnections(server: Server, connectionsMax: number, onRefused: () => void): Connections {
  /** The number of requests being answered on each connection, ordered from least to most recently used. */
  const sockets = new Map<Socket, number>()
  const touch = (socket: Socket, by: number) => {
    const answering = sockets.get(socket)
    if (answering === undefined) return
    sockets.delete(socket)
    sockets.set(socket, answering + by)
  }

  function makeRoom(): boolean {
    for (const [socket, answering] of sockets) {
      if (answering > 0) continue
      sockets.delete(socket)
      socket.destroy()
      return true
    }
    return false
  }

  server.on('connection', (socket: Socket) => {
    if (sockets.size >= connectionsMax && !makeRoom()) {
      onRefused()
      endWith(socket, busy(`${connectionsMax} connections are being answered`))
      return
    }
    sockets.set(socket, 0)
    socket.once('close', () => sockets.delete(socket))
  })
  return {
    hold(socket) {
      touch(socket, 1)
      let held = true
      return () => {
        if (held) touch(socket, -1)
        held = false
      }
    },
    isHeld: (socket) => (sockets.get(socket) ?? 0) > 0,
  }
}

/** Writes a response to a socket without a parsed request, and closes the connection. */
export function endWith(socket: Socket, problem: Problem): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const body = problemText(problem)
  const head = [
    `HTTP/1.1 ${problem.status} ${reasonPhrases[problem.status] ?? 'Error'}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    ...Object.entries(problem.headers ?? {}).map(([name, value]) => `${name}: ${value}`),
  ]
  socket.once('error', () => {})
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  // Unread input would reset the connection before the client has read the response.
  socket.resume()
  setTimeout(() => socket.destroy(), limits.graceMs).unref()
}

const reasonPhrases: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  413: 'Content Too Large',
  431: 'Request Header Fields Too Large',
  503: 'Service Unavailable',
}
