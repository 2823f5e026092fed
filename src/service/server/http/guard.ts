import { isSameSecret } from '../../../files/state/keys.ts'
import type { IncomingMessage } from 'node:http'
import { quoted } from '../../../model/text.ts'
import type { Rejection } from './metrics.ts'
import type { HttpProblem } from './bad-requests.ts'

/**
 * Returns a check of a request's caller; the check returns the problem, or `undefined` to admit the request.
 *
 * @param token `undefined` if reaching the listener is authorization enough
 *
 * INVARIANT: no web page gets through, even with DNS rebinding: a browser sends `Origin` or `Sec-Fetch-Site` with every
 * request that a page can make, and the `Host` of a rebound name is not one of ours.
 */
export function guardFor(token: string | undefined): (request: IncomingMessage) => GuardProblem | undefined {
  const wanted = token === undefined ? undefined : `Bearer ${token}`
  return (request) => {
    const { headers } = request
    if (isFromBrowser(request)) return fromBrowser
    if (!isAddressedToUs(request)) return foreignHost(headers.host)
    if (!request.url?.startsWith('/')) return absoluteTarget
    if (wanted !== undefined && !isSameSecret(headers.authorization ?? '', wanted)) return unauthorized
    return undefined
  }
}

/** Returns true for every request that a web page can make. */
export const isFromBrowser = ({ headers }: IncomingMessage): boolean =>
  headers.origin !== undefined || headers['sec-fetch-site'] !== undefined

/** A problem, and the reason by which it is counted. */
export type GuardProblem = HttpProblem & { readonly rejection: Rejection }

const ownNames: readonly string[] = ['127.0.0.1', 'localhost', '[::1]']

function isAddressedToUs({ socket, headersDistinct }: IncomingMessage): boolean {
  const port = socket.localPort
  // A Unix socket has no host name that could be rebound.
  if (port === undefined) return true
  const [host, ...more] = headersDistinct['host'] ?? []
  if (host === undefined || more.length > 0) return false
  const requested = host.toLowerCase()
  return ownNames.some((name) => requested === `${name}:${port}` || (port === 80 && requested === name))
}

export const fromBrowser: GuardProblem = {
  rejection: 'foreign',
  status: 403,
  code: 'fromBrowser',
  message: 'browsers are not answered: the request has an `Origin` or `Sec-Fetch-Site` header',
  remedy: 'send the request from a program, without these headers',
}

const foreignHost = (host: string | undefined): GuardProblem => ({
  rejection: 'foreign',
  status: 403,
  code: 'foreignHost',
  message:
    host === undefined ? 'the request has no `Host` header' : `the request is for ${quoted(host)}, not for this gate`,
  remedy: 'use `127.0.0.1`, `localhost` or `[::1]` with the port that `hookgate status --json` shows',
})

export const absoluteTarget: GuardProblem = {
  rejection: 'foreign',
  status: 400,
  code: 'requestMalformed',
  message: 'the gate is not a proxy: the request has a full URL instead of a path',
  remedy: 'remove it from the proxy settings, or send a path',
}

const unauthorized: GuardProblem = {
  rejection: 'unauthorized',
  status: 401,
  code: 'unauthorized',
  message: 'the token is missing or wrong',
  remedy: 'send `authorization: Bearer <token>` with the token from the file that `hookgate status --json` names',
  headers: { 'www-authenticate': 'Bearer realm="hookgate"' },
}
