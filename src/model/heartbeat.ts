import { z } from 'zod'
import type { HookEvent } from './event.ts'
import type { Verdict } from './verdict.ts'

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

/** Prefix of the session id of a canary: a test event that proves a registered hook reaches hookgate. */
export const canaryPrefix = 'hookgate-canary-'

export function isCanary({ session }: HookEvent): boolean {
  return session.id.startsWith(canaryPrefix)
}

/**
 * Returns the refusal that every canary gets.
 *
 * INVARIANT: a canary is refused, whatever the rules say. So naming a session like a canary bypasses no rule. The
 * refusal also proves that decisions arrive where the agent reads them.
 */
export function canaryVerdict({ session }: HookEvent, nothingSaid: Verdict, pid: number): Verdict {
  return { ...nothingSaid, decision: 'deny', cancel: true, reason: canaryReason(session.id, pid) }
}

const canaryReason = (sessionId: string, pid: number) => `hookgate received ${sessionId} in process ${pid}`

/** Returns the id of the process that answered a canary, read from any text that contains its refusal. */
export function canaryAnsweredBy(text: string, sessionId: string): number | undefined {
  const said = canaryReason(sessionId, 0).slice(0, -1)
  const at = text.indexOf(said)
  const pid = at < 0 ? '' : (/^\d+/.exec(text.slice(at + said.length))?.[0] ?? '')
  return pid === '' ? undefined : Number(pid)
}
