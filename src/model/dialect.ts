import type { AgentName } from './agents.ts'
import type { EventName, HookEvent } from './event.ts'
import type { Outcome } from './evaluation.ts'
import type { JsonObject } from './json.ts'
import type { HookExit } from './process.ts'
import type { CommandHandler } from './rule.ts'
import type { Verdict } from './verdict.ts'

/** What an agent gets from its hook: exactly these bytes and this exit code. */
export interface Answer {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

/**
 * How each thing a verdict can hold reaches an agent at one event. `said`: in the agent's own form. `asDeny`: it has no
 * form for it, so the action is refused. `silence`: what the agent does by itself when told nothing is the same.
 * `unsayable`: it can be neither said nor refused; the answer says so on stderr.
 */
export interface Carries {
  readonly deny: 'said' | 'unsayable'
  readonly defer: 'said' | 'asDeny' | 'silence' | 'unsayable'
  readonly ask: 'said' | 'asDeny' | 'silence' | 'unsayable'
  readonly allow: 'said' | 'silence'
  readonly replaceInput: 'said' | 'asDeny' | 'unsayable'
  readonly replaceOutput: 'said' | 'asDeny' | 'unsayable'
  readonly stop: 'said' | 'asDeny' | 'unsayable'
  /** Advice may be dropped; the drop is recorded. */
  readonly context: 'said' | 'dropped'
  readonly notice: 'said' | 'dropped'
}

/** What a decoder must be told, since the wire does not say it. */
export interface Surroundings {
  /** When the event was received, ms since the epoch. */
  readonly nowMs: number
  /**
   * The environment of the hook that the event came to: Claude Code names the project's folder only there. A gate that
   * serves many sessions has no such variable of its own.
   */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Its working directory, for agents that do not name one. */
  readonly cwd: string
}

/** The two faces of one agent's wire format: towards the agent, and towards a hook written for that agent. */
export interface Dialect {
  readonly agent: AgentName
  /** The events this agent fires. */
  readonly events: readonly EventName[]
  /** Whether each of its events names its project by itself. Of other agents' a session's is the one that it began in. */
  readonly namesProject: boolean

  /** Whether a wire object is unmistakably this agent's. */
  recognises(wire: JsonObject): boolean
  /** @throws HookgateError `eventMalformed`, naming the field */
  decodeEvent(wire: JsonObject, surroundings: Surroundings): HookEvent
  carries(event: HookEvent): Carries
  encodeVerdict(event: HookEvent, verdict: Verdict): Answer

  /**
   * The event as a hook of this agent is given it, without a trailing newline. More than one where a call touches
   * several files and the agent's own tools take one each; none where the agent has no such event.
   *
   * @param spelled the name under which the hook is registered, for agents that have several for one thing
   */
  encodeEvent(event: HookEvent, spelled?: string): readonly JsonObject[]
  /** What the hook's process is given besides its stdin, as this agent gives it. */
  environment(event: HookEvent, handler: CommandHandler, inherited: Surroundings['env']): HookEnvironment
  /** What a hook of this agent said. `sent` is what `encodeEvent` gave it. */
  decodeAnswer(event: HookEvent, sent: JsonObject, exit: HookExit, handler: CommandHandler): Outcome
}

export interface HookEnvironment {
  /** Absolute. */
  readonly cwd: string
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>
}
