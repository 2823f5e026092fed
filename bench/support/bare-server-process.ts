// The far end of the HTTP floor: takes an event and gives an empty object back. Says its port once it listens.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString())
    // As the gate does: a kept connection that ends just when an agent asks is a failed hook.
    response.writeHead(200, { 'content-type': 'application/json', connection: 'close' }).end('{}')
  })
})
server.listen(0, '127.0.0.1', () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server's address is one
  const { port } = server.address() as AddressInfo
  process.stdout.write(`${port}\n`)
})
