import { createServer } from 'node:http'
import { readFileSync } from 'node:fs'
import { type Agent, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { CompactSign, exportJWK, generateKeyPair, type JWTPayload } from 'jose'
import { onTestFinished } from 'vitest'
import { type OidcSettings, openRemote } from '../../src/service/server/remote/listen-remote.ts'
import type { DecisionRecord } from '../../src/record/record.ts'
import { type Answer, type Listening, listening } from './server.ts'

/** Returns the path of a file of `test/fixtures/tls`. */
export const tlsFile = (name: string): string => fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url))

type Setting = NonNullable<Parameters<typeof listening>[0]>
export interface RemoteSetting extends Setting {
  readonly cert?: string
  readonly certificates?: boolean
  readonly oidc?: OidcSettings
}

export interface RemoteListener extends Listening {
  readonly url: string
  readonly records: DecisionRecord[]
}

/** Starts a gate that listens with TLS until the test ends. */
export async function remoteListening(setting: RemoteSetting = {}): Promise<RemoteListener> {
  const { cert = 'server', certificates = true, oidc, gate, ...options } = setting
  const records: DecisionRecord[] = []
  const remote = openRemote({
    host: '127.0.0.1',
    port: 0,
    tls: {
      cert: tlsFile(`${cert}.pem`),
      key: tlsFile(`${cert}.key`),
      clientCa: certificates ? tlsFile('ca.pem') : undefined,
    },
    oidc,
  })
  const onRecord = (record: DecisionRecord) => records.push(record)
  const listener = await listening({ ...options, gate: { onRecord, ...gate }, token: undefined, remote })
  return { ...listener, url: `https://127.0.0.1:${listener.port}`, records }
}

/** `undefined` leaves a claim out. */
type TokenClaims = { readonly [Name in keyof JWTPayload]?: JWTPayload[Name] | undefined }

/** Claims of any JSON; a text is JSON already. They replace those of the same name. */
type RawClaims = Readonly<Record<string, unknown>>

export interface Issuer {
  readonly settings: OidcSettings
  /** Signs a token for the audience of `settings`, valid for an hour. */
  token(claims?: TokenClaims, header?: { alg?: string; kid?: string; typ?: string }, raw?: RawClaims): Promise<string>
  readonly requests: () => number
  close(): Promise<void>
}

/** Starts an identity provider with one key, until the test ends. @param keysAt the address that it names for its keys */
export async function issuer(claims: OidcSettings['claims'] = {}, keysAt?: string): Promise<Issuer> {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }
  let requests = 0
  const server = createServer((asked, response) => {
    requests += 1
    const isDiscovery = asked.url === '/.well-known/openid-configuration'
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(isDiscovery ? { issuer: name, jwks_uri: keysAt ?? `${name}/keys` } : { keys: [jwk] }))
  })
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens))
  const name = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = () =>
    new Promise<void>((closed) => {
      server.closeAllConnections()
      server.close(() => closed())
    })
  onTestFinished(close)
  return {
    settings: { issuer: name, audience: 'hookgate', jwks: undefined, claims },
    token: (own = {}, header = {}, raw = {}) => {
      const seconds = Math.floor(Date.now() / 1000)
      const usual = { iss: name, aud: 'hookgate', sub: 'repo:acme/shop', iat: seconds, exp: seconds + 3600, ...own }
      const members = Object.entries({ ...given(usual), ...raw }).map(
        ([key, value]) =>
          `${JSON.stringify(key)}:${key in raw && typeof value === 'string' ? value : JSON.stringify(value)}`,
      )
      return new CompactSign(Buffer.from(`{${members.join(',')}}`))
        .setProtectedHeader({ alg: 'ES256', kid: 'one', ...header })
        .sign(privateKey)
    },
    requests: () => requests,
    close,
  }
}

interface RemoteRequest {
  /** The name of a client certificate. */
  readonly client?: string | undefined
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object | string
  /** Keeps the connection for further requests. */
  readonly agent?: Agent
}

/** Sends one request, on a new connection unless an agent keeps one. */
export function askRemote({ port }: Listening, path: string, how: RemoteRequest = {}): Promise<Answer> {
  const { client, token, headers = {}, body, agent = false } = how
  const proof = client && { cert: readFileSync(tlsFile(`${client}.pem`)), key: readFileSync(tlsFile(`${client}.key`)) }
  const sent = { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) }
  const text = typeof body === 'object' ? JSON.stringify(body) : body
  const method = body === undefined ? 'GET' : 'POST'
  const ca = readFileSync(tlsFile('ca.pem'))
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, method, headers: sent, agent, ca, ...proof }, (response) => {
      let received = ''
      response.setEncoding('utf8').on('data', (part: string) => (received += part))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: received,
          json: () => JSON.parse(received) as unknown,
        }),
      )
    })
      .on('error', reject)
      .end(text)
  })
}

/** Leaves out what is `undefined`. */
const given = (claims: object): JWTPayload =>
  Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined))
