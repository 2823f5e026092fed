/* oxlint-disable no-await-in-loop -- one request after the other is the point */
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { limits } from '../../src/model/limits.ts'
import { pageHeaders } from '../../src/ui/guard.ts'
import { servedPage } from '../support/page.ts'
import { askPage, type PageCaller, pageScript, redeem, send, sendRaw } from '../support/page-requests.ts'
import { claudeShell } from '../support/wire.ts'
import { freePort } from '../support/resident.ts'

async function signedIn(options: Parameters<typeof servedPage>[1] = {}) {
  const user = await servedPage({}, options)
  const caller = await redeem(user.served.port, user.served.link())
  if (caller === undefined) throw new Error('the link opens nothing')
  return { ...user, caller, port: user.served.port }
}

/** Returns a secret of the same length with another last letter. */
const almost = (secret: string) => `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`

describe('a link', () => {
  it('opens the page once', async () => {
    const { served } = await servedPage()
    const link = served.link()
    expect(await redeem(served.port, link)).toBeDefined()
    expect(await redeem(served.port, link)).toBeUndefined()
  })

  it('opens nothing after its time', async () => {
    const clock = { ms: 5 }
    const { served } = await servedPage({}, { nowMs: () => clock.ms })
    const late = served.link()
    clock.ms += limits.pageLinkMs
    expect(await redeem(served.port, late)).toBeUndefined()
    const next = served.link()
    clock.ms += limits.pageLinkMs - 1
    expect(await redeem(served.port, next)).toBeDefined()
  })

  it('opens nothing once there is a newer one, and attempts do not use that up', async () => {
    const { served } = await servedPage()
    const [first, second] = [served.link(), served.link()]
    for (const link of [first, almost(second), `${second}x`, `${second}/`, served.link().replace(/[^/]+$/, '')]) {
      expect(await redeem(served.port, link)).toBeUndefined()
    }
    expect(await redeem(served.port, served.link())).toBeDefined()
  })

  it('cannot be used by another page, nor by a script or a worker of the same origin', async () => {
    const { served } = await servedPage()
    const link = served.link()
    const host = `127.0.0.1:${served.port}`
    for (const headers of [
      { host: `rebound.example:${served.port}` },
      { host, origin: 'http://evil.example' },
      { host, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'same-origin', 'sec-fetch-dest': 'empty' },
      { host, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
      { host, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
    ]) {
      const answer = await send(served.port, { path: new URL(link).pathname, headers })
      expect([answer.status, answer.headers['set-cookie']]).toEqual([403, undefined])
    }
    // A person may click on it anywhere, such as in a chat in the browser.
    const clicked = { host, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
    expect((await send(served.port, { path: new URL(link).pathname, headers: clicked })).status).toBe(200)
  })
})

describe('the page and its files', () => {
  const paths = ['/', '/page.js', '/page.css', '/icon.svg', '/?x=1', '/nowhere'] as const

  it.each([
    ['without a cookie', () => undefined],
    ['with an empty one', ({ cookie }: PageCaller) => `${cookie.split('=')[0]}=`],
    ['with another', ({ cookie }: PageCaller) => almost(cookie)],
    ['with its beginning', ({ cookie }: PageCaller) => cookie.slice(0, -1)],
    ['with that of another port', ({ cookie }: PageCaller) => cookie.replace('=', '1=')],
    ['with the right one beside a planted one', ({ cookie }: PageCaller) => `${almost(cookie)}; ${cookie}`],
    ['with the right one before a planted one', ({ cookie }: PageCaller) => `${cookie}; ${almost(cookie)}`],
    ['with the token as the cookie', ({ cookie, token }: PageCaller) => `${cookie.split('=')[0]}=${token}`],
  ])('are not shown %s', async (_, cookieFor) => {
    const { caller, port } = await signedIn()
    for (const path of paths) {
      const answer = await send(port, { path, headers: { host: `127.0.0.1:${port}`, cookie: cookieFor(caller) } })
      expect(answer).toMatchObject({ status: 401, body: expect.not.stringContaining('<') as string })
    }
  })

  it('are the only ones, however a path is spelled', async () => {
    const { caller, port } = await signedIn()
    const headers = { host: `127.0.0.1:${port}`, cookie: caller.cookie }
    for (const path of [
      '/..%2findex.html',
      '/..%2f..%2f..%2fpackage.json',
      '/../package.json',
      '/%2e%2e/package.json',
      '/page.js/../../package.json',
      '/page.js%00.html',
      '//page.js',
      '/index.html',
      '/PAGE.JS',
      '/page.js;x',
      '/..\\package.json',
    ]) {
      const { status, body } = await send(port, { path, headers })
      expect([path, status, body.includes('"dependencies"')]).toEqual([path, 404, false])
    }
    expect((await send(port, { path: '/%zz', headers })).status).toBe(400)
  })
})

describe('data', () => {
  const codes = { 401: /"code":"unauthorized"/, 403: /"code":"(?:fromBrowser|foreignHost)"/ } as const

  it.each<readonly [string, 401 | 403, (caller: PageCaller) => Parameters<typeof askPage>[2]]>([
    [
      'a cookie without the token, as another port of 127.0.0.1 may have it',
      401,
      () => ({ 'hookgate-page': undefined }),
    ],
    ['the token without the cookie', 401, () => ({ cookie: undefined })],
    ['a wrong token', 401, ({ token }) => ({ 'hookgate-page': almost(token) })],
    ['the cookie as the token', 401, ({ cookie }) => ({ 'hookgate-page': cookie.split('=')[1] })],
    ['the token twice', 401, ({ token }) => ({ 'hookgate-page': [token, token] })],
    ['no origin', 403, () => ({ origin: undefined })],
    ['the origin of another port', 403, ({ port }) => ({ origin: `http://127.0.0.1:${port + 1}` })],
    ['the origin of another name', 403, ({ port }) => ({ origin: `http://localhost:${port}` })],
    ['the origin of a file', 403, () => ({ origin: 'null' })],
    ['another host, as after rebinding', 403, ({ port }) => ({ host: `rebound.example:${port}` })],
    ['another name of the same machine', 403, ({ port }) => ({ host: `localhost:${port}` })],
    ['no host', 403, () => ({ host: undefined })],
    ['a request that a browser calls cross-site', 403, () => ({ 'sec-fetch-site': 'cross-site' })],
    ['a request that a browser calls same-site, as of another port', 403, () => ({ 'sec-fetch-site': 'same-site' })],
    ['a request that a browser does not know the site of', 403, () => ({ 'sec-fetch-site': '?' })],
  ])('is not given for %s', async (_, status, headersFor) => {
    const { caller } = await signedIn()
    for (const path of ['/api/about', '/api/decisions', '/%61pi/about', '/api/%61bout']) {
      const answer = await askPage(caller, path, headersFor(caller), '{"limit":1}')
      expect([answer.status, answer.body]).toEqual([status, expect.stringMatching(codes[status])])
    }
    expect((await askPage(caller, '/api/about')).status).toBe(200)
  })

  it('is not given to two hosts, nor to the full address of a proxy', async () => {
    const { caller, port } = await signedIn()
    const lines = (first: string, ...more: readonly string[]) =>
      [
        `POST ${first} HTTP/1.1`,
        ...more,
        ...Object.entries(pageScript(caller)).flatMap(([name, value]) =>
          name === 'host' ? [] : [`${name}: ${String(value)}`],
        ),
        'content-length: 2',
        'connection: close',
        '',
        '{}',
      ].join('\r\n')
    const host = `host: 127.0.0.1:${port}`
    expect(await sendRaw(port, lines('/api/about', host, 'host: evil.example'))).toMatch(/^HTTP\/1\.1 40[03] /)
    expect(await sendRaw(port, lines(`http://127.0.0.1:${port}/api/about`, host))).toMatch(/^HTTP\/1\.1 400 /)
    expect(await sendRaw(port, lines('/api/about', host))).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('is given by no other method, and routes that are none have nothing', async () => {
    const { caller, port } = await signedIn()
    const headers = { ...pageScript(caller), 'content-type': undefined }
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE']) {
      const { status, body } = await send(port, { method, path: '/api/about', headers })
      expect([method, status, body.includes('version')]).toEqual([method, 404, false])
    }
    for (const path of ['/api', '/api/', '/api/toString', '/api/__proto__', '/api/about/', '/api/About', '/v1/rules']) {
      expect([path, (await askPage(caller, path)).status]).toEqual([path, 404])
    }
  })

  it.each([
    ['no JSON', '{"limit":', 400],
    ['nothing', '', 400],
    ['a list', '[]', 400],
    ['null', 'null', 400],
    ['unknown fields', '{"limit":1,"more":1}', 400],
    ['another prototype', '{"limit":1,"__proto__":{"isAdmin":true}}', 400],
    ['another constructor', '{"limit":1,"constructor":{"prototype":{"a":1}}}', 400],
    ['too many rows', '{"limit":1e9}', 400],
    ['a deep text', '['.repeat(100_000), 400],
    ['one byte too many', `{"limit":1,"text":"${'x'.repeat(limits.pageBodyBytesMax)}"}`, 413],
  ])('is refused with the reason for a body with %s', async (_, body, status) => {
    const { caller } = await signedIn()
    const answer = await askPage(caller, '/api/decisions', {}, body)
    expect([answer.status, answer.body]).toEqual([status, expect.stringContaining('"remedy"')])
    expect((await askPage(caller, '/api/about')).status).toBe(200)
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/jsonp'])(
    'is refused for a body of the type %s, which a form can send',
    async (type) => {
      const { caller } = await signedIn()
      expect((await askPage(caller, '/api/about', { 'content-type': type })).status).toBe(415)
    },
  )
})

describe('the gate and the page', () => {
  it("do not take each other's keys", async () => {
    const { caller, port, cli, places } = await signedIn()
    const httpPort = await freePort()
    expect(await cli(['up', '--http', String(httpPort)])).toMatchObject({ exitCode: 0 })
    onTestFinished(async () => void (await cli(['down'])))
    const agents = readFileSync(join(places.folder, 'token'), 'utf8').trim()
    const body = JSON.stringify(claudeShell('ls', '/'))
    const host = `127.0.0.1:${httpPort}`
    const askGate = (headers: Parameters<typeof send>[1]['headers']) =>
      send(httpPort, { method: 'POST', path: '/claude-code', headers: { host, ...headers }, body })
    expect((await askGate({ authorization: `Bearer ${agents}` })).status).toBe(200)
    expect((await askGate({ authorization: `Bearer ${caller.token}` })).status).toBe(401)
    expect((await askGate({ cookie: caller.cookie, 'hookgate-page': caller.token })).status).toBe(401)
    expect((await askGate({ ...pageScript(caller), host })).status).toBe(403)

    const authorization = `Bearer ${agents}`
    const pageHost = `127.0.0.1:${port}`
    expect((await send(port, { path: '/', headers: { host: pageHost, authorization } })).status).toBe(401)
    expect((await send(port, { path: `/open/${agents}`, headers: { host: pageHost } })).status).toBe(401)
    const asKeys = { cookie: caller.cookie.replace(/=.*/, `=${agents}`), 'hookgate-page': agents, authorization }
    expect((await askPage(caller, '/api/about', asKeys)).status).toBe(401)
  })
})

describe('a client', () => {
  it('that sends headers slowly is answered when its time is over', async () => {
    const { port } = await signedIn({ limits: { headersMs: 300, requestMs: 300, lateCheckMs: 50 } })
    const got = await sendRaw(port, `GET / HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n`)
    expect(got).toMatch(/^HTTP\/1\.1 408 /)
    expect(got).toContain('content-security-policy: default-src')
  })

  it('that sends a body slowly is cut off when its time is over', async () => {
    const { caller, port } = await signedIn({ limits: { headersMs: 300, requestMs: 600, lateCheckMs: 50 } })
    const head = Object.entries(pageScript(caller)).map(([name, value]) => `${name}: ${String(value)}\r\n`)
    const got = await sendRaw(port, `POST /api/about HTTP/1.1\r\n${head.join('')}content-length: 2\r\n\r\n{`)
    expect(got).not.toContain('version')
  })

  it('with 1,000 connections that say nothing or little keeps nobody out', async () => {
    const { caller, port } = await signedIn()
    const sockets = Array.from({ length: 1000 }, (_, at) => {
      const socket = connect(port, '127.0.0.1').on('error', () => {})
      if (at % 2 === 0) socket.write('POST /api/about HTTP/1.1\r\n')
      return socket
    })
    onTestFinished(() => sockets.forEach((socket) => socket.destroy()))
    await Promise.all(sockets.map((socket) => new Promise((done) => socket.once('connect', done).once('close', done))))
    // They are not waited for: none of their times is over.
    expect((await askPage(caller, '/api/about')).status).toBe(200)
    expect(sockets.filter(({ closed }) => !closed).length).toBeGreaterThan(0)
  })

  it('cannot open more streams than there may be, and those that break off are free again', async () => {
    const { caller, port } = await signedIn()
    const head = Object.entries(pageScript(caller)).map(([name, value]) => `${name}: ${String(value)}\r\n`)
    const body = '{"afterSeq":0}'
    const bytes = `POST /api/feed HTTP/1.1\r\n${head.join('')}content-length: ${body.length}\r\n\r\n${body}`
    const openStream = () => {
      const socket = connect(port, '127.0.0.1').on('error', () => {})
      onTestFinished(() => void socket.destroy())
      socket.write(bytes)
      return {
        socket,
        status: new Promise((done) => socket.once('data', (data) => done(data.toString().slice(9, 12)))),
      }
    }
    // Some that are gone before they are answered.
    for (let at = 0; at < 50; at += 1) openStream().socket.end().destroySoon()
    await new Promise((done) => setTimeout(done, 200))
    const streams = Array.from({ length: limits.pageStreamsMax + 1 }, openStream)
    const statuses = await Promise.all(streams.map(({ status }) => status))
    expect(statuses.filter((status) => status === '503')).toHaveLength(1)
    expect(statuses.filter((status) => status === '200')).toHaveLength(limits.pageStreamsMax)
    for (const { socket } of streams) socket.resetAndDestroy()
    await expect.poll(() => openStream().status, { timeout: 120_000 }).toBe('200')
  })
})

it('every response says how little a browser may do with it', async () => {
  const { caller, port, served } = await signedIn()
  const host = `host: 127.0.0.1:${port}\r\nconnection: close\r\n`
  const cookie = `cookie: ${caller.cookie}\r\n`
  const requests = {
    page: `GET / HTTP/1.1\r\n${host}${cookie}\r\n`,
    file: `GET /page.js HTTP/1.1\r\n${host}${cookie}\r\n`,
    link: `GET ${new URL(served.link()).pathname} HTTP/1.1\r\n${host}\r\n`,
    wrongLink: `GET /open/x HTTP/1.1\r\n${host}\r\n`,
    longLink: `GET /open/${'x'.repeat(500)} HTTP/1.1\r\n${host}\r\n`,
    unknown: `GET /nowhere HTTP/1.1\r\n${host}${cookie}\r\n`,
    method: `PUT /api/about HTTP/1.1\r\n${host}${cookie}\r\n`,
    notSignedIn: `GET / HTTP/1.1\r\n${host}\r\n`,
    noHost: 'GET / HTTP/1.1\r\nconnection: close\r\n\r\n',
    oldHttp: 'GET / HTTP/1.0\r\n\r\n',
    badPath: `GET /%zz HTTP/1.1\r\n${host}${cookie}\r\n`,
    notHttp: 'hello\r\n\r\n',
    tunnel: `CONNECT evil.example:443 HTTP/1.1\r\n${host}\r\n`,
    upgrade: `GET / HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: upgrade, close\r\nupgrade: websocket\r\n\r\n`,
    hugeHeaders: `GET / HTTP/1.1\r\n${host}x: ${'x'.repeat(limits.httpHeaderBytesMax)}\r\n\r\n`,
    noToken: `POST /api/about HTTP/1.1\r\n${host}${cookie}content-length: 0\r\n\r\n`,
  }
  for (const [name, bytes] of Object.entries(requests)) {
    const [head = ''] = (await sendRaw(port, bytes)).split('\r\n\r\n')
    const lines = head.toLowerCase().split('\r\n')
    for (const [header, value] of Object.entries(pageHeaders)) {
      expect([name, ...lines]).toContain(`${header}: ${value}`.toLowerCase())
    }
    expect([name, ...lines.filter((line) => /^(access-control|server|x-powered-by)/.test(line))]).toEqual([name])
  }
  // An `Origin` among more headers than Node keeps by default is still seen.
  const many = 'a:\r\n'.repeat(2500)
  expect(await sendRaw(port, `GET / HTTP/1.1\r\n${host}${cookie}${many}origin: http://evil.example\r\n\r\n`)).toMatch(
    /^HTTP\/1\.1 403 /,
  )
})
