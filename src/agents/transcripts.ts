import type { JsonObject } from '../model/json.ts'
import type { Environment } from '../model/node-environment.ts'

/** One kind of file in which an agent keeps its sessions, and how the calls in it are read. */
export interface SessionStore {
  /** Returns the folders in which the files are, absolute. They need not exist. */
  readonly folders: (site: SessionSite) => readonly string[]
  /** Matches the path of a session file, with `/` between names, from one of those folders on. */
  readonly files: RegExp
  readonly format: SessionFormat
  /** Recognises a file by one of its first records, wherever it is. Absent: its records do not tell. */
  readonly owns?: (record: JsonObject) => boolean
  /** Begins to read a file. The function that it returns takes the file's records in order, and keeps what they say. */
  readonly read: (file: OpenSession) => (record: JsonObject) => readonly RecordedCall[]
}

/**
 * The format of a session file.
 *
 * `jsonLines`: a record on each line. `json`: one record, or an array of them. `sqlite`: the rows of a query are the
 * records.
 */
export type SessionFormat =
  | { readonly kind: 'jsonLines' }
  | { readonly kind: 'json' }
  | { readonly kind: 'sqlite'; readonly query: string }

/** The person and the machine whose sessions are searched. */
export interface SessionSite {
  /** The person's home folder, absolute. */
  readonly home: string
  readonly env: Environment
  readonly platform: NodeJS.Platform
}

/** A session file that is being read. */
export interface OpenSession {
  /** Absolute. */
  readonly path: string
  /** Reads a small text file that the agent keeps beside the session; `undefined` if it cannot be read. */
  readonly text: (path: string) => string | undefined
}

/** A call in a session file, as the agent would have sent it to a hook. */
export interface RecordedCall {
  readonly wire: JsonObject
  /** Ms since the epoch. */
  readonly atMs: number | undefined
  /** The folder in which the agent worked; `undefined` if neither the file nor those beside it say. */
  readonly cwd: string | undefined
}

/** Returns the time of an ISO 8601 text in ms since the epoch; `undefined` for anything else. */
export function msOf(text: string | undefined): number | undefined {
  const ms = Date.parse(text ?? '')
  return Number.isNaN(ms) ? undefined : ms
}
