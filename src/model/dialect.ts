import type { AgentName, CallEvent, EventName, HookEvent } from './event.ts'
import type { Outcome } from './evaluation.ts'
import type { JsonObject } from './json.ts'
import type { Environment } from './node-environment.ts'
import type { CommandHandler, HookExit } from './rule.ts'
import type { Verdict } from './verdict.ts'

/** The output and exit code of a hook, passed to the agent byte for byte. */
export interface Answer {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

/**
 * The support of an agent's protocol for each part of a verdict at one event.
 *
 * `native`: the protocol has a field for it. `asDeny`: it has none, so the action is refused. `implicit`: an empty
 * answer has the same effect. `asReason`: the reason of a refusal takes the output's place. `unsupported`: it can be
 * neither expressed nor refused; the answer reports that on stderr, and to the model where it can.
 */
export interface ProtocolSupport {
  readonly deny: 'native' | 'unsupported'
  readonly defer: 'native' | 'asDeny' | 'implicit' | 'unsupported'
  readonly ask: 'native' | 'asDeny' | 'implicit' | 'unsupported'
  readonly allow: 'native' | 'implicit'
  readonly replaceInput: 'native' | 'asDeny' | 'unsupported'
  readonly replaceOutput: 'native' | 'asReason' | 'asDeny' | 'unsupported'
  readonly stop: 'native' | 'asDeny' | 'unsupported'
  /** Advice may be dropped; the drop is recorded. */
  readonly context: 'native' | 'dropped'
  readonly notice: 'native' | 'dropped'
}

/** Context that a decoder needs and that the wire format does not carry. */
export interface Surroundings {
  /** When the event was received, ms since the epoch. */
  readonly nowMs: number
  /**
   * Environment of the hook process that received the event. Claude Code names the project's folder only there; a gate
   * that serves many sessions has no such variable of its own.
   */
  readonly env: Environment
  /** Working directory of that hook process, for agents whose events name none. */
  readonly cwd: string
}

/** The two faces of one agent's wire format: towards the agent, and towards a hook written for that agent. */
export interface Dialect {
  readonly agent: AgentName
  /** The events this agent fires. */
  readonly events: readonly EventName[]
  /** True if every event names its project. Otherwise a session's project is the one in which the session began. */
  readonly namesProject: boolean

  /** Returns true if a wire object can come from no other agent. */
  recognises(wire: JsonObject): boolean
  /** @throws HookgateError `eventMalformed`, naming the field */
  decodeEvent(wire: JsonObject, surroundings: Surroundings): HookEvent
  /**
   * Returns an event whose tool has another input, as if the agent had sent that.
   *
   * @param input in the agent's own keys
   *
   * @throws HookgateError `eventMalformed` if the agent's tool could not read the input, or would read something else
   */
  withInput(event: HookEvent, input: JsonObject, surroundings: Surroundings): CallEvent
  support(event: HookEvent): ProtocolSupport
  encodeVerdict(event: HookEvent, verdict: Verdict): Answer

  /**
   * Encodes an event for the stdin of a hook of this agent. Returns several objects if a call touches several files and
   * the agent's own tools take one each, and none if the agent has no such event.
   *
   * @param spelled the event name under which the hook is registered, for agents with several names for one event
   */
  encodeEvent(event: HookEvent, spelled?: string): readonly JsonObject[]
  /** Returns the working directory and environment in which this agent would start the hook. */
  environment(event: HookEvent, handler: CommandHandler, inherited: Surroundings['env']): HookEnvironment
  /** Decodes the answer of a hook of this agent. `sent` is the object from `encodeEvent` that the hook received. */
  decodeAnswer(event: HookEvent, sent: JsonObject, exit: HookExit, handler: CommandHandler): Outcome
}

export interface HookEnvironment {
  /** Absolute. */
  readonly cwd: string
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>
}
