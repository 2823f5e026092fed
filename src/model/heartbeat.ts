import { z } from 'zod'

/**
 * Whether an agent asks hookgate. `proved`: a harmless event, sent as the agent would send it, was answered. `broken`: it
 * is registered, and does not ask. `unproved`: it is registered in a way that is not tried. `absent`: it is not
 * registered.
 */
export const AskingProof = z.enum(['proved', 'broken', 'unproved', 'absent'])
export type AskingProof = z.infer<typeof AskingProof>
export const agentProofs = AskingProof.options

/** An agent as the last look found it. */
export interface SeenAgent {
  readonly agent: string
  readonly proof: AskingProof
}

/** The state of a machine as its resident gate knows it. The sender adds the record's head and the bundle. */
export interface Heartbeat {
  /** ISO 8601 in UTC. */
  readonly at: string
  readonly node: string
  /** The gate's start, ms since the epoch. */
  readonly startedAt: string
  readonly rules:
    | { readonly kind: 'loaded'; readonly count: number; readonly digest: string; readonly selfProtection: boolean }
    | { readonly kind: 'wrong'; readonly problem: string }
  /** Calls that wait for a person. */
  readonly waiting: number
  readonly agents:
    | { readonly kind: 'seen'; readonly all: readonly SeenAgent[] }
    | { readonly kind: 'unknown'; readonly problem: string }
  /** Why the gate is about to end; absent while it goes on. */
  readonly ending?: string
}
