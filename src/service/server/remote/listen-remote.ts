import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSecureContext, type PeerCertificate, TLSSocket } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { createRemoteJWKSet, errors, jwtVerify, type JWTVerifyGetKey } from 'jose'
import { z } from 'zod'
import { errorText, HookgateError } from '../../../model/errors.ts'
import { whyFailed } from '../../../files/disk.ts'
import { limits } from '../../../model/limits.ts'
import { choiceOf, printable } from '../../../model/text.ts'
import type { GuardProblem } from '../http/guard.ts'
import { wrongUrl } from '../../../model/export-settings.ts'
import { issuesOf } from '../http/bad-requests.ts'

/** A listener that other machines reach. */
export interface RemoteOptions {
  readonly host: string
  /** 0 for any free one. */
  readonly port: number
  readonly tls: TlsFiles
  /** Tokens that prove a caller; `undefined` if none does. */
  readonly oidc: OidcSettings | undefined
}

/** The options that such a listener needs. */
export interface RemoteListening {
  readonly tls: TlsTexts
  readonly identify: (request: IncomingMessage) => Promise<Identity>
}

/** Opens what such a listener needs. @throws HookgateError `usage` if a file of TLS cannot be used */
export function openRemote({ tls, oidc }: RemoteOptions): RemoteListening {
  const tokens = oidc && openTokens(oidc)
  return { tls: readTls(tls), identify: identifier({ certificates: tls.clientCa !== undefined, tokens }) }
}

/** @returns the address @throws HookgateError `unavailable` */
export async function listenRemote(app: FastifyInstance, { host, port }: RemoteOptions): Promise<string> {
  try {
    await app.listen({ host, port, backlog: limits.httpConnectionsMax })
  } catch (cause) {
    throw new HookgateError('unavailable', `the gate cannot listen at ${host}:${port}: ${errorText(cause)}`, {
      remedy: 'choose another address or port with `--listen`',
      cause,
    })
  }
  const { port: taken, address } = addressOf(app)
  return `https://${address.includes(':') ? `[${address}]` : address}:${taken}`
}

function addressOf(app: FastifyInstance): AddressInfo {
  const address = app.server.address()
  if (typeof address === 'object' && address !== null) return address
  throw new HookgateError('internal', 'the listener has no address')
}

/** Who sent a request, as far as it proves that. */
export type Identity = { readonly who: string } | GuardProblem

interface IdentityOptions {
  /** True if a certificate that the clients' authority has signed is a proof. */
  readonly certificates: boolean
  /** Verifies a bearer token; `undefined` if no token is a proof. */
  readonly tokens: ((token: string) => Promise<TokenResult>) | undefined
}

/** Returns a function that says who sent a request. A valid certificate is enough, and so is a valid token. */
function identifier({ certificates, tokens }: IdentityOptions): (request: IncomingMessage) => Promise<Identity> {
  return async (request) => {
    const { socket, headersDistinct } = request
    // Node verifies the certificate in the handshake, and the handshake goes on without one: health checks have none.
    if (certificates && socket instanceof TLSSocket && socket.authorized) {
      const certificate = socket.getPeerCertificate()
      // The handshake was in time; a connection may stay open for longer than its certificate is valid.
      if (!hasEnded(certificate)) return { who: subjectOf(certificate) }
    }
    const given = headersDistinct['authorization'] ?? []
    const [header = ''] = given
    if (tokens === undefined) return unauthorized('a client certificate of the configured authority is missing')
    if (given.length !== 1 || !/^Bearer [\w.~+/-]+=*$/i.test(header)) return unauthorized('a bearer token is missing')
    if (header.length > bearerCharactersMax) return unauthorized('the bearer token is too long')
    const result = await tokens(header.slice('Bearer '.length))
    switch (result.kind) {
      case 'proved':
        return { who: result.who }
      case 'refused':
        return unauthorized(`the bearer token is refused: ${printable(result.why)}`)
      case 'unknown':
        return issuerAway(printable(result.why))
    }
  }
}
/** A bearer token, in characters. Tokens of large companies, with many groups, have some thousands. */
const bearerCharactersMax = 8192

/** An end that cannot be read counts as past. */
const hasEnded = ({ valid_to: end }: PeerCertificate): boolean => !(Date.parse(end) > Date.now())

/** Returns the subject of a client's certificate: its first URI, as of SPIFFE, else its common name. */
function subjectOf({ subject, subjectaltname = '', serialNumber }: PeerCertificate): string {
  const uri = firstUri(subjectaltname)
  const name = [subject.CN].flat().join(', ')
  return printable(uri ?? (name === '' ? `certificate ${serialNumber}` : `CN=${name}`))
}

/** Finds the first URI among the names of a certificate. Node quotes a name that has a comma, which may pose as one. */
export function firstUri(names: string): string | undefined {
  const all = names.matchAll(/(?:, )?([A-Za-z ]+):("(?:[^"\\]|\\.)*"|[^,]*)/gy)
  return [...all].find(([, type]) => type === 'URI')?.[2]
}

const unauthorized = (message: string): GuardProblem => ({
  rejection: 'unauthorized',
  status: 401,
  code: 'unauthorized',
  message,
  remedy: 'send a client certificate or `authorization: Bearer <token>`, as this gate demands',
  headers: { 'www-authenticate': 'Bearer realm="hookgate"' },
})

const issuerAway = (message: string): GuardProblem => ({
  rejection: 'unauthorized',
  status: 503,
  code: 'busy',
  message,
  remedy: 'try again once the identity provider answers',
  headers: { 'retry-after': '5' },
})

/** The files of a listener's TLS. */
interface TlsFiles {
  readonly cert: string
  readonly key: string
  /** The authority whose certificates prove clients. */
  readonly clientCa: string | undefined
}

export interface TlsTexts {
  readonly cert: Buffer
  readonly key: Buffer
  readonly ca: Buffer | undefined
}

/** Reads the files. @throws HookgateError `usage` which names the one that cannot be used */
function readTls({ cert, key, clientCa }: TlsFiles): TlsTexts {
  const texts = {
    cert: readPem('--tls-cert', cert),
    key: readPem('--tls-key', key),
    ca: clientCa === undefined ? undefined : readPem('--client-ca', clientCa),
  }
  try {
    createSecureContext(texts)
    // A file without a certificate is no mistake to OpenSSL: it would prove nobody.
    // oxlint-disable-next-line eslint/no-new -- it throws for what is none
    if (texts.ca !== undefined) new X509Certificate(texts.ca)
  } catch (cause) {
    throw new HookgateError('usage', `TLS cannot be set up with ${cert} and ${key}: ${errorText(cause)}`, {
      remedy: 'give a PEM certificate, its own key without a passphrase, and a PEM authority',
      cause,
    })
  }
  return texts
}

function readPem(flag: string, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (cause) {
    throw new HookgateError('usage', `${flag} cannot be read: ${whyFailed(cause)}`, { place: { file }, cause })
  }
}

/** Difference of clocks that is forgiven when a token's times are compared. */
const tokenClockS = 30

/** Wait for an identity provider's keys. The request of the caller waits as long. */
const jwksMs = 2000

/** Which tokens are accepted. */
export interface OidcSettings {
  readonly issuer: string
  readonly audience: string
  /** The address of the issuer's keys. Default: the one in its discovery document. */
  readonly jwks: string | undefined
  /** Claims that a token must have, with these values. */
  readonly claims: Readonly<Record<string, string>>
}

export type TokenResult =
  | { readonly kind: 'proved'; readonly who: string }
  | { readonly kind: 'refused'; readonly why: string }
  /** The issuer's keys cannot be fetched, so that nothing is known of the token. */
  | { readonly kind: 'unknown'; readonly why: string }

/** Only signatures that need the issuer's private key: neither `none`, nor those by a secret that both sides know. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

/** Kinds of tokens that say who may ask. Others, such as one of a logout, are signed by the same keys. */
const tokenTypes = ['jwt', 'at+jwt', 'application/at+jwt']

/** What a token must hold beside its signature, issuer and audience. jose asks less of `exp` and nothing of `sub`. */
const Proof = z.object({
  header: z.object({
    typ: z
      .string()
      .refine((typ) => tokenTypes.includes(typ.toLowerCase()), `must be ${choiceOf(tokenTypes)}`)
      .optional(),
  }),
  claims: z.object({
    sub: z.string().trim().min(1),
    exp: z.number(),
    events: z.undefined('a token of an event proves nobody').optional(),
  }),
})

/** Time until a provider that did not say where its keys are is asked again: callers are to come back after as long. */
const jwksPauseMs = 5000

/** Opens the verification of bearer tokens. Keys are cached, and fetched again for a new key or after ten minutes. */
export function openTokens(settings: OidcSettings): (token: string) => Promise<TokenResult> {
  const { issuer, audience, claims } = settings
  const keys = openKeys(settings)
  return async (token) => {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, await keys(), {
        issuer,
        audience,
        algorithms,
        requiredClaims: ['exp', 'sub'],
        clockTolerance: tokenClockS,
      })
      const proof = Proof.safeParse({ header: protectedHeader, claims: payload })
      if (!proof.success) return { kind: 'refused', why: issuesOf(proof.error) }
      const wrong = Object.entries(claims).find(([name, value]) => !has(payload[name], value))
      if (wrong !== undefined) return { kind: 'refused', why: `its claim \`${wrong[0]}\` is not \`${wrong[1]}\`` }
      return { kind: 'proved', who: `${printable(proof.data.claims.sub)} (${issuer})` }
    } catch (error) {
      return isOfToken(error)
        ? { kind: 'refused', why: errorText(error) }
        : { kind: 'unknown', why: `the keys of ${issuer} cannot be fetched: ${errorText(error)}` }
    }
  }
}

/**
 * Opens the issuer's keys. It is asked once at a time where they are, and not again for a while after a failure: anybody
 * may send a token, and none is to be a request to the issuer.
 */
function openKeys({ issuer, jwks }: OidcSettings): () => Promise<JWTVerifyGetKey> {
  let found: Promise<JWTVerifyGetKey> | undefined
  let againAtMs = Infinity
  const find = async () => createRemoteJWKSet(new URL(jwks ?? (await jwksOf(issuer))), { timeoutDuration: jwksMs })
  return () => {
    if (found !== undefined && performance.now() < againAtMs) return found
    againAtMs = Infinity
    found = find()
    found.catch(() => {
      againAtMs = performance.now() + jwksPauseMs
    })
    return found
  }
}

const has = (claim: unknown, value: string) =>
  Array.isArray(claim)
    ? claim.includes(value)
    : (typeof claim === 'string' || typeof claim === 'number' || typeof claim === 'boolean') && String(claim) === value

/** Returns whether the token is wrong, and not what it is compared with. */
const isOfToken = (error: unknown): boolean =>
  [
    errors.JWTExpired,
    errors.JWTClaimValidationFailed,
    errors.JWTInvalid,
    errors.JWSInvalid,
    errors.JWSSignatureVerificationFailed,
    errors.JOSEAlgNotAllowed,
    errors.JOSENotSupported,
    errors.JWKSNoMatchingKey,
    errors.JWKSMultipleMatchingKeys,
  ].some((kind) => error instanceof kind)

const Discovery = z.looseObject({ issuer: z.string(), jwks_uri: z.string() })

/** @throws if the issuer does not say where its keys are, or says that it is another one */
async function jwksOf(issuer: string): Promise<string> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const response = await fetch(url, { signal: AbortSignal.timeout(jwksMs), redirect: 'error' })
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  const document = Discovery.parse(await response.json())
  if (document.issuer !== issuer) throw new Error(`${url} is of the issuer ${document.issuer}`)
  // Whoever is on the way of plain http: would say by which keys tokens are proved.
  const wrong = wrongUrl(document.jwks_uri, false, 'https://login.example.com/keys')
  if (wrong !== undefined) throw new Error(`${url} names ${document.jwks_uri}: ${wrong.message}`)
  return document.jwks_uri
}
