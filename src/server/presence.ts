import { z } from 'zod'
import { errorText } from '../model/errors.ts'
import { limits } from '../model/limits.ts'
import { askGate } from './ask-gate.ts'
import type { Places } from './places.ts'
import { codeOf } from '../files/code-of.ts'

/**
 * What every version of the gate says of itself at `GET /v1/status`.
 *
 * INVARIANT: these fields, and `POST /v1/drain`, mean the same in every version: with them one replaces another.
 */
const GateHello = z.looseObject({
  pid: z.int().positive(),
  version: z.string(),
  /** Its address where it listens to HTTP. */
  http: z.string().nullable(),
})
export type GateHello = Readonly<z.infer<typeof GateHello>>

export type Presence =
  | { readonly kind: 'absent' }
  | { readonly kind: 'answering'; readonly hello: GateHello }
  /** Somebody is there and says nothing. */
  | { readonly kind: 'silent' }
  /** Somebody is there who is no gate, or cannot be reached. */
  | { readonly kind: 'unexpectedPeer'; readonly why: string }

/** Asks who is behind the socket. */
export async function presenceAt({ socket }: Places, timeoutMs: number = limits.gateAnswerMs): Promise<Presence> {
  try {
    const { status, body } = await askGate(socket, { path: '/v1/status', timeoutMs })
    if (status !== 200) return { kind: 'unexpectedPeer', why: `it answers with status ${status}` }
    const hello = GateHello.safeParse(JSON.parse(body.toString()))
    return hello.success
      ? { kind: 'answering', hello: hello.data }
      : { kind: 'unexpectedPeer', why: 'it is not a gate' }
  } catch (cause) {
    const code = codeOf(cause)
    if (code !== undefined && goneCodes.has(code)) return { kind: 'absent' }
    if (code !== undefined && stuckCodes.has(code)) return { kind: 'silent' }
    return { kind: 'unexpectedPeer', why: errorText(cause) }
  }
}

/** No socket, nobody behind it, something else in its place, or somebody who is just leaving. */
const goneCodes: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ECONNREFUSED', 'ENOTSOCK', 'ECONNRESET', 'EPIPE'])
/** Nobody takes the connection, or nobody answers on it. */
const stuckCodes: ReadonlySet<string> = new Set(['EAGAIN', 'ETIMEDOUT'])

/** The port of an address such as a gate tells. */
export function portOf(address: string | null | undefined): number | undefined {
  if (address === null || address === undefined || !URL.canParse(address)) return undefined
  return Number(new URL(address).port || 80)
}
