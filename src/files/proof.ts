/** Headers of a request at the gate's socket, and of its response, by which the gate proves itself. */
export const challengeHeader = 'hookgate-challenge'
export const proofHeader = 'hookgate-proof'

/** A client's challenge is 128 random bits in hexadecimal digits, so none is ever sent twice. */
export const challengeBytes = 16
/** The file `gate.key` consists of these bytes in hexadecimal digits, and these digits are the key. */
export const keyBytes = 32

/** A request with the response to it, without the response's body. */
export interface ProvedExchange {
  /** What the client sent as `hookgate-challenge`. */
  readonly challenge: string
  readonly method: string
  /** With its query. */
  readonly path: string
  /** What the client sent as `hookgate-version` and as `hookgate-caller-bytes`; `''` for a header that it did not send. */
  readonly version: string
  readonly callerBytes: string | number
  /** SHA-256 of the request's body, in hexadecimal digits. */
  readonly bodyDigest: string
  readonly status: number
  /** The response's `hookgate-exit-code` and `hookgate-stderr-bytes`; `''` for a missing header. */
  readonly exitCode: string | number
  readonly stderrBytes: string | number
}

/** Returns a request as its receiver has it. */
export function requestOf({ method = '', url = '', headers }: ReceivedHead): ProvedRequest {
  const field = (name: string) => String(headers[name] ?? '')
  return {
    challenge: field(challengeHeader),
    method,
    path: url,
    version: field('hookgate-version'),
    callerBytes: field('hookgate-caller-bytes'),
  }
}
type ProvedRequest = Pick<ProvedExchange, 'challenge' | 'method' | 'path' | 'version' | 'callerBytes'>

/** The part of Node's `IncomingMessage` that is proved. */
interface ReceivedHead {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/**
 * Returns the proof of the gate whose key this is that it has sent a response, and to this very request: an
 * HMAC-SHA256, in hexadecimal digits.
 *
 * INVARIANT: it covers all that the gate decides by and all that the client obeys. A program in between could otherwise
 * have the gate prove the answer to another request, or an answer that it changes.
 * INVARIANT: no two exchanges have the same text. No line can hold a line break, and the request's body, which could hold
 * the rest of another exchange, is a digest.
 *
 * @param parts the response's body
 */
export function proofOf(key: string, exchange: ProvedExchange, ...parts: readonly (string | Uint8Array)[]): string {
  const { challenge, method, path, version, callerBytes, bodyDigest, status, exitCode, stderrBytes } = exchange
  // Loaded late, since the thin client has sent its request by then.
  const hmac = process.getBuiltinModule('node:crypto').createHmac('sha256', key)
  hmac.update(`${challenge}\n${method} ${path}\n${version}\n${callerBytes}\n${bodyDigest}\n`)
  hmac.update(`${status} ${exitCode} ${stderrBytes}\n`)
  for (const part of parts) hmac.update(part)
  return hmac.digest('hex')
}

/** Returns the digest of a request's body, in hexadecimal digits. */
export function digestOf(...parts: readonly (string | Uint8Array)[]): string {
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

/**
 * Returns the proof that whoever sends a text has read the gate's key: an HMAC-SHA256, in hexadecimal digits. Reaching the
 * socket is not enough for a person's answer, as any program of the user can do that.
 */
export const senderProofOf = (key: string, text: string): string =>
  process.getBuiltinModule('node:crypto').createHmac('sha256', key).update(`sender\n${text}`).digest('hex')
