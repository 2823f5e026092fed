import { limits } from '../../model/limits.ts'

/** Wait of a thin client until the gate accepts its request: microseconds, on a loaded machine more. */
const clientAliveMs = 2000
/** The kinds of client, the fastest first: a compiled C program, else Node. */
export const clientKinds = ['native', 'node'] as const
export type ClientKind = (typeof clientKinds)[number]

/** A client that is installed on this machine. */
export interface Client {
  readonly kind: ClientKind
  /** An absolute path and the words before those of a call. */
  readonly command: readonly string[]
  /** Command that kills the client from outside after a number of seconds, for a client that may hang. */
  readonly deadline?: readonly string[]
  /** Shell assignments in front of the command, which switch off variables that its runtime would obey. */
  readonly assignments: readonly string[]
  /** The shell that runs the hook's file: an absolute path, and its one option. */
  readonly shell: readonly string[]
}

/** Parameters of a client, written into a hook's file. All paths are absolute. */
export interface ClientCall {
  /** Agent name, as for `hookgate run --agent`. */
  readonly agent: string
  /** The agent's name for the event that the file is registered for. It determines the form of a refusal. */
  readonly event: string
  /** The gate's folder, and its socket. */
  readonly folder: string
  readonly socket: string
  readonly version: string
  /** Program for a decision without the gate: Node 24 or newer, and `dist/cli/bin.js`. */
  readonly node: string
  readonly bin: string
  /** Time limit for the gate to accept a request. Default: `clientAliveMs`. */
  readonly aliveMs?: number
  /**
   * Total time limit. It is below the agent's timeout, since a killed hook has refused nothing. Default:
   * `limits.clientAnswerMs`.
   */
  readonly answerMs?: number
  /** Start a missing gate for the next event. Default: true. */
  readonly startsGate?: boolean
}

/** Returns the arguments of a client. None may be secret: command lines are public. */
export function callWords(call: ClientCall): readonly string[] {
  const { aliveMs = clientAliveMs, answerMs = limits.clientAnswerMs, startsGate = true } = call
  return [
    call.socket,
    call.agent,
    call.version,
    `${aliveMs}`,
    `${answerMs}`,
    `${limits.eventBytesMax}`,
    startsGate ? `${limits.clientGateStartEveryS}` : '0',
    call.folder,
    call.node,
    call.bin,
  ]
}
