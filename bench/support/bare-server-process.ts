// The server of the HTTP floor: reads an event and returns an empty object. Prints its port once it listens.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString())
    // Like the gate: a keep-alive connection that closes just as an agent sends an event is a failed hook.
    response.writeHead(200, { 'content-type': 'application/json', connection: 'close' }).end('{}')
  })
})
server.listen(0, '127.0.0.1', () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server's address is one
  const { port } = server.address() as AddressInfo
  process.stdout.write(`${port}\n`)
})
