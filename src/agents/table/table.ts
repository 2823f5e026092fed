import type { z } from 'zod'
import type { EventName, HookEvent, ToolKind } from '../../model/event.ts'
import type { ProtocolSupport, Surroundings } from '../../model/dialect.ts'
import type { Effect } from '../../model/effect.ts'
import type { Json, JsonObject } from '../../model/json.ts'
import type { EnvironmentRules } from '../codec/environment.ts'
import type { SupportedVerdict } from '../codec/supported-verdict.ts'

/**
 * Describes the events of an agent's wire format as data; `eventCodec` makes their codec of it.
 *
 * It suits agents whose hooks get an event as one JSON object on stdin.
 */
export interface EventTable<Row extends WireRow = WireRow> extends EnvironmentRules {
  /** See `Dialect`; default: false. */
  readonly namesProject?: boolean
  /** Returns whether an event that has a row can come from no other agent. Default: yes. */
  readonly recognises?: (wire: JsonObject) => boolean
  /** The first row of an event is the default for encoding it for this agent's hooks. */
  readonly rows: readonly Row[]
  /** The wire field that names the event; default: `hook_event_name`. */
  readonly nameKey?: string
  /** Returns what the protocol can express at one event, where more than its name decides. Default: as described. */
  readonly supportIn?: (support: ProtocolSupport, wire: JsonObject) => ProtocolSupport
  /** Finds the row of a wire object by more than its name; `undefined` if it is none of this agent's events. */
  readonly rowOf?: (wire: JsonObject, rows: readonly EventRow<Row>[]) => EventRow<Row> | undefined
}

/** Adds the answers of hooks, given as one JSON object on stdout and an exit code; `dialectBy` makes a `Dialect` of it. */
export interface WireTable extends EventTable<AnswerRow> {
  /** The exit code of a refusal: 2, the default, if the agent then still reads the reason, else 0. */
  readonly refusalCode?: 0 | 2
  /** Interprets every exit code but 0; `null` for a hook that was killed. Default: 2 refuses, others fail. */
  readonly outcome?: (exitCode: number | null, row: EventRow, printed: ExitOutput) => ExitOutcome
}

interface ExitOutput {
  readonly stdout: string
  readonly stderr: string
}

/** One event in the agent's wire format, for decoding and encoding. */
export interface WireRow {
  /** The agent's name for it, as in its descriptor. */
  readonly spelled: string
  /** Which of the common events behind this name; default: the first. */
  readonly event?: EventName | undefined
  readonly frame: EventFrame
  readonly own: EventFields
}

/** One event with the format of its answers. */
export interface AnswerRow extends WireRow {
  readonly form: AnswerFormat
  /** Whether plain text on a hook's stdout is passed to the model. */
  readonly textIsContext?: boolean
  /** The output for an empty verdict, for an agent that takes empty stdout for an error. */
  readonly emptyAnswer?: JsonObject
}

/** A row completed by the agent's descriptor. */
export type EventRow<Row extends WireRow = WireRow> = Row & {
  readonly event: EventName
  readonly support: ProtocolSupport
  /** The kinds of tools it covers, if the agent has a separate event for each. */
  readonly tools: readonly ToolKind[] | undefined
}

/** The fields that an event has in addition to its frame. */
export interface EventFields {
  /** The schema of the fields. */
  readonly fields: z.ZodRawShape
  /** For a tool call under the keys of the frame: whether it is still to be made, or was made. */
  readonly call?: CallTime | undefined
  readonly read: (wire: JsonObject, frame: EventFrame) => EventParts
  /** Returns several objects if a call touches several files, and none if the fields cannot be expressed. */
  readonly write: (event: HookEvent, frame: EventFrame) => readonly JsonObject[]
}

/** The event-specific parts of a `HookEvent`. */
export type EventParts = Pick<HookEvent, 'trigger' | 'tool' | 'result' | 'prompt' | 'message'>

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
type ExitOutcome = 'refuses' | 'reads' | 'fails'
