// A gate that decides nothing but proves itself, in its own process, so that only the cost of clients is measured.
// Arguments: socket, key. Prints its port, and exits at the end of its stdin.
import { createHash } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { proofHeader, proofOf, requestOf } from '../../src/files/proof.ts'

const [socket = '', key = ''] = process.argv.slice(2)
const answer = Buffer.from('{"cancel":true,"errorMessage":"no"}\nno\n')

const listener: RequestListener = (request, response) => {
  const hash = createHash('sha256')
  request.on('data', (chunk: Buffer) => hash.update(chunk))
  request.on('end', () => {
    const exchange = { ...requestOf(request), bodyDigest: hash.digest('hex'), status: 200, exitCode: 0, stderrBytes: 3 }
    const proof = proofOf(key, exchange, answer)
    const headers = { 'hookgate-exit-code': '0', 'hookgate-stderr-bytes': '3', 'content-length': `${answer.length}` }
    response.writeHead(200, { ...headers, [proofHeader]: proof }).end(answer)
  })
}
createServer(listener).listen(socket, () => {
  const http = createServer(listener).listen(0, '127.0.0.1', () => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server's address is one
    console.log((http.address() as AddressInfo).port)
  })
})
process.stdin.resume().on('end', () => process.exit())
