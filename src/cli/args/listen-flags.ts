import { isIP } from 'node:net'
import { HookgateError } from '../../model/errors.ts'
import { wrongUrl } from '../../model/export-settings.ts'
import type { RemoteOptions } from '../../service/server/remote/listen-remote.ts'
import { usage } from '../command.ts'

/** The flags of a listener that other machines reach. */
export const listenFlags = {
  listen: { type: 'string' },
  'tls-cert': { type: 'string' },
  'tls-key': { type: 'string' },
  'client-ca': { type: 'string' },
  'oidc-issuer': { type: 'string' },
  'oidc-audience': { type: 'string' },
  'oidc-jwks': { type: 'string' },
  'oidc-claim': { type: 'string', multiple: true },
} as const

export const listenHelp = `  --listen HOST:PORT        also listen there, for other machines: only with TLS, for callers that prove who they are
  --tls-cert FILE           the certificate of this server, PEM
  --tls-key FILE            its key, PEM, without a passphrase
  --client-ca FILE          the authority whose certificates prove callers (mutual TLS)
  --oidc-issuer URL         the identity provider whose bearer tokens prove callers
  --oidc-audience TEXT      the audience that a token must be for
  --oidc-jwks URL           where the provider's keys are; default: its discovery document says
  --oidc-claim NAME=VALUE   a claim that a token must have; repeatable`

type ListenValues = { readonly [Name in keyof typeof listenFlags]?: string | string[] | undefined }

/**
 * Returns where and how to listen for other machines; `undefined` if not.
 *
 * INVARIANT: there is no such listener without TLS, nor one that anybody may ask.
 *
 * @throws HookgateError `usage`
 */
export function remoteOptions(values: ListenValues): RemoteOptions | undefined {
  const { listen, ...others } = values
  if (typeof listen !== 'string') {
    const stray = Object.keys(listenFlags).find((name) => Object.hasOwn(others, name))
    if (stray === undefined) return undefined
    throw usage(`--${stray} is for a listener that other machines reach: add --listen HOST:PORT`, 'serve')
  }
  const cert = one(values, 'tls-cert')
  const key = one(values, 'tls-key')
  if (cert === undefined || key === undefined) {
    throw new HookgateError('usage', 'hookgate does not listen for other machines without TLS', {
      remedy: 'add --tls-cert FILE and --tls-key FILE, or use --http PORT, which only this machine reaches',
    })
  }
  const clientCa = one(values, 'client-ca')
  const oidc = oidcIn(values)
  if (clientCa === undefined && oidc === undefined) {
    throw new HookgateError('usage', 'hookgate does not listen for machines that need not prove who they are', {
      remedy: 'add --client-ca FILE for client certificates, or --oidc-issuer URL and --oidc-audience TEXT for tokens',
    })
  }
  return { ...addressIn(listen), tls: { cert, key, clientCa }, oidc }
}

function one(values: ListenValues, name: keyof typeof listenFlags): string | undefined {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}

function addressIn(text: string): Pick<RemoteOptions, 'host' | 'port'> {
  const [, bracketed, plain, digits = ''] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text) ?? []
  const host = bracketed ?? plain
  const port = Number(digits)
  const isAddress = host === 'localhost' || isIP(host ?? '') > 0
  if (host !== undefined && isAddress && port <= 65_535) return { host, port }
  throw usage(`--listen must be an address and a port, such as 0.0.0.0:8443 or [::]:8443, not \`${text}\``, 'serve')
}

function oidcIn(values: ListenValues): RemoteOptions['oidc'] {
  const issuer = one(values, 'oidc-issuer')
  const audience = one(values, 'oidc-audience')
  const jwks = one(values, 'oidc-jwks')
  const claims = [values['oidc-claim'] ?? []].flat()
  if (issuer === undefined && audience === undefined && jwks === undefined && claims.length === 0) return undefined
  if (issuer === undefined || audience === undefined) {
    throw new HookgateError('usage', 'tokens cannot be verified without an issuer and an audience', {
      remedy: 'add --oidc-issuer URL and --oidc-audience TEXT: a token for another service must not count here',
    })
  }
  for (const url of [issuer, jwks ?? issuer]) {
    const wrong = wrongUrl(url, false, 'https://login.example.com')
    if (wrong !== undefined) throw usage(`${url}: ${wrong.message}`, 'serve')
  }
  return { issuer, audience, jwks, claims: Object.fromEntries(claims.map(claimIn)) }
}

function claimIn(text: string): readonly [string, string] {
  const at = text.indexOf('=')
  if (at > 0 && at < text.length - 1) return [text.slice(0, at), text.slice(at + 1)]
  throw usage(`--oidc-claim must be NAME=VALUE, not \`${text}\``, 'serve')
}
