import { createRemoteJWKSet, errors, jwtVerify, type JWTVerifyGetKey } from 'jose'
import { z } from 'zod'
import { errorText } from '../../../model/errors.ts'
import { wrongUrl } from '../../../model/export-settings.ts'
import { choiceOf, printable } from '../../../model/text.ts'
import { issuesOf } from '../http/problem.ts'

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
