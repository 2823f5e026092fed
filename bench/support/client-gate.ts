// A gate that decides nothing, in its own process, so that only the cost of clients is measured. Arguments: socket,
// token file. Prints its port, and exits at the end of its stdin.
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

const [socket = ''] = process.argv.slice(2)
const answer = Buffer.from('{"cancel":true,"errorMessage":"no"}\nno\n')

const listener: RequestListener = (request, response) => {
  request.resume().on('end', () => {
    const headers = { 'hookgate-exit-code': '0', 'hookgate-stderr-bytes': '3', 'content-length': `${answer.length}` }
    response.writeHead(200, headers).end(answer)
  })
}
createServer(listener).listen(socket, () => {
  const http = createServer(listener).listen(0, '127.0.0.1', () => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server's address is one
    console.log((http.address() as AddressInfo).port)
  })
})
process.stdin.resume().on('end', () => process.exit())
