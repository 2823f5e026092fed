import { z } from 'zod'
import { codeOf, errorText } from '../../model/errors.ts'
import { limits } from '../../model/limits.ts'
import { askGate } from './ask-gate.ts'
import type { GatePaths } from '../../files/state/places.ts'
import { GateStatus } from './gate-status.ts'
import { checkPlaces } from '../../files/state/own-folder.ts'

/**
 * The fields of a gate's status that every version of the gate returns.
 *
 * INVARIANT: these fields, `drain` and the proof mean the same in every version: one version needs them to
 * replace another.
 */
const GateHello = z.looseObject({
  pid: z.int().positive(),
  version: z.string(),
  /** The gate's address, `null` if it does not serve HTTP. */
  http: z.string().nullable(),
})
export type GateHello = Readonly<z.infer<typeof GateHello>>

export type GatePresence =
  | { readonly kind: 'absent' }
  | { readonly kind: 'answering'; readonly hello: GateHello }
  /** Something holds the socket and does not answer. */
  | { readonly kind: 'silent' }
  /** Something that does not prove to be a gate answers, or the connection fails in another way. */
  | { readonly kind: 'unexpectedPeer'; readonly why: string }

/** Asks for the status at the socket, to find out whether a gate is running. */
export async function presenceAt(places: GatePaths, timeoutMs: number = limits.gateAnswerMs): Promise<GatePresence> {
  try {
    const { isAnswer, stdout } = await askGate(places, { to: 'status', timeoutMs })
    if (!isAnswer) return { kind: 'unexpectedPeer', why: 'it does not tell its status' }
    const hello = GateHello.safeParse(JSON.parse(stdout))
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

/** System errors for: no socket, no process behind it, another kind of file in its place, or a gate that is exiting. */
const goneCodes: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ECONNREFUSED', 'ENOTSOCK', 'ECONNRESET', 'EPIPE'])
/** System errors for: the connection is not accepted, or not answered. */
const stuckCodes: ReadonlySet<string> = new Set(['EAGAIN', 'ETIMEDOUT'])

/** Returns the port of the address in a `GateHello`. */
export function portOf(address: string | null | undefined): number | undefined {
  if (address === null || address === undefined || !URL.canParse(address)) return undefined
  return Number(new URL(address).port || 80)
}

export type StatusAnswer =
  | ({ readonly running: true } & GateStatus)
  /** `why` is set if the socket is in use, but no compatible gate answers on it. */
  | { readonly running: false; readonly why: string | null; readonly socket: string; readonly log: string }

/** Asks the gate for its status. @throws HookgateError `unavailable` if the gate's folder is not private */
export async function askStatus(places: GatePaths): Promise<StatusAnswer> {
  checkPlaces(places)
  const { socket, log } = places
  const notRunning = (why: string | null): StatusAnswer => ({ running: false, why, socket, log })
  const presence = await presenceAt(places)
  switch (presence.kind) {
    case 'absent':
      return notRunning(null)
    case 'silent':
      return notRunning('something holds its socket and does not answer; `hookgate down` stops a stuck gate')
    case 'unexpectedPeer':
      return notRunning(`another program is listening on its socket: ${presence.why}`)
    case 'answering':
      break
  }
  try {
    const { stdout } = await askGate(places, { to: 'status' })
    return { running: true, ...GateStatus.parse(JSON.parse(stdout)) }
  } catch (error) {
    const { pid, version } = presence.hello
    return notRunning(
      `the running gate (pid ${pid}) is version ${version} and is not compatible (${errorText(error).split('\n')[0]}); run \`hookgate up\``,
    )
  }
}
