import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import { createServer as createSocketServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

interface ReceivedRequest {
  readonly method: string | undefined
  readonly path: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Listens for events on a free port until the test ends, and records each request. */
export async function listener(
  status = 200,
): Promise<{ readonly port: number; readonly requests: readonly ReceivedRequest[] }> {
  const requests: ReceivedRequest[] = []
  const take: RequestListener = (request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      requests.push({ method: request.method, path: request.url, headers: request.headers, body })
      response.writeHead(status).end('{"permissionDecision":"allow"}')
    })
  }
  const server = createServer(take)
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { port: await portOf(server), requests }
}

/** Opens a TCP listener for tests of peers that answer late or not by HTTP. */
export async function rawListener(onConnection: (socket: Socket) => void): Promise<number> {
  const sockets: Socket[] = []
  const server = createSocketServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    onConnection(socket)
  })
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return portOf(server)
}

/** Returns a port without a listener: it was free a moment ago, and the system hands out others first. */
export async function deadPort(): Promise<number> {
  const server = createSocketServer()
  const port = await portOf(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}

function portOf(server: ReturnType<typeof createSocketServer>): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
}
