/** A client's challenge is 128 random bits in hexadecimal digits, so none is ever sent twice. */
export const challengeBytes = 16
/** The file `gate.key` consists of these bytes in hexadecimal digits, and these digits are the key. */
export const keyBytes = 32

/** What a client of the gate obeys. */
interface ProvedAnswer {
  readonly stdout: Uint8Array
  readonly stderr: Uint8Array
  readonly exitCode: number
}

/**
 * Returns the proof of the gate whose key this is that it has given an answer, and to this very request: an HMAC-SHA256,
 * in hexadecimal digits.
 *
 * INVARIANT: it covers all that the gate decides by and all that the client obeys. A program in between could otherwise
 * have the gate prove the answer to another request, or an answer that it changes.
 * INVARIANT: no two exchanges have the same text: the request is a digest, and the lengths of the answer come before it.
 *
 * @param digest of all bytes of the request, its challenge included
 */
export function proofOf(key: string, digest: string, { stdout, stderr, exitCode }: ProvedAnswer): string {
  // Loaded late, since the thin client has sent its request by then.
  const hmac = process.getBuiltinModule('node:crypto').createHmac('sha256', key)
  hmac.update(`${digest}\n${exitCode} ${stdout.length} ${stderr.length}\n`)
  return hmac.update(stdout).update(stderr).digest('hex')
}

/** Returns the digest of a request, in hexadecimal digits. */
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
