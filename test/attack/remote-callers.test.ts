/* oxlint-disable no-await-in-loop -- one request after the other is the point */
import { createHmac, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Agent } from 'node:https'
import { connect as connectPlain } from 'node:net'
import { connect } from 'node:tls'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  askRemote,
  issuer,
  type Issuer,
  remoteListening,
  type RemoteListener,
  tlsFile,
} from '../support/remote-server.ts'
import { rulesFile } from '../support/remote-rules.ts'
import { claudeShell } from '../support/wire.ts'

const body = claudeShell('ls', '/')
const decidingPaths = [
  ['/v1/decide', { event: body }],
  ['/v1/hook/claude-code', body],
  ['/claude-code', body],
  ['/access/v1/evaluation', {}],
  ['/access/v1/evaluations', {}],
] as const

/** Returns the statuses of every route that decides, and how much was decided. */
async function everywhere(listener: RemoteListener, how: Parameters<typeof askRemote>[2]) {
  const statuses = new Set<number>()
  for (const [path, asked] of decidingPaths) {
    statuses.add((await askRemote(listener, path, { ...how, body: asked })).status)
  }
  return { statuses: [...statuses], decided: listener.records.length }
}
const nothing = { statuses: [401], decided: 0 }

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const inAnHour = () => Math.floor(Date.now() / 1000) + 3600

describe('a caller whose certificate proves nothing is asked for a proof', () => {
  it.each([
    ['none', undefined],
    ['one of another authority, with the same name', 'client-of-another'],
    ['one that has expired', 'expired-client'],
    ['that of the server itself, which is for no client', 'server'],
  ])('%s', async (_, client) => {
    const listener = await remoteListening()
    expect(await everywhere(listener, { client })).toEqual(nothing)
    expect((await askRemote(listener, '/v1/decide', { client: 'client', body: { event: body } })).status).toBe(200)
  })

  it('a token where only certificates are a proof', async () => {
    const provider = await issuer()
    const listener = await remoteListening()
    expect(await everywhere(listener, { token: await provider.token() })).toEqual(nothing)
  })
})

/** Tokens that prove nothing, each for a provider. */
const forged: Readonly<Record<string, (provider: Issuer) => string | Promise<string>>> = {
  'an empty one': () => '',
  'no token at all, but words': () => 'let me in',
  'one that has expired': (provider) => provider.token({ exp: Math.floor(Date.now() / 1000) - 3600 }),
  'one that never expires': (provider) => {
    const { issuer: iss, audience: aud } = provider.settings
    return `${base64({ alg: 'none' })}.${base64({ iss, aud, sub: 'x' })}.`
  },
  'one that is not valid yet': (provider) => provider.token({ nbf: inAnHour() }),
  'one for another audience': (provider) => provider.token({ aud: 'another-service' }),
  'one for several audiences, none of them this': (provider) => provider.token({ aud: ['a', 'b'] }),
  'one of another issuer': (provider) => provider.token({ iss: 'https://elsewhere.example' }),
  'one without a claim that is demanded': (provider) => provider.token({ environment: 'laptop' }),
  'one with an object where the claim should be': (provider) => provider.token({ environment: { ci: true } }),
  'one without a subject': (provider) => provider.token({ environment: 'ci', sub: undefined }),
  'one with an empty subject': (provider) => provider.token({ environment: 'ci', sub: '' }),
  'one with a subject of white space': (provider) => provider.token({ environment: 'ci', sub: ' \u2003' }),
  'one with the subject null': (provider) => provider.token({ environment: 'ci' }, {}, { sub: null }),
  'one with a number as subject': (provider) => provider.token({ environment: 'ci' }, {}, { sub: 7 }),
  'one with an object as subject': (provider) => provider.token({ environment: 'ci' }, {}, { sub: { id: 'x' } }),
  'one with a list as subject': (provider) => provider.token({ environment: 'ci' }, {}, { sub: ['x'] }),
  'one with an endless end': (provider) => provider.token({ environment: 'ci' }, {}, { exp: '1e999' }),
  'one with a text as end': (provider) => provider.token({ environment: 'ci' }, {}, { exp: '"4102444800"' }),
  'one with the end null': (provider) => provider.token({ environment: 'ci' }, {}, { exp: null }),
  'one of a logout': (provider) => provider.token({ environment: 'ci' }, { typ: 'logout+jwt' }),
  'one of a security event': (provider) => provider.token({ environment: 'ci' }, { typ: 'secevent+jwt' }),
  'one of a logout, by its claims': (provider) =>
    provider.token({ environment: 'ci', events: { 'http://schemas.openid.net/event/backchannel-logout': {} } }),
  'one of a key proof': (provider) => provider.token({ environment: 'ci' }, { typ: 'dpop+jwt' }),
  'alg none': (provider) => {
    const { issuer: iss, audience: aud } = provider.settings
    return `${base64({ alg: 'none', typ: 'JWT' })}.${base64({ iss, aud, sub: 'x', environment: 'ci', exp: inAnHour() })}.`
  },
  'alg HS256, signed with the public key': async (provider) => {
    const { issuer: iss, audience: aud } = provider.settings
    const keys = await (await fetch(`${iss}/keys`)).text()
    const text = `${base64({ alg: 'HS256', kid: 'one' })}.${base64({ iss, aud, sub: 'x', environment: 'ci', exp: inAnHour() })}`
    return `${text}.${createHmac('sha256', keys).update(text).digest('base64url')}`
  },
  'one signed by a key in its own header': async (provider) => {
    const { issuer: iss, audience: aud } = provider.settings
    const own = await generateKeyPair('ES256', { extractable: true })
    const jwk = await exportJWK(own.publicKey)
    return new SignJWT({ iss, aud, sub: 'x', environment: 'ci' })
      .setProtectedHeader({ alg: 'ES256', kid: 'one', jwk })
      .setExpirationTime('1h')
      .sign(own.privateKey)
  },
  'one with a key that the issuer does not have': (provider) =>
    provider.token({ environment: 'ci' }, { kid: '../../etc/passwd' }),
  'a good one whose subject was changed': async (provider) => {
    const [head = '', payload = '', signature = ''] = (await provider.token({ environment: 'ci' })).split('.')
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
    return `${head}.${base64({ ...(claims as object), sub: 'admin' })}.${signature}`
  },
  'one of 8 KB': async (provider) => provider.token({ environment: 'ci', padding: 'x'.repeat(8192) }),
  'random bytes in three parts': () => [8, 64, 64].map((length) => randomBytes(length).toString('base64url')).join('.'),
}

/** Connects once more with the session of a first connection, and says what a request on it is answered. */
async function resumedAnswer({ port }: RemoteListener, version: 'TLSv1.2' | 'TLSv1.3') {
  const ca = readFileSync(tlsFile('ca.pem'))
  const own = { cert: readFileSync(tlsFile('client.pem')), key: readFileSync(tlsFile('client.key')) }
  const to = { host: '127.0.0.1', port, ca, minVersion: version, maxVersion: version }
  const asked = 'GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n'
  const answer = (options: object) =>
    new Promise<{ status: string | undefined; isReused: boolean; session: Buffer | undefined }>((resolve, reject) => {
      let text = ''
      let session: Buffer | undefined
      let isReused = false
      const socket = connect({ ...to, ...options }, () => {
        isReused = socket.isSessionReused()
        session = socket.getSession()
        socket.write(asked)
      })
      socket.on('session', (kept: Buffer) => (session = kept))
      socket.setEncoding('utf8').on('data', (part: string) => (text += part))
      socket
        .on('error', reject)
        .on('close', () => resolve({ status: /^HTTP\/1\.1 (\d+)/.exec(text)?.[1], isReused, session }))
    })
  const first = await answer(own)
  const second = await answer({ session: first.session })
  return { first: first.status, second: second.status, isReused: second.isReused }
}

describe('a session of TLS proves nobody once its certificate is gone', () => {
  it.each(['TLSv1.2', 'TLSv1.3'] as const)('%s is not resumed', async (version) => {
    const listener = await remoteListening()
    expect(await resumedAnswer(listener, version)).toEqual({ first: '200', second: '401', isReused: false })
  })

  it('a connection that stays open proves nobody after the end of its certificate', async () => {
    const listener = await remoteListening()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    const asked = () => askRemote(listener, '/metrics', { client: 'client', agent })
    expect((await asked()).status).toBe(200)
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2200-01-01') })
    onTestFinished(() => void vi.useRealTimers())
    expect((await asked()).status).toBe(401)
    vi.useRealTimers()
    expect((await asked()).status).toBe(200)
  })
})

describe('a token that proves nothing gets 401 everywhere', () => {
  it.each(Object.keys(forged))('%s', async (name) => {
    const provider = await issuer({ environment: 'ci' })
    const listener = await remoteListening({ certificates: false, oidc: provider.settings })
    const token = (await forged[name]?.(provider)) ?? ''
    expect(await everywhere(listener, { token })).toEqual(nothing)
    const good = await provider.token({ environment: 'ci' })
    expect((await askRemote(listener, '/v1/decide', { token: good, body: { event: body } })).status).toBe(200)
    expect(listener.log()).not.toContain(token === '' ? 'no token' : token)
  })
})

/** Sends bytes over TLS without a certificate, and returns what comes back until the connection is closed. */
function rawOverTls({ port }: RemoteListener, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => socket.write(bytes))
    socket.setEncoding('utf8').on('data', (part: string) => (text += part))
    socket.on('close', () => resolve(text)).on('error', reject)
  })
}

describe('a token that proves a caller', () => {
  it.each([undefined, 'JWT', 'jwt', 'at+jwt', 'application/at+jwt'])('may be of the type %s', async (typ) => {
    const provider = await issuer({ environment: 'ci' })
    const listener = await remoteListening({ certificates: false, oidc: provider.settings })
    const token = await provider.token({ environment: 'ci' }, typ === undefined ? {} : { typ })
    expect((await askRemote(listener, '/v1/decide', { token, body: { event: body } })).status).toBe(200)
  })

  it('is recorded with a subject that no terminal acts on', async () => {
    const provider = await issuer()
    const listener = await remoteListening({ certificates: false, oidc: provider.settings })
    const token = await provider.token({ sub: 'a\u001b[2J\u202eb' })
    await askRemote(listener, '/v1/decide', { token, body: { event: body } })
    expect(listener.records.map(({ who }) => who)).toEqual([`a\\x1b[2J\\u{202e}b (${provider.settings.issuer})`])
  })
})

describe('a request that is two requests to somebody', () => {
  const head = 'Host: 127.0.0.1\r\n'
  it.each([
    [
      'both lengths',
      `POST /v1/decide HTTP/1.1\r\n${head}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['two lengths', `POST /v1/decide HTTP/1.1\r\n${head}Content-Length: 4\r\nContent-Length: 40\r\n\r\nGET `],
    ['a length with a sign', `POST /v1/decide HTTP/1.1\r\n${head}Content-Length: +4\r\n\r\nGET `],
    ['an unknown encoding', `POST /v1/decide HTTP/1.1\r\n${head}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`],
    ['a header over two lines', `POST /v1/decide HTTP/1.1\r\n${head}Authorization: Bearer\r\n x\r\n\r\n`],
    ['a bare carriage return', `GET /healthz HTTP/1.1\r\n${head}X: a\rContent-Length: 4\r\n\r\n`],
    ['a full URL', `GET https://127.0.0.1/healthz HTTP/1.1\r\n${head}Connection: close\r\n\r\n`],
  ])('is refused: %s', async (_, bytes) => {
    const listener = await remoteListening()
    const answer = await rawOverTls(listener, bytes)
    expect(answer).toMatch(/^HTTP\/1\.1 (?:400|401) /)
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1)
    expect(listener.records).toEqual([])
  })

  it('gets no proof from a second header', async () => {
    const provider = await issuer()
    const listener = await remoteListening({ certificates: false, oidc: provider.settings })
    const token = await provider.token()
    const lines = `Authorization: Bearer ${token}\r\nAuthorization: Bearer x\r\nConnection: close\r\n`
    const answer = await rawOverTls(listener, `GET /metrics HTTP/1.1\r\n${head}${lines}\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 401 /)
  })

  it('cannot put a header into the answer by its id', async () => {
    const listener = await remoteListening()
    const headers = { 'x-request-id': 'a'.repeat(257) }
    expect((await askRemote(listener, '/healthz', { headers })).headers['x-request-id']).toBeUndefined()
  })
})

describe('a caller that holds what others need', () => {
  it('is refused for a body over the limit, once it has proved who it is', async () => {
    const listener = await remoteListening({ limits: { bodyBytesMax: 1000, discardedBytesMax: 100_000 } })
    const large = { event: claudeShell('x'.repeat(2000), '/') }
    const unproved = await askRemote(listener, '/v1/decide', { body: large })
    const proved = await askRemote(listener, '/v1/decide', { client: 'client', body: large })
    const authzen = await askRemote(listener, '/access/v1/evaluation', { client: 'client', body: large })
    expect([unproved.status, proved.status, authzen.status]).toEqual([401, 413, 413])
  })

  it('is cut off if its headers do not come', async () => {
    const listener = await remoteListening({ limits: { headersMs: 200, lateCheckMs: 50 } })
    expect(await rawOverTls(listener, 'GET /healthz HTTP/1.1\r\nHost: 127')).toMatch(/^HTTP\/1\.1 408 /)
  })

  it('is cut off if its handshake does not come', async () => {
    const listener = await remoteListening({ limits: { headersMs: 200 } })
    const socket = connectPlain(listener.port, '127.0.0.1')
    await new Promise((closed) => socket.on('close', closed).on('error', () => {}))
    expect((await askRemote(listener, '/healthz')).status).toBe(200)
  })

  it('does not keep others out by connections whose handshake never comes', async () => {
    const listener = await remoteListening({ limits: { connectionsMax: 4 } })
    const idle = Array.from({ length: 20 }, () => connectPlain(listener.port, '127.0.0.1').on('error', () => {}))
    await Promise.all(idle.map((socket) => new Promise((connected) => socket.once('connect', connected))))
    expect((await askRemote(listener, '/healthz')).status).toBe(200)
    for (const socket of idle) socket.destroy()
  })

  it('does not keep others out by connections that say nothing', async () => {
    const listener = await remoteListening({ limits: { connectionsMax: 4 } })
    const { port } = listener
    const idle = Array.from({ length: 12 }, () =>
      connect({ host: '127.0.0.1', port, rejectUnauthorized: false }).on('error', () => {}),
    )
    await Promise.all(idle.slice(-4).map((socket) => new Promise((done) => socket.once('secureConnect', done))))
    expect((await askRemote(listener, '/healthz')).status).toBe(200)
    for (const socket of idle) socket.destroy()
  })

  it('asks no more than so much at once', async () => {
    const listener = await remoteListening({ gate: { rules: [rulesFile()] } })
    const evaluations = Array.from({ length: 101 }, () => ({ resource: { type: 'command', id: 'ls' } }))
    const asked = { subject: { type: 'user', id: 'a' }, action: { name: 'shell' }, evaluations }
    expect((await askRemote(listener, '/access/v1/evaluations', { client: 'client', body: asked })).status).toBe(400)
  })
})

describe('a page in a browser that has a client certificate', () => {
  it.each([
    ['origin', 'https://evil.example'],
    ['sec-fetch-site', 'cross-site'],
  ])('gets no answer: %s', async (name, value) => {
    const listener = await remoteListening()
    const how = { client: 'client', headers: { [name]: value }, body: { event: body } }
    expect((await askRemote(listener, '/v1/decide', how)).status).toBe(403)
    expect(listener.records).toEqual([])
  })
})

describe('plain HTTP on the port of TLS', () => {
  it('gets no answer', async () => {
    const listener = await remoteListening()
    const socket = connectPlain(listener.port, '127.0.0.1')
    let text = ''
    socket.setEncoding('latin1').on('data', (part: string) => (text += part))
    socket.write('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
    await new Promise((closed) => socket.on('close', closed).on('error', () => {}))
    expect(text).not.toContain('ok')
  })
})
