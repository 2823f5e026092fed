/** What the gate answered, exactly as it is to be said. */
export interface Reply {
  readonly stdout: Uint8Array
  readonly stderr: Uint8Array
  readonly exitCode: number
}

/** `silent`: nothing of an answer yet; `begun`: a part; `garbage`: what came is no answer of a gate. */
export type ParsedReply = Reply | 'silent' | 'partial' | 'garbage'

const headBytesMax = 65_536
/** What agents give a meaning to. */
export const exitCodeMax = 2

/**
 * What a client exits with, as the hook's file reads it: `answered` and the code of the answer, or, where it has none,
 * `stoppedBefore` of an event whose sender was refused its stop before, and `tooLarge` of one that is no event by its size. The process of its own tells it an answer likewise.
 *
 * INVARIANT: whoever has no answer exits with none of these. An empty file is a script that ends with 0, and what is
 * missing or broken ends with 1, 2, 125 and above, or with a number of an error: those of an answer are numbers of errors that no
 * system has given for decades. The others only choose the words of a refusal.
 */
export const endings = { tooLarge: 117, answered: 118, stoppedBefore: 121, noAnswer: 126 } as const

/** Reads the bytes that have come in answer to `POST /v1/hook/<agent>`, the interim 100 before it included. */
export function parseReply(reply: Buffer, bytesMax: number): ParsedReply {
  let bytes = reply
  let end = -1
  for (;;) {
    if (bytes.length === 0) return 'silent'
    const start = bytes.toString('latin1', 0, Math.min(bytes.length, 12))
    if (!['HTTP/1.1 200', 'HTTP/1.1 100'].some((line) => line.startsWith(start))) return 'garbage'
    end = bytes.indexOf('\r\n\r\n')
    // The promises count as well: no gate makes that many.
    if ((end < 0 ? reply.length : reply.length - bytes.length) > headBytesMax) return 'garbage'
    if (end < 0) return 'partial'
    if (start.endsWith('200')) break
    bytes = bytes.subarray(end + 4)
  }
  const head = bytes.toString('latin1', 0, end + 2)
  const length = numberOf(head, 'content-length')
  const exitCode = numberOf(head, 'hookgate-exit-code')
  const stderrBytes = numberOf(head, 'hookgate-stderr-bytes')
  // Written so that a number that is missing, which compares as false, is garbage too.
  if (!(length <= bytesMax && stderrBytes <= length && exitCode <= exitCodeMax)) return 'garbage'
  const body = bytes.subarray(end + 4)
  if (body.length < length) return 'partial'
  const stdoutBytes = length - stderrBytes
  return { stdout: body.subarray(0, stdoutBytes), stderr: body.subarray(stdoutBytes, length), exitCode }
}

function numberOf(head: string, name: string): number {
  const digits = new RegExp(`\\r\\n${name}: *([0-9]{1,9})\\r\\n`, 'i').exec(head)?.[1]
  return digits === undefined ? Number.NaN : Number(digits)
}
