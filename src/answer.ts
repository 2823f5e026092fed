import { isUint8Array } from 'node:util/types'
import { checkDepth, readable } from './checked-event.ts'
import { dialectBySight, dialectOf } from './agents/index.ts'
import { lastResort } from './agents/last-resort.ts'
import type { KnownAgent } from './agents/registry.ts'
import type { Answer, Dialect, Surroundings } from './model/dialect.ts'
import { errorText, HookgateError } from './model/errors.ts'
import type { HookEvent } from './model/event.ts'
import { isJsonObject, type Json, type JsonObject } from './model/json.ts'
import { kindOf } from './model/json-kinds.ts'
import { limits } from './model/limits.ts'
import type { Verdict } from './model/verdict.ts'

/** An answer on the wire, and what it was made of: no verdict where the gate itself failed. */
export interface Answered extends Answer {
  /** `undefined` where what came is none. */
  readonly event: HookEvent | undefined
  readonly verdict: Verdict | undefined
  readonly error: unknown
}

/** Where an event comes from: what a hook that decided it by itself would find around it. */
export type Caller = Pick<Surroundings, 'env' | 'cwd'>

export interface AnswerOptions {
  readonly agent?: KnownAgent
  readonly signal?: AbortSignal
  /** Its environment is also what the event's hooks inherit, and its facts are told of. Default: the gate's own. */
  readonly caller?: Caller
  /** Called with the event before it is decided, for what is known of its session. */
  readonly settle?: (event: HookEvent, dialect: Dialect) => HookEvent
}

interface Answering {
  readonly surroundings: (caller: Caller | undefined) => Surroundings
  readonly decide: (event: HookEvent, around: Surroundings, signal: AbortSignal | undefined) => Promise<Verdict>
}

/**
 * Wire in, wire out: decode, decide, encode.
 *
 * INVARIANT: never rejects and never says nothing. Whatever goes wrong on the way is answered by the last resort of the
 * agent's dialect, which refuses where that event can be refused.
 */
export async function answer(
  wire: string | Uint8Array | JsonObject,
  given: AnswerOptions | undefined,
  { surroundings, decide }: Answering,
): Promise<Answered> {
  let agent: KnownAgent | undefined
  let event: HookEvent | undefined
  try {
    const options = given ?? {}
    const { signal, caller, settle } = options
    // What is none, whatever the types say, speaks as no agent does.
    agent = typeof options.agent === 'string' ? options.agent : undefined
    const around = surroundings(caller)
    const decoded = await eventOf(wire, options.agent, around)
    event = settle?.(decoded.event, decoded.dialect) ?? decoded.event
    const verdict = await decide(event, around, signal)
    return { ...decoded.dialect.encodeVerdict(event, verdict), event, verdict, error: undefined }
  } catch (error) {
    return { ...lastResort(agent, headOf(wire), errorText(error)), event, verdict: undefined, error }
  }
}

/** @throws HookgateError `eventTooLarge`, `eventMalformed` or `agentUnknown` */
export async function eventOf(
  wire: string | Uint8Array | JsonObject,
  agent: KnownAgent | undefined,
  surroundings: Surroundings,
): Promise<{ readonly dialect: Dialect; readonly event: HookEvent }> {
  const object = isWireText(wire) ? parsed(wire) : readable(wire)
  if (!isJsonObject(object))
    throw new HookgateError('eventMalformed', `an event must be an object, not ${kindOf(object)}`)
  const dialect = await (agent === undefined ? dialectBySight(object) : dialectOf(agent))
  return { dialect, event: dialect.decodeEvent(object, surroundings) }
}

const isWireText = (wire: string | Uint8Array | JsonObject): wire is string | Uint8Array =>
  typeof wire === 'string' || isUint8Array(wire)

function parsed(wire: string | Uint8Array): JsonObject {
  // Claude Code itself sends at most the size of one file; what is far above is not an event.
  if (wire.length > limits.eventBytesMax) {
    throw new HookgateError('eventTooLarge', `the event is over ${limits.eventBytesMax} bytes`)
  }
  const text = textOf(wire)
  if (text.trim() === '') {
    throw new HookgateError('eventMalformed', 'the event is empty', { remedy: 'send one JSON object' })
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new HookgateError('eventMalformed', `the event is not JSON: ${errorText(cause)}`, { cause })
  }
  checkDepth(value)
  if (isJsonObject(value)) return value
  throw new HookgateError('eventMalformed', 'the event is JSON, but not an object')
}

/**
 * What the last resort looks at: an event's own fields. What is too large to be an event is too large to be read whole
 * even for that, and what is no text may be what no text can hold, such as a list that is its own member, or what throws
 * when it is looked at.
 */
function headOf(wire: string | Uint8Array | JsonObject): string {
  try {
    if (isWireText(wire)) return textOf(wire.length > limits.eventBytesMax ? wire.slice(0, headLengthMax) : wire)
    const fields = isJsonObject(wire) ? wire : {}
    return JSON.stringify(Object.fromEntries(Object.keys(fields).map((key) => [key, plainAt(fields, key)])))
  } catch {
    return ''
  }
}

/** A field that a text can hold; null for any other. */
function plainAt(fields: JsonObject, key: string): Json {
  try {
    const value = fields[key] ?? null
    return isPlain(value) ? value : null
  } catch {
    return null
  }
}
const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)
/** An agent's own fields come first, and take less than this. */
const headLengthMax = 64 * 1024

/** An event is JSON, so UTF-8; a stray byte becomes U+FFFD rather than a reason not to look at the rest. */
function textOf(wire: string | Uint8Array): string {
  if (typeof wire !== 'string') return new TextDecoder().decode(wire)
  return wire.startsWith('\ufeff') ? wire.slice(1) : wire
}
