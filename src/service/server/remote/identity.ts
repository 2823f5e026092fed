import type { IncomingMessage } from 'node:http'
import { type PeerCertificate, TLSSocket } from 'node:tls'
import { printable } from '../../../model/text.ts'
import type { GuardProblem } from '../http/guard.ts'
import type { TokenResult } from './oidc.ts'

/** Who sent a request, as far as it proves that. */
export type Identity = { readonly who: string } | GuardProblem

interface IdentityOptions {
  /** True if a certificate that the clients' authority has signed is a proof. */
  readonly certificates: boolean
  /** Verifies a bearer token; `undefined` if no token is a proof. */
  readonly tokens: ((token: string) => Promise<TokenResult>) | undefined
}

/** Returns a function that says who sent a request. A valid certificate is enough, and so is a valid token. */
export function identifier({ certificates, tokens }: IdentityOptions): (request: IncomingMessage) => Promise<Identity> {
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
