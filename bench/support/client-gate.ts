// A gate that decides nothing but proves itself, in its own process, so that only the cost of clients is measured.
// Arguments: socket, key. Prints its port, and exits at the end of its stdin.
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { opening } from '../../src/service/frames.ts'
import { standInGate } from '../../src/service/client/probe.ts'

const [socket = '', key = ''] = process.argv.slice(2)
const said = { stdout: Buffer.from('{"cancel":true,"errorMessage":"no"}\n'), stderr: Buffer.from('no\n'), exitCode: 0 }

const framed = standInGate(key, () => said)
const listener: RequestListener = (request, response) => {
  request.resume().on('end', () => {
    const body = Buffer.concat([said.stdout, said.stderr])
    const headers = { 'hookgate-exit-code': '0', 'hookgate-stderr-bytes': '3', 'content-length': `${body.length}` }
    response.writeHead(200, headers).end(body)
  })
}
const http = createHttpServer(listener)
// As a gate does.
createServer((connection) => {
  connection.once('readable', () => {
    const first: Buffer | null = connection.read()
    if (first === null) return void connection.destroy()
    connection.unshift(first)
    const server = first[0] === opening.charCodeAt(0) ? framed : http
    server.emit('connection', connection)
  })
}).listen(socket, () => {
  http.listen(0, '127.0.0.1', () => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server's address is one
    console.log((http.address() as AddressInfo).port)
  })
})
process.stdin.resume().on('end', () => process.exit())
