import type { AgentName } from './event.ts'
import type { JsonObject } from './json.ts'

/** A tool call that an agent made in the past. */
export interface PastCall {
  readonly agent: AgentName
  /** The wire object that the agent's hook would have received before the call (`PreToolUse`). */
  readonly wire: JsonObject
  /** Ms since the epoch; `undefined` if the session file does not say. */
  readonly atMs: number | undefined
  /** The folder in which the agent worked. */
  readonly cwd: string
  /** The file and the place in it, for messages. */
  readonly file: string
  readonly line: number | undefined
}

/** A place in a session file that cannot be read, or a file or folder. */
export interface UnreadablePlace {
  readonly kind: 'unreadable'
  readonly file: string
  readonly line: number | undefined
  /** A phrase about the place: "it is not JSON". */
  readonly why: string
}

/** What a session file holds at one place. */
export type PastItem = { readonly kind: 'call'; readonly call: PastCall } | UnreadablePlace
