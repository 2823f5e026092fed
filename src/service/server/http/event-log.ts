import { isSecretField, maskedBeginning } from '../../../mask/mask.ts'
import type { AgentName } from '../../../model/event.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../model/json.ts'
import { jsonText } from '../../../model/text.ts'
import type { DecisionRecord } from '../../../record/record.ts'

/** Concurrent listeners of the event stream: some windows of one person. */
const eventListenersMax = 16

/** Size of the kept events, in UTF-16 units of their JSON. */
const eventsKeptCharactersMax = 16 * 1024 * 1024

/** Recent events that the resident gate keeps for inspection: those of a long session. */
const eventsKeptMax = 1000

/** A kept event: a decided one, as its audit record, or one that was only sent to be kept. */
type KeptEvent = {
  /** 1, 2, 3, … in order of arrival. */
  readonly id: number
  /** The time when the event was kept, ISO 8601 in UTC. */
  readonly at: string
  readonly agent: AgentName
} & (
  | { readonly kind: 'decided'; readonly record: DecisionRecord }
  /** The event as its agent sent it, with secrets masked and long texts cut. */
  | { readonly kind: 'emitted'; readonly event: JsonObject }
)

/** A kept event as it is served, as JSON on one line. */
interface EventLine {
  readonly id: number
  readonly json: string
}

/** The most recent events, kept in memory within `EventLogLimits`. */
export interface EventLog {
  keepDecided(agent: AgentName, record: DecisionRecord): void
  keepEmitted(agent: AgentName, event: JsonObject): void
  /** Returns the kept events with a greater id, oldest first. */
  after(id: number): readonly EventLine[]
  /** The id of the last event; 0 before the first. */
  readonly lastId: number
  /** The id of the oldest event that is still kept; `lastId + 1` if there is none. */
  readonly firstId: number
  /**
   * Calls `onEvent` after every event. Returns a function that removes the listener, or `undefined` if there are
   * already `listenersMax`.
   */
  listen(onEvent: () => void): (() => void) | undefined
}

export interface EventLogLimits {
  readonly eventsMax: number
  readonly charactersMax: number
  readonly listenersMax: number
}

export function openEventLog({
  eventsMax = eventsKeptMax,
  charactersMax = eventsKeptCharactersMax,
  listenersMax = eventListenersMax,
}: Partial<EventLogLimits> = {}): EventLog {
  const listeners = new Set<() => void>()
  let lines: EventLine[] = []
  let characters = 0
  let lastId = 0

  function keep(event: KeptEvent): void {
    const line = { id: event.id, json: jsonText(event).trimEnd() }
    lines.push(line)
    characters += line.json.length
    lastId = event.id
    let gone = 0
    while (lines.length - gone > eventsMax || characters > charactersMax) {
      characters -= lines[gone]?.json.length ?? 0
      gone += 1
    }
    if (gone > 0) lines = lines.slice(gone)
    for (const onEvent of listeners) onEvent()
  }

  const next = (agent: AgentName) => ({ id: lastId + 1, at: new Date().toISOString(), agent })
  return {
    keepDecided: (agent, record) => keep({ ...next(agent), kind: 'decided', record }),
    keepEmitted: (agent, event) => keep({ ...next(agent), kind: 'emitted', event: maskEvent(event) }),
    after: (id) => lines.filter((line) => line.id > id),
    get lastId() {
      return lastId
    },
    get firstId() {
      return lines[0]?.id ?? lastId + 1
    },
    listen(onEvent) {
      if (listeners.size >= listenersMax) return undefined
      const listener = () => onEvent()
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/**
 * Copies an event to be kept and shown: masks secrets, and bounds depth, values and text lengths, since the sender may
 * send megabytes of anything.
 */
export function maskEvent(event: JsonObject): JsonObject {
  let charactersLeft: number = eventKeptCharactersMax
  let valuesLeft: number = eventKeptValuesMax

  function text(whole: string): string {
    const max = Math.min(eventKeptTextCharactersMax, charactersLeft)
    const isCut = whole.length > max
    const clean = maskedBeginning(whole, max)
    const shown = isCut ? clean.slice(0, max).toWellFormed() : clean
    charactersLeft -= Math.min(shown.length, charactersLeft)
    return isCut ? `${shown}${cut}` : shown
  }

  const named = (key: string, value: Json, depth: number): Json =>
    typeof value === 'string' && isSecretField(key.slice(-nameCharactersMax), value) ? '***' : masked(value, depth)

  function masked(value: Json, depth: number): Json {
    valuesLeft -= 1
    if (typeof value === 'string') return text(value)
    if (typeof value !== 'object' || value === null) return value
    if (depth >= eventKeptDepthMax) return cut
    return isJsonObject(value) ? object(value, depth) : listed(value, depth)
  }

  function listed(list: readonly Json[], depth: number): Json {
    const kept: Json[] = []
    for (const item of list) {
      if (valuesLeft <= 0) return [...kept, cut]
      kept.push(masked(item, depth + 1))
    }
    return kept
  }

  function object(value: JsonObject, depth: number): JsonObject {
    const kept: [string, Json][] = []
    for (const [key, item] of Object.entries(value)) {
      if (valuesLeft <= 0) {
        kept.push([cut, cut])
        break
      }
      kept.push([text(key), named(key, item, depth + 1)])
    }
    // `fromEntries` creates own properties even for the key `__proto__`.
    return Object.fromEntries(kept)
  }

  return object(event, 0)
}
/** All texts of one kept event together: as much as a person still reads. The rest is cut. */
export const eventKeptCharactersMax = 64 * 1024
/** One text of a kept event. */
export const eventKeptTextCharactersMax = 4096
/** Values of one kept event: a list of numbers has no texts to cut. */
export const eventKeptValuesMax = 10_000
/** Nesting depth of a kept event: the code that shortens it recurses. */
const eventKeptDepthMax = 64

/** The end of a name says what it is the name of. */
const nameCharactersMax = 100

const cut = '[…]'
