/* oxlint-disable no-await-in-loop -- one request after the other is the point */
import { describe, expect, it } from 'vitest'
import { type Answer, ask, type Listening, listening, sayRaw, token } from '../support/server.ts'
import { claudeShell } from '../support/wire.ts'

const body = claudeShell('ls', '/')

/** Collects the replies to such a caller from every route, and whether the next, authorized one is answered. */
async function repliesEverywhere(listener: Listening, headers: Record<string, string | undefined>) {
  const replies = new Set<string>()
  const note = ({ status, json, body: text }: Answer) => {
    const { error } = json() as { error?: { code: string; message: string; remedy: string } }
    replies.add(`${status} ${error?.code} ${text.includes(token) ? 'with the token' : ''}`.trim())
    if (!error?.message || !error.remedy) replies.add('without a remedy')
  }
  for (const path of ['/claude-code', '/v1/hook/cline', '/v1/decide', '/claude-hook']) {
    note(await ask(listener, path, { headers, body }))
  }
  for (const path of ['/healthz', '/metrics', '/v1/rules', '/v1/events', '/nowhere']) {
    note(await ask(listener, path, { headers }))
  }
  const kept = listener.shared.events.lastId
  const next = await ask(listener, '/claude-code', { body })
  return { replies: [...replies], kept, next: next.status }
}
const only = (reply: string) => ({ replies: [reply], kept: 0, next: 200 })

describe('a caller without the right token', () => {
  it.each([
    ['none', undefined],
    ['an empty one', ''],
    ['another', 'Bearer other'],
    ['its beginning', `Bearer ${token.slice(0, -1)}`],
    ['more than it', `Bearer ${token}x`],
    ['it in other letters', `Bearer ${token.toUpperCase()}`],
    ['it without its scheme', token],
    ['it in another scheme', `Basic ${token}`],
    ['one of 8 KB', `Bearer ${'x'.repeat(8192)}`],
  ])('gets 401 everywhere: %s', async (_, authorization) => {
    const listener = await listening()
    expect(await repliesEverywhere(listener, { authorization })).toEqual(only('401 unauthorized'))
    expect(listener.log()).not.toContain(token)
  })

  it('is not authorized by a second header or by the query', async () => {
    const listener = await listening()
    const { port } = listener
    const request = `GET /healthz?authorization=Bearer%20${token} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer no\r\nauthorization: Bearer ${token}\r\nconnection: close\r\n\r\n`
    expect(await sayRaw(listener, request)).toMatch(/^HTTP\/1\.1 401 /)
  })
})

describe('a web page', () => {
  it.each(['http://evil.example', 'null', 'http://127.0.0.1', 'file://', ''])(
    'of the origin `%s` gets 403',
    async (origin) => {
      expect(await repliesEverywhere(await listening(), { origin })).toEqual(only('403 fromBrowser'))
    },
  )

  it.each(['cross-site', 'same-origin', 'none'])('that a browser calls `%s` gets 403', async (site) => {
    expect(await repliesEverywhere(await listening(), { 'sec-fetch-site': site })).toEqual(only('403 fromBrowser'))
  })

  it('is not allowed by a preflight, nor at a Unix socket', async () => {
    const headers = { origin: 'http://evil.example', 'access-control-request-method': 'POST' }
    for (const kind of ['tcp', 'unix'] as const) {
      const listener = await listening({ kind })
      const answer = await ask(listener, '/claude-code', { method: 'OPTIONS', headers })
      expect(answer.status).toBe(403)
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })

  it('cannot hide its origin behind thousands of other headers', async () => {
    const listener = await listening()
    const many = Array.from({ length: 2500 }, () => 'a:\r\n').join('')
    const request = `GET /healthz HTTP/1.1\r\nhost: 127.0.0.1:${listener.port}\r\nauthorization: Bearer ${token}\r\n${many}origin: http://evil.example\r\nconnection: close\r\n\r\n`
    expect(await sayRaw(listener, request)).toMatch(/^HTTP\/1\.1 403 .*"fromBrowser"/s)
  })
})

describe('a DNS name rebound to this machine', () => {
  it.each([
    'evil.example',
    'evil.example:PORT',
    '127.0.0.1',
    '127.0.0.1:1',
    '127.0.0.1:PORT0',
    '127.0.0.1.evil.example:PORT',
    'localhost.evil.example:PORT',
    'localhost.:PORT',
    '127.1:PORT',
    '0.0.0.0:PORT',
    '[::ffff:127.0.0.1]:PORT',
    'me@127.0.0.1:PORT',
    '127.0.0.1:PORT, evil.example',
    ' ',
  ])('gets 403: `%s`', async (name) => {
    const listener = await listening()
    const host = name.replace('PORT', String(listener.port))
    expect(await repliesEverywhere(listener, { host })).toEqual(only('403 foreignHost'))
  })

  it.each(['127.0.0.1:PORT', 'localhost:PORT', 'LOCALHOST:PORT', '[::1]:PORT'])(
    'is accepted if it is a loopback name: `%s`',
    async (name) => {
      const listener = await listening()
      const host = name.replace('PORT', String(listener.port))
      expect((await ask(listener, '/healthz', { headers: { host } })).status).toBe(200)
    },
  )

  it('is refused in a second `Host` and in the request target', async () => {
    const listener = await listening()
    const rest = `authorization: Bearer ${token}\r\nconnection: close\r\n\r\n`
    const ours = `host: 127.0.0.1:${listener.port}\r\n`
    const evil = 'host: evil.example\r\n'
    for (const hosts of [ours + evil, evil + ours, ours + ours]) {
      expect(await sayRaw(listener, `GET /healthz HTTP/1.1\r\n${hosts}${rest}`)).toMatch(/^HTTP\/1\.1 40[03] /)
    }
    for (const target of ['http://evil.example/healthz', `http://127.0.0.1:${listener.port}/healthz`, '*']) {
      expect(await sayRaw(listener, `GET ${target} HTTP/1.1\r\n${ours}${rest}`)).toMatch(/^HTTP\/1\.1 400 .*"error"/s)
    }
  })
})
