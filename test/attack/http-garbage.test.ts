/* oxlint-disable no-await-in-loop -- one request after the other is the point */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ask, headOf, type Listening, listening, sayRaw, wireTo } from '../support/server.ts'
import { claudeShell } from '../support/wire.ts'
import { folderWith, rulesWith, writeFiles } from '../support/workspace.ts'

const event = claudeShell('ls', '/')
const body = JSON.stringify(event)

async function expectAnswering(listener: Listening) {
  const answer = await ask(listener, '/claude-code', { body })
  expect([answer.status, answer.body]).toEqual([200, ''])
}

const post = (listener: Listening, ...headers: string[]) => headOf(listener, 'POST /v1/hook/claude-code', ...headers)
const whole = (listener: Listening) => `${post(listener, `content-length: ${body.length}`)}\r\n${body}`

describe.each(['tcp', 'unix'] as const)('invalid HTTP, over %s', (kind) => {
  it.each([
    ['text', 'hello\r\n\r\n'],
    ['zeros', '\0'.repeat(1000)],
    ['a line of another version', 'GET /healthz HTTP/3.0\r\n\r\n'],
    ['a header without a colon', 'GET /healthz HTTP/1.1\r\nhost localhost\r\n\r\n'],
    ['a NUL in a header', 'GET /healthz HTTP/1.1\r\nhost: local\0host\r\n\r\n'],
    ['the hello of TLS', Buffer.from('16030100f8010000f40303', 'hex')],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['JSON', body],
  ])('is answered with 400: %s', async (_, bytes) => {
    const listener = await listening({ kind })
    expect(await sayRaw(listener, bytes)).toMatch(/^HTTP\/1\.1 400 .*"requestMalformed"/s)
    await expectAnswering(listener)
  })
})

describe('smuggled requests', () => {
  const inner = (listener: Listening) => `${headOf(listener, 'POST /claude-hook', 'content-length: 2')}\r\n{}`

  it.each<[string, (listener: Listening) => string]>([
    [
      'a length and chunks',
      (to) => `${post(to, 'content-length: 4', 'transfer-encoding: chunked')}\r\n0\r\n\r\n${inner(to)}`,
    ],
    ['two lengths', (to) => `${post(to, 'content-length: 0', 'content-length: 5')}\r\n${inner(to)}`],
    ['a list of lengths', (to) => `${post(to, 'content-length: 0, 5')}\r\n${inner(to)}`],
    ['a length with a sign', (to) => `${post(to, 'content-length: +0')}\r\n${inner(to)}`],
    ['a negative length', (to) => `${post(to, 'content-length: -1')}\r\n${inner(to)}`],
    ['a length in hexadecimal', (to) => `${post(to, 'content-length: 0x0')}\r\n${inner(to)}`],
    ['a length above 2^64', (to) => `${post(to, 'content-length: 18446744073709551616')}\r\n${inner(to)}`],
    ['a space ahead of the colon', (to) => `${post(to, 'content-length : 0')}\r\n${inner(to)}`],
    ['chunks in another spelling', (to) => `${post(to, 'transfer-encoding: xchunked')}\r\n0\r\n\r\n${inner(to)}`],
    ['chunks that are not last', (to) => `${post(to, 'transfer-encoding: chunked, gzip')}\r\n0\r\n\r\n${inner(to)}`],
    ['a bare line feed as an end', (to) => `${post(to, 'x: y\n\ncontent-length: 0')}\r\n${inner(to)}`],
    ['a folded header', (to) => `${post(to, 'transfer-encoding:\r\n chunked')}\r\n0\r\n\r\n${inner(to)}`],
    [
      'a chunk of a wrong size',
      (to) => `${post(to, 'transfer-encoding: chunked')}\r\n1\r\nxx\r\n0\r\n\r\n${inner(to)}`,
    ],
    [
      'a chunk of a size above 2^64',
      (to) => `${post(to, 'transfer-encoding: chunked')}\r\nfffffffffffffffff\r\n${inner(to)}`,
    ],
  ])('are refused, and the inner request is not processed: %s', async (_, request) => {
    const listener = await listening()
    expect(await sayRaw(listener, request(listener))).toMatch(/^HTTP\/1\.1 400 .*"requestMalformed"/s)
    expect(listener.shared.events.lastId).toBe(0)
    await expectAnswering(listener)
  })
})

describe('a pipeline', () => {
  it('is answered in order', async () => {
    const listener = await listening()
    const { socket, received } = await wireTo(listener)
    const health = `${headOf(listener, 'GET /healthz')}\r\n`
    const nowhere = `${headOf(listener, 'GET /nowhere')}\r\n`
    socket.write(health + nowhere + health)
    await expect
      .poll(() => received().match(/^HTTP\/1\.1 \d+/gm))
      .toEqual(['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200'])
  })

  it('with trailing garbage is closed, with no error bytes inside of an answer', async () => {
    const listener = await listening()
    const health = `${headOf(listener, 'GET /healthz')}\r\n`
    for (const request of [health, whole(listener)]) {
      const output = await sayRaw(listener, `${request}\0garbage\r\n\r\n`)
      expect(output.match(/HTTP\/1\.1 \d/g)?.length ?? 0).toBeLessThanOrEqual(2)
      if (output.startsWith('HTTP/1.1 200')) {
        const [head = '', rest = ''] = output.split(/\r\n\r\n(.*)/s)
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1])
        expect(rest.slice(length)).toMatch(/^($|HTTP\/1\.1 400 )/)
      }
    }
    await expectAnswering(listener)
  })

  it('with garbage behind a pending event still gets that answer, then is closed', async () => {
    const root = folderWith({
      'slow.sh': { script: '#!/bin/sh\ncat >/dev/null\nwhile [ ! -e "$0".go ]; do sleep 0.05; done\nexit 2\n' },
    })
    const rules = folderWith({ 'hooks.json': rulesWith('PreToolUse', join(root, 'slow.sh')) })
    const listener = await listening({ gate: { rules: [join(rules, 'hooks.json')] } })
    for (const path of ['/claude-code', '/v1/decide']) {
      const question = path === '/v1/decide' ? JSON.stringify({ event }) : body
      const { socket, received, closed } = await wireTo(listener)
      socket.write(`${headOf(listener, `POST ${path}`, `content-length: ${question.length}`)}\r\n${question}`)
      await expect.poll(() => listener.shared.admission.underWay).toBe(1)
      socket.write('\0garbage\r\n\r\n')
      await expect.poll(async () => (await ask(listener, '/metrics')).body).toContain('reason="malformed"')
      expect(received()).toBe('')
      writeFiles(root, { 'slow.sh.go': '' })
      expect(await closed).toMatch(/^HTTP\/1\.1 200 .*deny[^\0]*$/s)
      rmSync(join(root, 'slow.sh.go'))
    }
  })

  it('of thousands of requests has each answered or refused, and other clients are answered', async () => {
    const listener = await listening()
    const { socket, received } = await wireTo(listener)
    socket.write(`${headOf(listener, 'GET /healthz')}\r\n`.repeat(3000))
    await expectAnswering(listener)
    await expect.poll(() => received().match(/^HTTP\/1\.1 200/gm)?.length, { timeout: 120_000 }).toBe(3000)
  })
})

describe('unknown routes', () => {
  it.each([
    ['GET', '/', 404, 'notFound'],
    ['POST', '/nobody', 404, 'notFound'],
    ['POST', '/claude-code/', 404, 'notFound'],
    ['POST', '/CLAUDE-CODE', 404, 'notFound'],
    ['POST', '//claude-code', 404, 'notFound'],
    ['POST', '/x/../claude-code', 404, 'notFound'],
    ['POST', '/claude-code%00', 404, 'notFound'],
    ['POST', '/%2e%2e/etc/passwd', 404, 'notFound'],
    ['POST', '/v1/hook/nobody', 404, 'agentUnknown'],
    ['POST', '/v1/hook/__proto__', 404, 'agentUnknown'],
    ['POST', '/v1/hook/constructor', 404, 'agentUnknown'],
    ['POST', '/v1/hook/', 404, 'agentUnknown'],
    ['GET', '/claude-code', 405, 'methodNotAllowed'],
    ['PUT', '/claude-code', 405, 'methodNotAllowed'],
    ['DELETE', '/v1/hook/cline', 405, 'methodNotAllowed'],
    ['POST', '/healthz', 405, 'methodNotAllowed'],
    ['HEAD', '/v1/decide', 405, ''],
    ['TRACE', '/healthz', 405, ''],
    ['POST', '/%zz', 400, 'requestMalformed'],
    ['POST', '/%c0%ae', 400, 'requestMalformed'],
  ])('%s %s is %i', async (method, path, status, code) => {
    const listener = await listening()
    const answer = await ask(listener, path, { method })
    expect(answer.status).toBe(status)
    if (code !== '') expect(answer.json()).toMatchObject({ error: { code, message: /./, remedy: /./ } })
    await expectAnswering(listener)
  })

  it('a tunnel is refused, and an upgrade request is answered as a plain request', async () => {
    const listener = await listening()
    expect(await sayRaw(listener, `${headOf(listener, 'CONNECT evil.example:443')}\r\n`)).toMatch(
      /^HTTP\/1\.1 405 .*proxy/s,
    )
    const upgrade = headOf(listener, 'GET /healthz', 'connection: upgrade, close', 'upgrade: websocket')
    expect(await sayRaw(listener, `${upgrade}\r\n`)).toMatch(/^HTTP\/1\.1 200 .*"status":"ok"/s)
    const expecting = headOf(listener, 'GET /healthz', 'connection: close', 'expect: miracles')
    expect(await sayRaw(listener, `${expecting}\r\n`)).toMatch(/^HTTP\/1\.1 417 /)
  })
})

describe('hostile JSON', () => {
  const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`
  const pollution = `{"__proto__":{"decision":"allow","polluted":true},"constructor":{"prototype":{"polluted":true}},${body.slice(1)}`

  it('with prototype names is an ordinary event, and pollutes nothing', async () => {
    const listener = await listening()
    for (const path of ['/claude-code', '/v1/hook/claude-code', '/cline', '/claude-hook']) {
      expect((await ask(listener, path, { body: pollution })).status).toBeLessThan(300)
    }
    expect((await ask(listener, '/v1/decide', { body: `{"event":${pollution}}` })).json()).toMatchObject({
      decision: 'abstain',
    })
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
    expect((await ask(listener, '/v1/events')).json()).toMatchObject({ lastId: 4 })
    await expectAnswering(listener)
  })

  it.each([
    ['an unknown key', `{"event":${body},"allow":true}`],
    ['a prototype', `{"event":${body},"__proto__":{"agent":"cline"}}`],
    ['no event', '{}'],
    ['an event that is a list', '{"event":[]}'],
    ['an event in text', `{"event":${JSON.stringify(body)}}`],
    ['an agent that is none', `{"event":${body},"agent":"toString"}`],
    ['an agent that is a list', `{"event":${body},"agent":["cline"]}`],
    ['a list', '[]'],
    ['nothing', ''],
    ['half of it', '{"event":'],
    ['a key of a megabyte', `{"${'x'.repeat(1e6)}":1}`],
    ['two events', `{"event":${body},"event":{}}`],
    ['two events, one escaped', `{"\\u0065vent":{},"event":${body}}`],
    ['an event with two inputs', `{"event":${body.replace('"command":', '"command":"rm -rf ~","command":')}}`],
    [
      'an event with two inputs, with white space',
      `{"event":${body.replace('"command":', '"command" \n: "a\\\\","command":')}}`,
    ],
  ])('/v1/decide refuses a question with %s', async (_, question) => {
    const listener = await listening()
    const answer = await ask(listener, '/v1/decide', { body: question })
    expect([answer.status, answer.json()]).toMatchObject([400, { error: { code: 'requestMalformed' } }])
    expect(answer.body.length).toBeLessThan(2000)
  })

  it.each([
    ['two commands', body.replace('"command":', '"command":"rm -rf ~","command":')],
    ['two tools', body.replace('"tool_name":', '"tool_name":"Read","tool_name":')],
    ['two commands around a deep object', body.replace('"command":', `"command":"a","a":${deep},"command":`)],
    ['a key behind a text with quotes', body.replace('"command":', String.raw`"a":"\"b\":1{","a":"\\","command":`)],
  ])('that holds %s is refused by every route of an agent', async (_, twice) => {
    const listener = await listening()
    for (const route of ['/claude-code', '/codex', '/gemini-cli']) {
      const answer = await ask(listener, route, { body: twice })
      expect([answer.status, answer.body]).toEqual([200, expect.stringContaining('stands twice')])
    }
  })

  it('that holds the same key in several objects, or as a text, is decided', async () => {
    const listener = await listening()
    const fine = {
      ...event,
      tool_input: { command: 'ls', a: [{ command: 'b' }, { command: '"command":"c","command":' }] },
    }
    const answer = await ask(listener, '/claude-code', { body: fine })
    expect([answer.status, answer.body]).toEqual([200, ''])
  })

  it('nested a hundred thousand levels deep is refused, never left unanswered', async () => {
    const listener = await listening()
    const nested = `{"tool_input":${deep},${body.slice(1).replace('"tool_input":{"command":"ls"},', '')}`
    const answer = await ask(listener, '/claude-code', { body: nested })
    expect([answer.status, answer.body]).toEqual([200, expect.stringContaining('nested deeper')])
    const verdict = await ask(listener, '/v1/decide', { body: `{"event":${nested}}` })
    expect([verdict.status, verdict.json()]).toMatchObject([
      200,
      { decision: 'deny', cancel: true, error: { code: 'eventMalformed' } },
    ])
    expect((await ask(listener, '/claude-hook', { body: nested })).status).toBe(204)
    await expectAnswering(listener)
  })

  it('of an event that no agent sends is refused at /v1/decide too', async () => {
    const listener = await listening()
    const answer = await ask(listener, '/v1/decide', { body: { event: { who: 'knows' } } })
    expect([answer.status, answer.json()]).toMatchObject([
      200,
      { decision: 'deny', cancel: true, error: { code: 'agentUnknown' } },
    ])
  })
})
