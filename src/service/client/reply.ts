import { proofHeader } from '../../files/proof.ts'

/** The gate's answer, to be printed byte for byte. */
export interface ClientAnswer {
  readonly stdout: Uint8Array
  readonly stderr: Uint8Array
  readonly exitCode: number
}

/** An answer that is not yet believed. */
export interface ProvableAnswer extends ClientAnswer {
  /** The value of `hookgate-proof`; `''` if it is missing. */
  readonly proof: string
}

/** `silent`: no part of an answer yet; `partial`: a part of one; `garbage`: not an answer of a gate. */
type ParsedReply = ProvableAnswer | 'silent' | 'partial' | 'garbage'

const headBytesMax = 65_536
/** The largest exit code with a meaning for agents. */
export const exitCodeMax = 2

/**
 * Exit codes of a client, which the hook's file reads: `answered` plus the exit code of the answer. Without an answer:
 * `stoppedBefore` if the agent's stop was refused before, `tooLarge` for an oversized event, else `noAnswer`.
 * `hookgate run --answered` marks its answer in the same way.
 *
 * INVARIANT: a program without an answer never exits with a code of an answer. An empty script exits with 0; a missing
 * or broken program exits with 1, 2, 125 and above, or with an error number. The codes of an answer are error numbers
 * that no system has returned for decades. The other codes only select the text of a refusal.
 * INVARIANT: nor does it exit with `noAnswer`, at which the hook's file goes on refusing the end of a turn. It must not
 * be 126, with which a shell says that the client may not be executed, nor a code of `timeout` (124 to 127).
 */
export const endings = { tooLarge: 117, answered: 118, stoppedBefore: 121, noAnswer: 123 } as const

/** Parses the bytes received so far for `POST /v1/hook/<agent>`, including interim `100 Continue` responses. */
export function parseReply(reply: Buffer, bytesMax: number): ParsedReply {
  let bytes = reply
  let end = -1
  for (;;) {
    if (bytes.length === 0) return 'silent'
    const start = bytes.toString('latin1', 0, Math.min(bytes.length, 12))
    if (!['HTTP/1.1 200', 'HTTP/1.1 100'].some((line) => line.startsWith(start))) return 'garbage'
    end = bytes.indexOf('\r\n\r\n')
    // Interim responses count as well: no gate sends that many.
    if ((end < 0 ? reply.length : reply.length - bytes.length) > headBytesMax) return 'garbage'
    if (end < 0) return 'partial'
    if (start.endsWith('200')) break
    bytes = bytes.subarray(end + 4)
  }
  const head = bytes.toString('latin1', 0, end + 2)
  const length = numberOf(head, 'content-length')
  const exitCode = numberOf(head, 'hookgate-exit-code')
  const stderrBytes = numberOf(head, 'hookgate-stderr-bytes')
  // Negated, so that a missing number, which is NaN and compares as false, is garbage too.
  if (!(length <= bytesMax && stderrBytes <= length && exitCode <= exitCodeMax)) return 'garbage'
  const body = bytes.subarray(end + 4)
  if (body.length < length) return 'partial'
  const stdoutBytes = length - stderrBytes
  const proof = valueOf(head, proofHeader) ?? ''
  return { stdout: body.subarray(0, stdoutBytes), stderr: body.subarray(stdoutBytes, length), exitCode, proof }
}

function numberOf(head: string, name: string): number {
  const digits = valueOf(head, name)
  return digits !== undefined && /^[0-9]{1,9}$/.test(digits) ? Number(digits) : Number.NaN
}

const valueOf = (head: string, name: string): string | undefined =>
  new RegExp(`\\r\\n${name}: *([^\\r\\n]*)\\r\\n`, 'i').exec(head)?.[1]
