import type { z } from 'zod'
import type { AgentName } from '../../model/agents.ts'
import type { Carries, Surroundings } from '../../model/dialect.ts'
import type { Effect } from '../../model/effect.ts'
import type { EventName, HookEvent, ToolKind } from '../../model/event.ts'
import type { Json, JsonObject } from '../../model/json.ts'
import type { Carried } from '../carry.ts'

/**
 * An agent's wire format as data, for agents whose hooks are told an event by one JSON object on stdin and answer by one
 * on stdout and an exit code. `dialectBy` makes a `Dialect` of it.
 */
export interface WireTable {
  readonly agent: AgentName
  /** See `Dialect`. */
  readonly namesProject: boolean
  readonly recognises: (wire: JsonObject) => boolean
  /** The first row of an event is the one that hooks written for this agent are told it by. */
  readonly rows: readonly EventRow[]
  /** The row of a wire object; `undefined` where it is none of this agent's events. */
  readonly rowOf: (wire: JsonObject) => EventRow | undefined
  readonly exits: ExitRules
  /** What a hook's process is given besides what hookgate itself was given. */
  readonly variables: (event: HookEvent) => Readonly<Record<string, string>>
  /** Where it runs its hooks: in the folder that the session has gone to, or in the project's. */
  readonly runsIn: 'session' | 'project'
}

/** One event, as the agent writes it and listens to it. */
export interface EventRow {
  /** What the agent calls it; see `event-names.ts`. */
  readonly spelled: string
  readonly event: EventName
  readonly frame: Frame
  /** The fields of its own. */
  readonly fields: z.ZodRawShape
  /** Of a tool call that stands under the keys of the frame: whether it is asked about, or was made. */
  readonly call?: CallTime | undefined
  readonly read: (wire: JsonObject, frame: Frame) => Parts
  /** Its own fields, for a hook; several where a call touches several files, none where they cannot be told. */
  readonly write: (event: HookEvent, frame: Frame) => readonly JsonObject[]
  readonly carries: Carries
  readonly form: Form
  /** The kinds of tools it is about, where the agent has an event for each. */
  readonly tools?: readonly ToolKind[] | undefined
  /** Whether plain text on a hook's stdout is for the model. */
  readonly textIsContext?: boolean | undefined
  /** What is printed where there is nothing to say, for an agent that takes silence for a refusal. */
  readonly silence?: JsonObject | undefined
}

/** What an event has of its own. */
export type Parts = Pick<HookEvent, 'trigger' | 'action' | 'result' | 'prompt' | 'message'>

/** What all events of one spelling have in common. */
export interface Frame {
  readonly shape: z.ZodRawShape
  readonly read: (wire: JsonObject, around: Surroundings) => Pick<HookEvent, 'session' | 'workspaceRoots' | 'atMs'>
  readonly write: (event: HookEvent, row: EventRow) => JsonObject
  /** Under which keys a tool call stands. */
  readonly call: CallKeys
}

/** Whether a call is asked about, or told of when it has been made. */
export type CallTime = 'before' | 'after'

export interface CallKeys {
  readonly name: string
  readonly input: string
  readonly id?: string
}

/** How a verdict is put into an object, and what an object means. */
export interface Form {
  /** `undefined` where there is nothing to be said by one. */
  readonly encode: (carried: Carried) => JsonObject | undefined
  /** A text says what is wrong with the object, which then means nothing to the agent. */
  readonly decode: (object: JsonObject) => ParsedAnswer | string
}

/** What an object says. */
export interface ParsedAnswer {
  readonly effect?: Effect | undefined
  readonly reason?: string | undefined
  /** Another input for the tool, in this agent's keys. */
  readonly input?: JsonObject | undefined
  readonly output?: Json | undefined
  /** The reason for ending the turn. */
  readonly stop?: string | undefined
  readonly context?: string | undefined
  readonly notice?: string | undefined
}

/**
 * What a hook's ending says. `refuses`: the action is refused, whatever was printed. `reads`: what was printed counts.
 * `fails`: it does not count, and the hook has failed.
 */
export type ExitOutcome = 'refuses' | 'reads' | 'fails'

export interface ExitRules {
  /** With what code a refusal leaves: 2 where the agent then still reads the reason, else 0. */
  readonly refusal: 0 | 2
  /** For every code but 0; `null` for a hook that was killed. */
  readonly outcome: (exitCode: number | null, row: EventRow, printed: { stdout: string; stderr: string }) => ExitOutcome
}
