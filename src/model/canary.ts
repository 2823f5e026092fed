import type { HookEvent } from './event.ts'
import type { Verdict } from './verdict.ts'

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
