import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, normalize } from 'node:path'
import { onTestFinished } from 'vitest'

type Answerer = (response: ServerResponse, request: IncomingMessage) => void

/** Serves a folder as any static server does, and at some paths whatever a test says. */
export async function serveFolder(folder: string) {
  const requests: string[] = []
  const instead = new Map<string, Answerer>()
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(request.url ?? '/'))
    requests.push(path)
    const own = [...instead].find(([part]) => path.includes(part))?.[1]
    if (own !== undefined) return own(response, request)
    try {
      const bytes = readFileSync(join(folder, path))
      response.writeHead(200, { 'content-length': bytes.length }).end(bytes)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  onTestFinished(close)
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    /** Answers paths that contain this part in another way. */
    at: (part: string, answer: Answerer | string | Uint8Array) =>
      instead.set(part, typeof answer === 'function' ? answer : (response) => void response.end(answer)),
    asBefore: () => instead.clear(),
    close,
  }
}
