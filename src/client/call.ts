import { limits } from '../model/limits.ts'

/** What a hook's file has its client do. Every path is absolute. */
export interface ClientCall {
  /** As `hookgate run --agent` knows it. */
  readonly agent: string
  /** What the agent calls the event that the file is registered for: it decides what a refusal looks like. */
  readonly event: string
  /** The gate's folder, and its socket. */
  readonly folder: string
  readonly socket: string
  readonly version: string
  /** What decides in a process of its own where the gate cannot: Node 24 or newer, and `dist/cli/bin.js`. */
  readonly node: string
  readonly bin: string
  /** How long the gate may take to say that it hears. Default: `limits.clientAliveMs`. */
  readonly aliveMs?: number
  /**
   * How long all of it may take. Less than the agent gives its hooks: what an agent kills has not refused. Default:
   * `limits.clientAnswerMs`.
   */
  readonly answerMs?: number
  /** Whether a gate that is not there is brought up for the next event. Default: true. */
  readonly startsGate?: boolean
}

/** The words a client is called with. None of them is a secret: command lines are public. */
export function callWords(call: ClientCall): readonly string[] {
  const { aliveMs = limits.clientAliveMs, answerMs = limits.clientAnswerMs, startsGate = true } = call
  return [
    call.socket,
    call.agent,
    call.version,
    `${aliveMs}`,
    `${answerMs}`,
    `${limits.eventBytesMax}`,
    startsGate ? `${limits.clientBringUpEveryS}` : '0',
    // In the gate's own folder, which outlives that of its socket.
    `${call.folder}/asked-for`,
    call.node,
    call.bin,
  ]
}
