import type { HookEvent } from '../../model/event.ts'
import type { Exception } from '../../model/exception.ts'
import type { Rule } from '../../model/rule.ts'
import { authority } from '../../model/scope.ts'
import { namesRule } from '../../rules/match/rule-name.ts'

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

/** INVARIANT: a project excepts nothing, and nobody what a source with more authority says. */
export function mayExcept({ scope }: Pick<Exception, 'scope'>, { source }: Pick<Rule, 'source'>): boolean {
  return scope !== 'project' && authority[scope] >= authority[source.scope]
}
