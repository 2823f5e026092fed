import { createServer, type Server } from 'node:net'
import { digestOf } from '../files/proof.ts'
import { acceptedFrame, type ClientAnswer, frameHeadBytes, opening, replyFrames } from './frames.ts'

/** A request as something that stands in for a gate receives it. */
export interface ReceivedRequest {
  /** As JSON. */
  readonly head: string
  readonly body: Buffer
  /** Of all its bytes. */
  readonly digest: string
}

/** Takes a request apart that has arrived; `undefined` while it is not whole. */
export function requestIn(bytes: Buffer): ReceivedRequest | undefined {
  const lengthAt = (at: number) => (bytes.length < at + frameHeadBytes ? Infinity : bytes.readUInt32BE(at + 1))
  const headAt = opening.length + frameHeadBytes
  const bodyAt = headAt + lengthAt(opening.length) + frameHeadBytes
  const end = bodyAt + lengthAt(bodyAt - frameHeadBytes)
  if (!(bytes.length >= end)) return undefined
  const head = bytes.toString('utf8', headAt, bodyAt - frameHeadBytes)
  return { head, body: bytes.subarray(bodyAt, end), digest: digestOf(bytes.subarray(0, end)) }
}

/**
 * Creates a server that stands in for the gate whose key this is. It trusts its clients, and so is nothing for an agent:
 * only trials of clients use it.
 */
export function standInGate(key: string, answer: (request: ReceivedRequest) => ClientAnswer): Server {
  return createServer((connection) => {
    let bytes = Buffer.alloc(0)
    connection.on('error', () => {})
    connection.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
      const request = requestIn(bytes)
      if (request === undefined) return
      connection.end(Buffer.concat([acceptedFrame, replyFrames(key, request.digest, answer(request))]))
    })
  })
}
