import { describe, expect, it } from 'vitest'
import { post } from '../../../src/service/bridge/emit.ts'
import { deadPort, listener, rawListener } from '../../support/listener.ts'

const body = new TextEncoder().encode('{"hookName":"PostToolUse"}')
const event = { route: '/cline-hook', body, token: async () => undefined }

/** Posts an event to a listener that answers every request with these bytes. */
async function postedTo(answer: readonly string[]) {
  const port = await rawListener((socket) => {
    socket.once('data', () => {
      for (const part of answer) socket.write(part)
      socket.end()
    })
  })
  return post({ ...event, port }, 5000)
}

describe('posting an event', () => {
  it('sends the bytes unchanged, with the token', async () => {
    const { port, requests } = await listener()
    const big = new TextEncoder().encode(JSON.stringify({ text: 'ü'.repeat(400_000) }))
    expect(await post({ ...event, body: big, port, token: async () => 'secret' }, 10_000)).toEqual({ kind: 'accepted' })
    expect(requests).toHaveLength(1)
    expect(requests[0]?.method).toBe('POST')
    expect(requests[0]?.path).toBe('/cline-hook')
    expect(requests[0]?.headers).toMatchObject({
      host: `127.0.0.1:${port}`,
      authorization: 'Bearer secret',
      'content-type': 'application/json',
    })
    expect(requests[0]?.body).toBe(new TextDecoder().decode(big))
  })

  it('sends no authorization without a token', async () => {
    const { port, requests } = await listener(204)
    expect(await post({ ...event, port })).toEqual({ kind: 'accepted' })
    expect(requests[0]?.headers).not.toHaveProperty('authorization')
  })

  it('detects that no one listens, without reading the token', async () => {
    let tokenRead = false
    const token = async () => {
      tokenRead = true
      return 'secret'
    }
    expect(await post({ ...event, port: await deadPort(), token })).toEqual({ kind: 'notListening' })
    expect(tokenRead).toBe(false)
  })

  it.each([301, 401, 409, 413, 500, 503])('fails at the status %i', async (status) => {
    const { port } = await listener(status)
    expect(await post({ ...event, port })).toEqual({ kind: 'failed', why: `it answered ${status}` })
  })

  it('waits for the final answer after interim ones, byte by byte', async () => {
    const answer = 'HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n'
    expect(await postedTo(answer.split(/(?=)/))).toEqual({ kind: 'accepted' })
  })

  it.each([
    ['nothing', [], 'without an answer'],
    ['another protocol', ['SSH-2.0-OpenSSH\r\n'], 'not HTTP'],
    ['half a status', ['HTTP/1.1 2'], 'without an answer'],
    ['HTTP/2', ['HTTP/2 200\r\n\r\n'], 'not HTTP'],
    ['headers without end', ['HTTP/1.1 100 Continue\r\n', 'x: y\r\n'.repeat(10_000)], 'not HTTP'],
  ])('fails at %s', async (_, answer, why) => {
    const posted = await postedTo(answer)
    expect(posted.kind === 'failed' && posted.why).toContain(why)
  })

  it('times out at a silent listener, and at one that never finishes', async () => {
    const silent = await rawListener(() => {})
    expect(await post({ ...event, port: silent }, 100)).toEqual({ kind: 'failed', why: 'timed out after 100 ms' })
    const slow = await rawListener((socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 100 Continue\r\n\r\n'), 10)
      socket.on('close', () => clearInterval(timer))
    })
    expect(await post({ ...event, port: slow }, 200)).toEqual({ kind: 'failed', why: 'timed out after 200 ms' })
  })
})
