import { writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { askGate } from '../../../src/service/server/ask-gate.ts'
import { digestOf, proofHeader, proofOf, requestOf } from '../../../src/files/proof.ts'
import { folderWith } from '../../support/workspace.ts'

const key = '7e'.repeat(32)

/** Answers as a gate with that key does, or as another program. */
async function listening(answer: RequestListener) {
  const folder = folderWith()
  const places = { socket: join(folder, 'sock'), key: join(folder, 'gate.key') }
  const { socket } = places
  writeFileSync(places.key, key, { mode: 0o600 })
  const server = createServer(answer)
  await new Promise<void>((done) => server.listen(socket, done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return places
}

describe('asking a gate', () => {
  it('transfers request and answer whole, whatever the bytes and the status', async () => {
    const places = await listening((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const body = Buffer.concat(chunks)
        const exchange = {
          ...requestOf(request),
          bodyDigest: digestOf(body),
          status: 418,
          exitCode: '',
          stderrBytes: '',
        }
        const headers = { 'x-method': request.method, 'x-length': request.headers['content-length'] ?? 'none' }
        response.writeHead(418, { ...headers, [proofHeader]: proofOf(key, exchange, body) }).end(body)
      })
    })
    const body = Buffer.alloc(1024 * 1024, Buffer.from([0, 255, 10, 13]))
    const posted = await askGate(places, { path: '/', body })
    expect(posted).toMatchObject({ status: 418, headers: { 'x-method': 'POST', 'x-length': '1048576' } })
    expect(posted.body.equals(body)).toBe(true)
    expect(await askGate(places, { path: '/' })).toMatchObject({ headers: { 'x-method': 'GET', 'x-length': 'none' } })
  })

  it('rejects the answer of a program that does not prove to be the gate', async () => {
    const places = await listening((_request, response) => void response.end('{"pid": 1}'))
    await expect(askGate(places, { path: '/' })).rejects.toMatchObject({ code: 'EUNPROVED' })
  })

  it('times out, whether nothing arrives or too little', async () => {
    const silent = await listening(() => {})
    const halting = await listening(
      (_request, response) => void response.writeHead(200, { 'content-length': 10 }).write('x'),
    )
    for (const places of [silent, halting]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await expect(askGate(places, { path: '/', timeoutMs: 100 })).rejects.toMatchObject({ code: 'ETIMEDOUT' })
    }
  })

  it('rejects an incomplete answer', async () => {
    const places = await listening((_request, response) => {
      response.writeHead(200, { 'content-length': 10 })
      response.write('x', () => response.destroy())
    })
    await expect(askGate(places, { path: '/' })).rejects.toMatchObject({ code: 'ECONNRESET' })
  })

  it('reports that no gate is running', async () => {
    await expect(askGate({ socket: join(folderWith(), 'sock'), key: '' }, { path: '/' })).rejects.toMatchObject({
      code: 'ENOENT',
    })
  })
})
