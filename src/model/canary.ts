import type { HookEvent } from './event.ts'
import type { Verdict } from './verdict.ts'

/** What the session of a canary is called: an event that asks for nothing but to be heard. */
export const canaryPrefix = 'hookgate-canary-'

export function isCanary({ session }: HookEvent): boolean {
  return session.id.startsWith(canaryPrefix)
}

/**
 * INVARIANT: a canary is refused, whatever the rules say. Nobody gets past a rule by calling a session one, and that the
 * refusal arrives where an agent would read it is what the canary proves.
 */
export function canaryVerdict({ session }: HookEvent, nothingSaid: Verdict, pid: number): Verdict {
  return { ...nothingSaid, decision: 'deny', cancel: true, reason: canaryReason(session.id, pid) }
}

const canaryReason = (sessionId: string, pid: number) => `hookgate hears ${sessionId} in process ${pid}`

/** Which process answered a canary, by any text that holds its refusal; `undefined` where none did. */
export function canaryHeardBy(text: string, sessionId: string): number | undefined {
  const said = canaryReason(sessionId, 0).slice(0, -1)
  const at = text.indexOf(said)
  const pid = at < 0 ? '' : (/^\d+/.exec(text.slice(at + said.length))?.[0] ?? '')
  return pid === '' ? undefined : Number(pid)
}
