import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import { createServer as createSocketServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

interface Heard {
  readonly method: string | undefined
  readonly path: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A real listener for events on a port of its own, gone when the test is. */
export async function listener(status = 200): Promise<{ readonly port: number; readonly heard: readonly Heard[] }> {
  const heard: Heard[] = []
  const take: RequestListener = (request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      heard.push({ method: request.method, path: request.url, headers: request.headers, body })
      response.writeHead(status).end('{"permissionDecision":"allow"}')
    })
  }
  const server = createServer(take)
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { port: await portOf(server), heard }
}

/** A listener that speaks no HTTP, or not in time. */
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

/** A port that nobody listens on: it was free a moment ago, and the system gives out others first. */
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
