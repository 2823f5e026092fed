import { randomBytes } from 'node:crypto'
import { isSameSecret } from '../files/same-secret.ts'
import { limits } from '../model/limits.ts'

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
