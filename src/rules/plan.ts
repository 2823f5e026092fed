import { isDeepStrictEqual } from 'node:util'
import { stricter } from '../model/effect.ts'
import type { HookEvent } from '../model/event.ts'
import type { Plan, Rule, RuleSet } from '../model/rule.ts'
import { ruleApplies } from './match.ts'

const emptyPlan: Plan = Object.freeze({ rules: Object.freeze([]) })

/**
 * The rules that apply to an event, in the order of their sources. The same hook from several of them runs once.
 *
 * An event that nothing matches costs about a microsecond: most events of a session are of this kind.
 */
export function planFor(event: HookEvent, ruleSet: RuleSet): Plan {
  const listening = ruleSet.byEvent.get(event.name)
  if (listening === undefined) return emptyPlan
  let rules: Rule[] | undefined
  for (const rule of listening) {
    if (!ruleApplies(rule, event)) continue
    rules ??= []
    const index = rules.findIndex((earlier) => isSameHook(earlier, rule))
    const earlier = rules[index]
    if (earlier === undefined) rules.push(rule)
    else rules[index] = onceFor(earlier, rule)
  }
  return rules === undefined ? emptyPlan : Object.freeze({ rules: Object.freeze(rules) })
}

/** Claude Code's rule: the same command, arguments and `if`, whatever else differs. A plugin's root is part of it. */
function isSameHook(a: Rule, b: Rule): boolean {
  const [one, other] = [a.handler.program, b.handler.program]
  if (one.form !== other.form || a.match.condition?.text !== b.match.condition?.text) return false
  return (
    a.handler.dialect === b.handler.dialect &&
    isDeepStrictEqual(one, other) &&
    isDeepStrictEqual(a.handler.env, b.handler.env)
  )
}

/**
 * What stands for two copies of one hook, in the place of the earlier.
 *
 * INVARIANT: a copy never loosens the other. The stricter `onFailure` counts, it is waited for if either is, and a
 * trusted one speaks for an untrusted one, never the other way round.
 */
function onceFor(earlier: Rule, later: Rule): Rule {
  const kept = earlier.distrust !== undefined && later.distrust === undefined ? later : earlier
  const onFailure = stricter(earlier.onFailure, later.onFailure)
  const async = earlier.handler.async && later.handler.async
  if (kept.onFailure === onFailure && kept.handler.async === async) return kept
  return Object.freeze({ ...kept, onFailure, handler: Object.freeze({ ...kept.handler, async }) })
}
