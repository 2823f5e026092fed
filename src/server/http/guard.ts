import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { quoted } from '../../model/text.ts'
import type { Rejection } from './metrics.ts'
import type { Problem } from './problem.ts'

/** What a listener demands of whoever asks it. */
export interface Demands {
  /** `undefined`: whoever reaches the listener may ask it. */
  readonly token: string | undefined
  readonly version: string
}

/**
 * What is wrong with who asks; `undefined` lets the request in.
 *
 * INVARIANT: no web page gets through, whatever name it has given this machine's address: a browser sends `Origin` or
 * `Sec-Fetch-Site` with all that a page can make it send, and the `Host` of a name that was rebound is not ours.
 */
export function guardFor({ token, version }: Demands): (request: IncomingMessage) => Turned | undefined {
  const wanted = token === undefined ? undefined : digest(`Bearer ${token}`)
  return (request) => {
    const { headers } = request
    if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined) return fromBrowser
    if (!isAddressedToUs(request)) return foreignHost(headers.host)
    if (!request.url?.startsWith('/')) return absoluteTarget
    if (wanted !== undefined && !timingSafeEqual(digest(headers.authorization ?? ''), wanted)) return unauthorized
    const theirs = headers['hookgate-version']
    return theirs === undefined || theirs === version ? undefined : versionMismatch(String(theirs), version)
  }
}

/** A problem, and how it is counted. */
export type Turned = Problem & { readonly rejection: Rejection }

/** What is compared in constant time must be of one length; how long the token is stays unknown as well. */
const digest = (text: string) => createHash('sha256').update(text).digest()

const ownNames: readonly string[] = ['127.0.0.1', 'localhost', '[::1]']

function isAddressedToUs({ socket, headersDistinct }: IncomingMessage): boolean {
  const port = socket.localPort
  // A socket in the file system has no name that could be rebound.
  if (port === undefined) return true
  const [host, ...more] = headersDistinct['host'] ?? []
  if (host === undefined || more.length > 0) return false
  const asked = host.toLowerCase()
  return ownNames.some((name) => asked === `${name}:${port}` || (port === 80 && asked === name))
}

const fromBrowser: Turned = {
  rejection: 'foreign',
  status: 403,
  code: 'fromBrowser',
  message: 'browsers are not answered: the request has an `Origin` or `Sec-Fetch-Site` header',
  remedy: 'send the request from a program, without these headers',
}

const foreignHost = (host: string | undefined): Turned => ({
  rejection: 'foreign',
  status: 403,
  code: 'foreignHost',
  message:
    host === undefined ? 'the request has no `Host` header' : `the request is for ${quoted(host)}, not for this gate`,
  remedy: 'use `127.0.0.1`, `localhost` or `[::1]` with the port that `hookgate status --json` shows',
})

const absoluteTarget: Turned = {
  rejection: 'foreign',
  status: 400,
  code: 'requestMalformed',
  message: 'the gate is not a proxy: the request has a full URL instead of a path',
  remedy: 'remove it from the proxy settings, or send a path',
}

const unauthorized: Turned = {
  rejection: 'unauthorized',
  status: 401,
  code: 'unauthorized',
  message: 'the token is missing or wrong',
  remedy: 'send `authorization: Bearer <token>` with the token from the file that `hookgate status --json` names',
  headers: { 'www-authenticate': 'Bearer realm="hookgate"' },
}

const versionMismatch = (theirs: string, version: string): Turned => ({
  rejection: 'version',
  status: 409,
  code: 'versionMismatch',
  message: `the gate is version ${version} and the client ${quoted(theirs)}`,
  remedy: 'run `hookgate up`, which replaces a gate of another version',
  headers: { 'hookgate-version': version },
  beside: { version },
})
