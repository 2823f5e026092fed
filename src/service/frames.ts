import { proofOf } from '../files/proof.ts'

// The protocol between a gate and the programs of hookgate that ask it at its socket: the thin clients, in C and in Node,
// and the commands. docs/architecture.md describes it. Whatever begins in another way is HTTP.
//
// INVARIANT: to ask a running gate, a thin client loads nothing but this file and the proof.
// INVARIANT: the opening, `status`, `drain` and the form of a reply mean the same in every version of hookgate, since one
// version needs them to replace another. What changes any of them gets another number in the opening.

/** The first bytes of a request. No method of HTTP begins with a small letter. */
export const opening = 'hookgate/1\n'

/** A frame is its kind, the length of its content in four bytes, the highest first, and the content. */
export const frameHeadBytes = 5
/** A request is `head`, which is JSON, and `body`; a reply is the other four in this order. */
export const frameKinds = { head: 'h', body: 'b', accepted: 'a', stdout: 'o', stderr: 'e', end: 'x' } as const
type FrameKind = keyof typeof frameKinds

/** The head of a request: a quarter of it is needed. */
export const requestHeadBytesMax = 1024
/** The content of the last frame: one digit, and the proof. */
export const endBytes = 1 + 64

/** The largest exit code with a meaning for agents. */
export const exitCodeMax = 2
/** In place of an exit code: nothing was decided, and stdout is a `{"error": …}` of the gate. */
export const refusedCode = 3

/** The gate's answer, to be printed byte for byte. */
export interface ClientAnswer {
  readonly stdout: Uint8Array
  readonly stderr: Uint8Array
  readonly exitCode: number
}

/** An answer that is not yet believed. */
export interface ProvableAnswer extends ClientAnswer {
  readonly proof: string
}

/** `silent`: no part of an answer yet; `partial`: a part of one; `garbage`: not an answer of a gate. */
type ParsedReply = ProvableAnswer | 'silent' | 'partial' | 'garbage'

/** Returns the first bytes of a frame, without its content. */
function frameHead(kind: FrameKind, length: number): Buffer {
  const head = Buffer.alloc(frameHeadBytes, frameKinds[kind])
  head.writeUInt32BE(length, 1)
  return head
}

/** Returns the first part of a request, before the body's content. */
export function requestHead(head: object, bodyBytes: number): Buffer {
  const json = Buffer.from(JSON.stringify(head))
  return Buffer.concat([Buffer.from(opening), frameHead('head', json.length), json, frameHead('body', bodyBytes)])
}

/**
 * Returns the reply behind `accepted`.
 *
 * @param digest of all bytes of the request; see `proofOf`
 */
export function replyFrames(key: string, digest: string, { stdout, stderr, exitCode }: ClientAnswer): Buffer {
  const end = Buffer.from(`${exitCode}${proofOf(key, digest, { stdout, stderr, exitCode })}`)
  return Buffer.concat([
    frameHead('stdout', stdout.length),
    stdout,
    frameHead('stderr', stderr.length),
    stderr,
    frameHead('end', end.length),
    end,
  ])
}

export const acceptedFrame = frameHead('accepted', 0)

/** Parses the bytes received so far in answer to a request. What follows a whole answer is ignored. */
export function parseReply(reply: Buffer, bytesMax: number): ParsedReply {
  const contents: Buffer[] = []
  let at = 0
  for (const [index, kind] of (['accepted', 'stdout', 'stderr', 'end'] as const).entries()) {
    if (at === reply.length) return index < 2 ? 'silent' : 'partial'
    if (reply[at] !== frameKinds[kind].charCodeAt(0)) return 'garbage'
    if (reply.length - at < frameHeadBytes) return 'partial'
    const length = reply.readUInt32BE(at + 1)
    const isFit = kind === 'accepted' ? length === 0 : kind === 'end' ? length === endBytes : length <= bytesMax
    if (!isFit) return 'garbage'
    at += frameHeadBytes
    if (reply.length - at < length) return 'partial'
    contents.push(reply.subarray(at, at + length))
    at += length
  }
  const [, stdout = reply, stderr = reply, end = reply] = contents
  const exitCode = (end[0] ?? 0) - 0x30
  if (exitCode < 0 || exitCode > refusedCode) return 'garbage'
  return { stdout, stderr, exitCode, proof: end.toString('latin1', 1) }
}
