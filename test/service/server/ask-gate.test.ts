import { writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { askGate } from '../../../src/service/server/ask-gate.ts'
import { standInGate } from '../../../src/service/client/probe.ts'
import { accepted, frameOf, replyOf, testKey } from '../../support/thin-client.ts'
import { folderWith } from '../../support/workspace.ts'

/** Listens as a gate with that key does, or as another program. */
async function listening(server: ReturnType<typeof createServer>) {
  const folder = folderWith()
  const places = { socket: join(folder, 'sock'), key: join(folder, 'gate.key') }
  writeFileSync(places.key, testKey, { mode: 0o600 })
  const connections = new Set<Socket>()
  server.on('connection', (connection: Socket) => connections.add(connection))
  await new Promise<void>((done) => server.listen(places.socket, done))
  onTestFinished(() => {
    for (const connection of connections) connection.destroy()
    server.close()
  })
  return places
}

/** Sends some bytes once something is asked. */
const saying = (bytes: Uint8Array, isLast = false) =>
  createServer((connection) => {
    connection.on('error', () => {})
    connection.once('data', () => (isLast ? connection.end(bytes) : connection.write(bytes)))
  })

describe('asking a gate', () => {
  it('transfers request and answer whole', async () => {
    const gate = standInGate(testKey, ({ head, body }) => ({ stdout: body, stderr: Buffer.from(head), exitCode: 2 }))
    const body = 'é\0\n'.repeat(300_000)
    const answer = await askGate(await listening(gate), { to: 'hook', agent: 'cline', body })
    expect(answer).toMatchObject({ isAnswer: true, exitCode: 2 })
    expect(answer.stdout === body).toBe(true)
    expect(JSON.parse(answer.stderr)).toMatchObject({ to: 'hook', agent: 'cline', callerBytes: 0 })
  })

  it('tells a refusal from an answer', async () => {
    const gate = standInGate(testKey, () => ({ stdout: Buffer.from('{}'), stderr: Buffer.alloc(0), exitCode: 3 }))
    expect(await askGate(await listening(gate), { to: 'events' })).toMatchObject({ isAnswer: false, stdout: '{}' })
  })

  it.each([
    ['an answer of a program that does not prove to be the gate', replyOf('{"pid": 1}')],
    ['HTTP', Buffer.from('HTTP/1.1 200 OK\r\n\r\n')],
    ['a frame that is too long', Buffer.concat([accepted, frameOf('o', '', 0xffffffff)])],
  ])('rejects %s', async (_what, reply) => {
    const places = await listening(saying(reply))
    await expect(askGate(places, { to: 'status' })).rejects.toMatchObject({ code: 'EUNPROVED' })
  })

  it('times out, whether nothing arrives or too little', async () => {
    for (const part of [0, 3, accepted.length, -1]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const places = await listening(saying(replyOf('{}').subarray(0, part)))
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await expect(askGate(places, { to: 'status', timeoutMs: 100 })).rejects.toMatchObject({ code: 'ETIMEDOUT' })
    }
  })

  it('rejects an incomplete answer', async () => {
    const places = await listening(saying(replyOf('{}').subarray(0, -1), true))
    await expect(askGate(places, { to: 'status' })).rejects.toMatchObject({ code: 'ECONNRESET' })
  })

  it('reports that no gate is running', async () => {
    await expect(askGate({ socket: join(folderWith(), 'sock'), key: '' }, { to: 'status' })).rejects.toMatchObject({
      code: 'ENOENT',
    })
  })
})
