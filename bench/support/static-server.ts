// Serves a folder over HTTP, in a process of its own: `node static-server.ts FOLDER`. Sends its port to the parent, and
// counts what it has answered until it is asked.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join, normalize } from 'node:path'

/** What a server has answered since it was last asked. */
export interface Answered {
  readonly requests: number
  /** With the headers. */
  readonly bytes: number
  /** CPU time of the server, ms. */
  readonly cpuMs: number
}

const [folder = '.'] = process.argv.slice(2)
const files = new Map<string, Buffer | undefined>()
let requests = 0
let bytes = 0
let cpu = process.cpuUsage()

function fileAt(path: string): Buffer | undefined {
  if (!files.has(path)) {
    try {
      files.set(path, readFileSync(join(folder, path)))
    } catch {
      files.set(path, undefined)
    }
  }
  return files.get(path)
}

const server = createServer((request, response) => {
  const body = fileAt(normalize(request.url ?? '/'))
  requests += 1
  const { socket } = response
  const before = socket?.bytesWritten ?? 0
  response.on('finish', () => (bytes += (socket?.bytesWritten ?? 0) - before))
  if (body === undefined) response.writeHead(404).end()
  else response.writeHead(200, { 'content-length': body.length }).end(body)
})

process.on('message', () => {
  const { user, system } = process.cpuUsage(cpu)
  process.send?.({ requests, bytes, cpuMs: (user + system) / 1000 } satisfies Answered)
  requests = 0
  bytes = 0
  cpu = process.cpuUsage()
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.(typeof address === 'object' ? (address?.port ?? 0) : 0)
})
