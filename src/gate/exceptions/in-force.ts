import type { HookEvent } from '../../model/event.ts'
import type { Exception } from '../../model/exception.ts'
import type { Rule } from '../../model/rule.ts'
import { authority } from '../../model/effect.ts'
import { namesRule } from '../../rules/match/word-pattern.ts'

/** Returns the exceptions that are in force for a rule now, in a session. */
export function exceptionsFor(
  exceptions: readonly Exception[],
  rule: Rule,
  { session }: HookEvent,
  nowMs: number,
): readonly Exception[] {
  return exceptions.filter(
    (one) =>
      (one.endsAtMs === undefined || nowMs < one.endsAtMs) &&
      (one.session === undefined || one.session === session.id) &&
      mayExcept(one, rule) &&
      namesRule(one.rule, rule),
  )
}

/**
 * INVARIANT: a project lifts no rule, and no source lifts a rule of one with more authority. A bundle has less
 * authority than what an administrator put beside it.
 */
export function mayExcept(
  { scope, bundled }: Pick<Exception, 'scope' | 'bundled'>,
  { source }: Pick<Rule, 'source'>,
): boolean {
  if (bundled === true && source.scope === 'managed' && source.bundled !== true) return false
  return scope !== 'project' && authority[scope] >= authority[source.scope]
}
