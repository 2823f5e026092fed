import type { z } from 'zod'
import type { AgentName, EventName, HookEvent, ToolKind } from '../../model/event.ts'
import type { ProtocolSupport, Surroundings } from '../../model/dialect.ts'
import type { Effect } from '../../model/effect.ts'
import type { Json, JsonObject } from '../../model/json.ts'
import type { SupportedVerdict } from '../supported-verdict.ts'

/**
 * Describes an agent's wire format as data; `dialectBy` makes a `Dialect` of it.
 *
 * It suits agents whose hooks get an event as one JSON object on stdin and answer by one on stdout and an exit code.
 */
export interface WireTable {
  readonly agent: AgentName
  /** See `Dialect`. */
  readonly namesProject: boolean
  readonly recognises: (wire: JsonObject) => boolean
  /** The first row of an event is the default for encoding it for this agent's hooks. */
  readonly rows: readonly EventRow[]
  /** Returns the row of a wire object; `undefined` if it is none of this agent's events. */
  readonly rowOf: (wire: JsonObject) => EventRow | undefined
  readonly exits: ExitRules
  /** Returns variables that a hook's process gets in addition to hookgate's own. */
  readonly variables: (event: HookEvent) => Readonly<Record<string, string>>
  /** Whether its hooks run in the session's current folder or in the project's. */
  readonly runsIn: 'session' | 'project'
}

/** One event in the agent's wire format, for decoding and encoding. */
export interface EventRow {
  /** The agent's name for it; see `event-names.ts`. */
  readonly spelled: string
  readonly event: EventName
  readonly frame: EventFrame
  /** The schema of its own fields. */
  readonly fields: z.ZodRawShape
  /** For a tool call under the keys of the frame: whether it is still to be made, or was made. */
  readonly call?: CallTime | undefined
  readonly read: (wire: JsonObject, frame: EventFrame) => EventParts
  /** Encodes its own fields; several objects if a call touches several files, none if they cannot be expressed. */
  readonly write: (event: HookEvent, frame: EventFrame) => readonly JsonObject[]
  readonly support: ProtocolSupport
  readonly form: AnswerFormat
  /** The kinds of tools it covers, if the agent has a separate event for each. */
  readonly tools?: readonly ToolKind[] | undefined
  /** Whether plain text on a hook's stdout is passed to the model. */
  readonly textIsContext?: boolean | undefined
  /** The output for an empty verdict, for an agent that takes emptyAnswer for a refusal. */
  readonly emptyAnswer?: JsonObject | undefined
}

/** The event-specific parts of a `HookEvent`. */
export type EventParts = Pick<HookEvent, 'trigger' | 'action' | 'result' | 'prompt' | 'message'>

/** The fields that all events of one format have in common. */
export interface EventFrame {
  readonly shape: z.ZodRawShape
  readonly read: (wire: JsonObject, around: Surroundings) => Pick<HookEvent, 'session' | 'workspaceRoots' | 'atMs'>
  readonly write: (event: HookEvent, row: EventRow) => JsonObject
  /** The keys of a tool call. */
  readonly call: CallKeys
}

/** The time of an event relative to its call: still to be made, or made. */
export type CallTime = 'before' | 'after'

export interface CallKeys {
  readonly name: string
  readonly input: string
  readonly id?: string
}

/** Encodes a verdict as an object, and decodes such an object. */
export interface AnswerFormat {
  /** Returns `undefined` if there is nothing to say in an object. */
  readonly encode: (supported: SupportedVerdict) => JsonObject | undefined
  /** Returns a text with the mistake if the agent would ignore the object as invalid. */
  readonly decode: (object: JsonObject) => DecodedAnswer | string
}

/** The content of a hook's answer. */
export interface DecodedAnswer {
  readonly effect?: Effect | undefined
  readonly reason?: string | undefined
  /** A replacement for the tool's input, in this agent's keys. */
  readonly input?: JsonObject | undefined
  readonly output?: Json | undefined
  /** The reason for ending the turn, if the hook demands that. */
  readonly stop?: string | undefined
  readonly context?: string | undefined
  readonly notice?: string | undefined
}

/**
 * The meaning of a hook's exit code.
 *
 * `refuses`: the action is refused, whatever was printed. `reads`: the output counts. `fails`: it does not count, and
 * the hook has failed.
 */
export type ExitOutcome = 'refuses' | 'reads' | 'fails'

export interface ExitRules {
  /** The exit code of a refusal: 2 if the agent then still reads the reason, else 0. */
  readonly refusal: 0 | 2
  /** Interprets every exit code but 0; `null` for a hook that was killed. */
  readonly outcome: (exitCode: number | null, row: EventRow, printed: { stdout: string; stderr: string }) => ExitOutcome
}
