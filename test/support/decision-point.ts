import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTls } from 'node:https'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { tlsFile } from './remote-server.ts'

/** A request that a server got. */
export interface PointRequest {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: unknown
}
export type PointReply = (request: PointRequest, response: ServerResponse) => void

/** Starts a server that answers as the test says, until the test ends. @param cert a server's certificate: it speaks TLS */
export async function serverAnswering(reply: PointReply, cert?: string) {
  const requests: PointRequest[] = []
  let answer = reply
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString() || 'null')
      const received = { path: request.url ?? '', headers: request.headers, body }
      requests.push(received)
      answer(received, response)
    })
  }
  const server =
    cert === undefined
      ? createServer(onRequest)
      : createTls({ cert: readFileSync(tlsFile(`${cert}.pem`)), key: readFileSync(tlsFile(`${cert}.key`)) }, onRequest)
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  onTestFinished(close)
  const { port } = server.address() as AddressInfo
  return {
    url: `${cert === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    requests,
    answer: (next: PointReply) => (answer = next),
    close,
  }
}

/** Returns a reply with JSON. */
export const json =
  (value: object, status = 200): PointReply =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  }
