import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { errorText, HookgateError } from '../../../model/errors.ts'
import { limits } from '../../../model/limits.ts'
import { identifier, type Identity } from './identity.ts'
import { type OidcSettings, openTokens } from './oidc.ts'
import { readTls, type TlsFiles, type TlsTexts } from './tls.ts'

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
