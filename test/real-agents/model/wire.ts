import type { Standing, Turn } from './script.ts'

/** One way in which programs speak with models over HTTP. */
export interface ModelWire {
  /** Whether a path is one that asks for an answer of the model. */
  readonly hears: (path: string) => boolean
  readonly standing: (body: Fields) => Standing
  readonly isStreamed: (path: string, body: Fields) => boolean
  /** What is sent, event by event. */
  readonly events: (turn: Turn, at: number) => readonly ServerEvent[]
  readonly whole: (turn: Turn, at: number) => object
}

/** An event of a stream; `data` is sent as JSON unless it is text. */
export interface ServerEvent {
  readonly event?: string
  readonly data: object | string
}

export type Fields = Readonly<Record<string, unknown>>

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}
export const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : [])

/** Ids say in which turn a call was made: a program sends them back with its results. */
export const callId = (at: number, index: number) => `call_t${at}_${index}`

/** How many turns of calls a conversation holds, by the ids in it, of which OpenClaw leaves out the signs. */
export function turnsIn(body: Fields, key: 'messages' | 'input'): number {
  const ids = JSON.stringify(body[key] ?? []).matchAll(/"call(?:_t(\d+)_\d+|t(\d+)\d)"/g)
  return new Set([...ids].map(([, at, plain]) => at ?? plain)).size
}
