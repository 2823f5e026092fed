import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { askGate } from '../../src/server/ask-gate.ts'
import { folderWith } from '../support/workspace.ts'

async function listening(answer: RequestListener): Promise<string> {
  const socket = join(folderWith(), 'sock')
  const server = createServer(answer)
  await new Promise<void>((done) => server.listen(socket, done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return socket
}

describe('asking a gate', () => {
  it('transfers request and answer whole, whatever the bytes and the status', async () => {
    const socket = await listening((request, response) => {
      response.writeHead(418, { 'x-method': request.method, 'x-length': request.headers['content-length'] ?? 'none' })
      request.pipe(response)
    })
    const body = Buffer.alloc(1024 * 1024, Buffer.from([0, 255, 10, 13]))
    const posted = await askGate(socket, { path: '/', body })
    expect(posted).toMatchObject({ status: 418, headers: { 'x-method': 'POST', 'x-length': '1048576' } })
    expect(posted.body.equals(body)).toBe(true)
    expect(await askGate(socket, { path: '/' })).toMatchObject({ headers: { 'x-method': 'GET', 'x-length': 'none' } })
  })

  it('times out, whether nothing arrives or too little', async () => {
    const silent = await listening(() => {})
    const halting = await listening(
      (_request, response) => void response.writeHead(200, { 'content-length': 10 }).write('x'),
    )
    for (const socket of [silent, halting]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await expect(askGate(socket, { path: '/', timeoutMs: 100 })).rejects.toMatchObject({ code: 'ETIMEDOUT' })
    }
  })

  it('rejects an incomplete answer', async () => {
    const socket = await listening((_request, response) => {
      response.writeHead(200, { 'content-length': 10 })
      response.write('x', () => response.destroy())
    })
    await expect(askGate(socket, { path: '/' })).rejects.toMatchObject({ code: 'ECONNRESET' })
  })

  it('reports that no gate is running', async () => {
    await expect(askGate(join(folderWith(), 'sock'), { path: '/' })).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
