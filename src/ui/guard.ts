import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isSameSecret } from '../files/state/keys.ts'
import { limits } from '../model/limits.ts'
import { quoted } from '../model/text.ts'
import type { HttpProblem } from '../service/server/http/bad-requests.ts'

/** The page's own origin. */
export interface PageOrigin {
  /** The value of `Host`: `127.0.0.1:PORT`. */
  readonly host: string
  /** The value of `Origin`: `http://127.0.0.1:PORT`. */
  readonly origin: string
  /** The cookie's name, which differs for each port: cookies do not. */
  readonly cookieName: string
}

/** The header with the page's token. */
const tokenHeader = 'hookgate-page'

/** The path of a link that opens the page, before its secret. */
export const signInPath = '/open/'
export const signInRoute = `${signInPath}:secret`

/**
 * The headers of every response. No markup that a text might become is run or loaded: no inline script or style, no
 * other origin, no frame, no form, no text turned into markup by a script.
 */
export const pageHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const

/**
 * Returns why a request is turned away, before anything of its body is read; `undefined` if it is admitted.
 *
 * - Every request names this address as its `Host`, so a name that was rebound to it opens nothing.
 * - No request of another page is answered, but that a link may be opened from anywhere: it is its own secret.
 * - The page's files need the cookie, and everything under `/api/` the token as well.
 *
 * @param route the path of the route that would answer: the same path can be spelled in several ways
 */
export function turnedAway(
  request: IncomingMessage,
  route: string | undefined,
  { host, origin, cookieName }: PageOrigin,
  signIn: SignIn,
): HttpProblem | undefined {
  const { headers, headersDistinct, url = '' } = request
  const hosts = headersDistinct['host'] ?? []
  if (hosts.length !== 1 || hosts[0] !== host) return foreignHost(hosts[0], host)
  if (!url.startsWith('/')) return notAProxy
  if (headers.origin !== undefined && headers.origin !== origin) return foreignPage
  // A link is opened by a person: no other page can use it up, and no worker of this origin can read what it brings.
  const goal = headers['sec-fetch-dest']
  if (route === signInRoute) return goal === undefined || goal === 'document' ? undefined : foreignPage
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return foreignPage
  if (!signIn.hasCookie(cookieOf(headers.cookie, cookieName))) return notSignedIn
  if (route?.startsWith('/api/') !== true) return undefined
  // Only a script of the page sends its origin and the token; a link or an image sends neither.
  if (headers.origin === undefined) return foreignPage
  const tokens = headersDistinct[tokenHeader] ?? []
  return tokens.length === 1 && signIn.hasToken(tokens[0]) ? undefined : notSignedIn
}

/** Returns a cookie's value; `undefined` if there is none, or if there are several, of which one may be planted. */
function cookieOf(header: string | undefined, name: string): string | undefined {
  const values = (header ?? '').split(';').flatMap((pair) => {
    const [key = '', ...value] = pair.trim().split('=')
    return key === name ? [value.join('=')] : []
  })
  return values.length === 1 ? values[0] : undefined
}

const openIt = 'press Enter where `hookgate ui` runs, and open the link that it prints'

const foreignHost = (given: string | undefined, host: string): HttpProblem => ({
  status: 403,
  code: 'foreignHost',
  message: `the request is for ${given === undefined ? 'no host' : quoted(given)}, not for ${host}`,
  remedy: openIt,
})

const notAProxy: HttpProblem = {
  status: 400,
  code: 'requestMalformed',
  message: 'the request has a full URL instead of a path',
  remedy: 'remove this address from the proxy settings',
}

const foreignPage: HttpProblem = {
  status: 403,
  code: 'fromBrowser',
  message: 'the request is not from a script of this page',
  remedy: openIt,
}

const notSignedIn: HttpProblem = {
  status: 401,
  code: 'unauthorized',
  message: 'this browser has not opened the page, or `hookgate ui` was started anew since',
  remedy: openIt,
}

/** The keys of a browser that has opened the page: each request needs both. */
interface PageKeys {
  /** Goes into a cookie, which no script can read. */
  readonly cookie: string
  /** Goes into the storage of the page's origin, and from there into a header. */
  readonly token: string
}

/** Admits browsers to the page of one run of `hookgate ui`. */
export interface SignIn {
  /** Returns the secret of a link that opens the page once; earlier links open nothing any more. */
  issue(): string
  /** Uses a link up. @returns `undefined` for one that is over, used or never was */
  redeem(secret: string): PageKeys | undefined
  hasCookie(cookie: string | undefined): boolean
  hasToken(token: string | undefined): boolean
}

/** 256 bits cannot be guessed, however many attempts there are. */
const newSecret = () => randomBytes(32).toString('base64url')

/**
 * Makes the secrets of one run. They are kept in memory only, and end with it.
 *
 * INVARIANT: neither key is enough by itself. Browsers send a cookie of 127.0.0.1 to every port there, so whatever
 * listens on another port may have the cookie; and a page of another origin can make a browser send it. The token is
 * stored for the page's own origin, which includes the port, and no other page can read it or send its header.
 *
 * @param nowMs returns the time, ms since any moment
 */
export function openSignIn(nowMs: () => number = () => performance.now()): SignIn {
  const keys: PageKeys = { cookie: newSecret(), token: newSecret() }
  let link: { readonly secret: string; readonly endsAtMs: number } | undefined
  return {
    issue() {
      link = { secret: newSecret(), endsAtMs: nowMs() + limits.pageLinkMs }
      return link.secret
    },
    redeem(secret) {
      if (link === undefined || nowMs() >= link.endsAtMs || !isSameSecret(secret, link.secret)) return undefined
      link = undefined
      return keys
    },
    hasCookie: (cookie) => cookie !== undefined && isSameSecret(cookie, keys.cookie),
    hasToken: (token) => token !== undefined && isSameSecret(token, keys.token),
  }
}
