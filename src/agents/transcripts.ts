import type { Became } from '../model/event.ts'
import { given, isJsonObject, type Json, type JsonObject, objectsIn } from '../model/json.ts'
import type { Environment } from '../model/node-environment.ts'
import type { TokenUse } from '../model/tokens.ts'

/** One kind of file in which an agent keeps its sessions, and how the calls in it are read. */
export interface SessionStore {
  /** Returns the folders in which the files are, absolute. They need not exist. */
  readonly folders: (site: SessionSite, namesIn: FolderNames) => readonly string[]
  /** How many levels of folders below them are searched. Default: all. */
  readonly depth?: number
  /** Matches the path of a session file, with `/` between names, from one of those folders on. */
  readonly files: RegExp
  readonly format: SessionFormat
  /** Recognises a file by one of its first records, wherever it is. Absent: its records do not tell. */
  readonly owns?: (record: JsonObject) => boolean
  /** Begins to read a file. The function that it returns takes the file's records in order, and keeps what they say. */
  readonly read: (file: OpenSession) => (record: JsonObject) => readonly RecordedCall[]
  /** Reads the tokens that a record says were spent. Absent if its records do not say; only `jsonLines` may have it. */
  readonly tokens?: SessionTokens
}

/** How the records of a session file say what was spent. */
export interface SessionTokens {
  /** A text that is in every line that says it: other lines are not parsed. */
  readonly mark: string
  readonly of: (record: JsonObject) => readonly TokenUse[]
  /** Returns the folder with the files of a session's sub-agents; absent if their hooks name their own files. */
  readonly subagents?: (file: string, session: string) => string
}

/** For an agent that keeps its sessions in databases: where these are, and the queries for the tokens of a session. */
export interface DatabaseTokens {
  /** Returns the folder of the databases, of which the one with the session counts. */
  readonly databasesIn: (site: Pick<SessionSite, 'home' | 'env'>) => string
  readonly named: RegExp
  /** A query that returns a row if the database has the session `:session`, and none otherwise. */
  readonly has: string
  /**
   * What `:session` and its sub-agents have spent up to `:until`: `hour` since the epoch and `tokens`, a row for each hour.
   * Of more than `:most` messages it may leave out any.
   */
  readonly query: string
}

/** Returns the sum of an object's counts, without those that are to be taken off. */
export function sumOf(counts: JsonObject, keys: readonly string[], off: readonly string[] = []): number {
  const of = (some: readonly string[]) => some.reduce((sum, key) => sum + wholeAt(counts, key), 0)
  return Math.max(0, of(keys) - of(off))
}
const wholeAt = (object: JsonObject, key: string): number => {
  const value = object[key]
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0
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

/** Lists the names in a folder, for agents whose folders are in those of other programs; none if it cannot be read. */
export type FolderNames = (folder: string) => readonly string[]

/** A session file that is being read. */
export interface OpenSession {
  /** Absolute. */
  readonly path: string
  /** Reads a small text file that the agent keeps beside the session; `undefined` if it cannot be read. */
  readonly text: (path: string) => string | undefined
  /** Returns the SHA-256 of a text, in hexadecimal digits. */
  readonly sha256: (text: string) => string
}

/** A call in a session file, as the agent would have sent it to a hook. */
export interface RecordedCall {
  readonly wire: JsonObject
  /** Ms since the epoch. */
  readonly atMs: number | undefined
  /** Set if it is no call, but what became of this one, or a prompt of the person after it. */
  readonly became?: Became
  /** With `became`: the call's output, or the person's words. */
  readonly said?: Json
  /** The folder in which the agent worked; `undefined` if neither the file nor those beside it say. */
  readonly cwd: string | undefined
}

/** Returns the time of an ISO 8601 text in ms since the epoch; `undefined` for anything else. */
export function msOf(text: string | undefined): number | undefined {
  const ms = Date.parse(text ?? '')
  return Number.isNaN(ms) ? undefined : ms
}

/** Remembers calls until a session file says what became of them. */
export class CallsUnderWay {
  readonly #calls = new Map<Json | undefined, RecordedCall>()
  #last: RecordedCall | undefined
  /** Prompts from before the first call. They wait for it, since only a call says which session this is. */
  #firstWords: string[] = []

  /** Returns a call, behind what the person said before the first one. */
  began(id: Json | undefined, call: RecordedCall): readonly RecordedCall[] {
    this.#last = call
    if (id !== undefined && id !== null) this.#calls.set(id, call)
    const [oldest] = this.#calls.keys()
    if (this.#calls.size > underWayMax) this.#calls.delete(oldest)
    const said = this.#firstWords.splice(0)
    return [...said.map((words) => promptAfter(call, words, call.atMs)), call]
  }

  /** Returns what became of a call; nothing if it is not known, or was said already. */
  ended(
    id: Json | undefined,
    became: Became | undefined,
    { time, said }: { readonly time: string | undefined; readonly said: Json | undefined },
  ): readonly RecordedCall[] {
    const call = this.#calls.get(id)
    if (call === undefined || became === undefined) return []
    this.#calls.delete(id)
    return [{ ...call, became, atMs: msOf(time) ?? call.atMs, ...given('said', said) }]
  }

  /** Returns a prompt of the person; none before the first call, with which it comes. */
  prompted(time: string | undefined, words: string): readonly RecordedCall[] {
    if (this.#last !== undefined) return [promptAfter(this.#last, words, msOf(time))]
    if (this.#firstWords.length < firstWordsMax) this.#firstWords.push(words)
    return []
  }
}
const promptAfter = (call: RecordedCall, said: string, atMs: number | undefined): RecordedCall => ({
  ...call,
  became: 'prompted',
  said,
  atMs: atMs ?? call.atMs,
})
/** Prompts before the first call of a session. */
const firstWordsMax = 20
/** Calls of a session of which nothing is said yet: some agents say nothing of any. */
const underWayMax = 1000

/** A call of an agent whose events have Claude Code's common fields. */
interface RecordedSnakeCall {
  readonly path: string
  readonly sessionId: string | undefined
  readonly cwd: string | undefined
  /** ISO 8601. */
  readonly time: string | undefined
  readonly name: Json | undefined
  readonly input: Json | undefined
  /** Default: `PreToolUse`. */
  readonly event?: string
  /** Further fields. */
  readonly more?: JsonObject
}

/** Makes a call of an agent that writes `session_id`, `cwd` and `tool_name`. What a file lacks, the decoder misses. */
export function snakeCall(call: RecordedSnakeCall): RecordedCall {
  const { path, sessionId = '', cwd, time, name = null, input = null, event = 'PreToolUse', more } = call
  return {
    cwd,
    atMs: msOf(time),
    wire: {
      session_id: sessionId,
      transcript_path: path,
      cwd: cwd ?? '',
      hook_event_name: event,
      tool_name: name,
      tool_input: input,
      ...more,
    },
  }
}

/** Returns the objects of one type in a list of content. */
export const blocksOf = (content: Json | undefined, type: string): readonly JsonObject[] =>
  objectsIn(content).filter((block) => block['type'] === type)

/** Returns the object at a key, or an empty one. */
export function objectAt(object: JsonObject, key: string): JsonObject {
  const value = object[key]
  return isJsonObject(value) ? value : {}
}
