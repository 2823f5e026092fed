import { isUint8Array } from 'node:util/types'
import { checkDepth, checkFolders, readable } from './checked-event.ts'
import { dialectBySight, dialectFor } from '../agents/index.ts'
import { lastResort } from '../agents/last-resort.ts'
import type { AnswerChannel } from '../agents/sender.ts'
import type { KnownAgent } from '../agents/registry.ts'
import { expressedDecision } from '../agents/codec/supported-verdict.ts'
import type { Answer, Dialect, Surroundings } from '../model/dialect.ts'
import type { Decision } from '../model/effect.ts'
import { errorText, HookgateError } from '../model/errors.ts'
import type { EntryPoint, HookEvent } from '../model/event.ts'
import { goneProgram } from '../files/policy-files.ts'
import { turn } from '../files/turns.ts'
import { isJsonObject, type Json, type JsonObject, parseJsonOnce } from '../model/json.ts'
import { kindOf } from '../words/schema-problems.ts'
import { limits } from '../model/limits.ts'
import type { Verdict } from '../model/verdict.ts'

/** An answer on the wire, with its event and verdict. There is no verdict if the gate itself failed. */
export interface AnsweredWire extends Answer {
  /** `undefined` if the input is not an event. */
  readonly event: HookEvent | undefined
  readonly verdict: Verdict | undefined
  /** The decision as the agent's protocol expresses it. */
  readonly told: Decision
  readonly error: unknown
}

/** Environment and working directory of the hook process that received an event. */
export type Caller = Pick<Surroundings, 'env' | 'cwd'>

export interface AnswerOptions {
  readonly agent?: KnownAgent
  readonly signal?: AbortSignal
  /** Its environment is also inherited by the event's hooks and used for facts. Default: the gate's own. */
  readonly caller?: Caller
  /** How the answer reaches the agent. Default: as a hook's output with its exit code. */
  readonly channel?: AnswerChannel
  /** How the event came, for the record. Default: `library`. */
  readonly via?: EntryPoint
  /** Who asked, as proved to the gate, and whom it asks for; for the record. */
  readonly who?: string
  readonly onBehalfOf?: string
  /** Called before the decision, to add what is known about the event's session. */
  readonly settle?: (event: HookEvent, dialect: Dialect) => HookEvent
}

interface Answering {
  readonly surroundings: (caller: Caller | undefined) => Surroundings
  readonly decide: (event: HookEvent, around: Surroundings, signal: AbortSignal | undefined) => Promise<Verdict>
}

/**
 * Decodes an agent's wire object, decides the event, and encodes the verdict.
 *
 * INVARIANT: never rejects and always answers. Any error is answered by the last resort of the agent's dialect, which
 * refuses the event if that event can be refused.
 */
export async function answer(
  wire: string | Uint8Array | JsonObject,
  given: AnswerOptions | undefined,
  { surroundings, decide }: Answering,
): Promise<AnsweredWire> {
  let agent: KnownAgent | undefined
  let event: HookEvent | undefined
  try {
    const options = given ?? {}
    const { signal, caller, settle, channel } = options
    // Untyped callers may pass a non-string: treat it as "agent unknown".
    agent = typeof options.agent === 'string' ? options.agent : undefined
    const around = surroundings(caller)
    const decoded = await eventOf(wire, options.agent, around, channel)
    event = settle?.(decoded.event, decoded.dialect) ?? decoded.event
    await turn()
    const verdict = await decide(event, around, signal)
    await turn()
    const told = expressedDecision(verdict, decoded.dialect.support(event))
    return { ...decoded.dialect.encodeVerdict(event, verdict), event, verdict, told, error: undefined }
  } catch (thrown) {
    const error = causeOf(thrown)
    const last = lastResort(agent, headOf(wire), errorText(error))
    // An event that cannot be refused is answered with this code.
    return { ...last, event, verdict: undefined, told: last.exitCode === 1 ? 'abstain' : 'deny', error }
  }
}

/** Parts of the program are read when they are first needed: once it is gone, whatever fails in it fails for that. */
const causeOf = (error: unknown) => (error instanceof HookgateError ? error : (goneProgram() ?? error))

/** @throws HookgateError `eventTooLarge`, `eventMalformed` or `agentUnknown` */
export async function eventOf(
  wire: string | Uint8Array | JsonObject,
  agent: KnownAgent | undefined,
  surroundings: Surroundings,
  channel: AnswerChannel = 'process',
): Promise<{ readonly dialect: Dialect; readonly event: HookEvent }> {
  const object = isWireText(wire) ? parsed(wire) : readable(wire)
  if (!isJsonObject(object))
    throw new HookgateError('eventMalformed', `an event must be an object, not ${kindOf(object)}`)
  const dialect = await (agent === undefined
    ? dialectBySight(object)
    : dialectFor(agent, object, surroundings, channel))
  const event = dialect.decodeEvent(object, surroundings)
  checkFolders(event)
  return { dialect, event }
}

const isWireText = (wire: string | Uint8Array | JsonObject): wire is string | Uint8Array =>
  typeof wire === 'string' || isUint8Array(wire)

function parsed(wire: string | Uint8Array): JsonObject {
  // Claude Code sends at most the size of one file; anything far larger is not an event.
  if (wire.length > limits.eventBytesMax) {
    throw new HookgateError('eventTooLarge', `the event is over ${limits.eventBytesMax} bytes`)
  }
  const text = wireText(wire)
  if (text === '') {
    throw new HookgateError('eventMalformed', 'the event is empty', { remedy: 'send one JSON object' })
  }
  let value: unknown
  try {
    value = parseJsonOnce(text)
  } catch (cause) {
    throw new HookgateError('eventMalformed', `the event is not JSON: ${errorText(cause)}`, { cause })
  }
  checkDepth(value)
  if (isJsonObject(value)) return value
  throw new HookgateError('eventMalformed', 'the event is JSON, but not an object')
}

/**
 * Returns JSON with an event's top-level fields, for the last resort. Input over the size limit is cut before it is
 * read. An object may be impossible to serialise, such as a list that contains itself, or may throw when accessed.
 */
function headOf(wire: string | Uint8Array | JsonObject): string {
  try {
    if (isWireText(wire)) return wireText(wire.length > limits.eventBytesMax ? wire.slice(0, headLengthMax) : wire)
    const fields = isJsonObject(wire) ? wire : {}
    return JSON.stringify(Object.fromEntries(Object.keys(fields).map((key) => [key, plainAt(fields, key)])))
  } catch {
    return ''
  }
}

/** Returns a primitive field; null for any other. */
function plainAt(fields: JsonObject, key: string): Json {
  try {
    const value = fields[key] ?? null
    return isPlain(value) ? value : null
  } catch {
    return null
  }
}
const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)
/** The fields that the last resort needs come first in an event, and take less than this. */
const headLengthMax = 64 * 1024

/**
 * Decodes UTF-8 without the byte order marks and white space around it: each program on the way may have written a mark.
 * An invalid byte becomes U+FFFD, so that the rest can still be read.
 */
const wireText = (wire: string | Uint8Array): string =>
  (typeof wire === 'string' ? wire : new TextDecoder().decode(wire)).trim()
