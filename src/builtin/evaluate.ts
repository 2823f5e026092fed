import type { HookEvent } from '../model/event.ts'
import { notApplicable, type Outcome } from '../model/evaluation.ts'
import type { BuiltinRule } from '../model/rule.ts'
import type { ToolFacts } from '../model/tool-facts.ts'
import { permissionOutcome } from './permissions.ts'

/** The outcome of a built-in rule, and what a person should know of it. */
interface BuiltinOutcome {
  readonly outcome: Outcome
  readonly remarks: readonly string[]
}

/** Evaluates a rule that hookgate judges itself. An `allow` of an untrusted rule does not count. */
export function evaluateBuiltin(rule: BuiltinRule, event: HookEvent, facts: ToolFacts): BuiltinOutcome {
  const outcome = outcomeOf(rule, event, facts)
  const { untrustedReason } = rule
  if (untrustedReason === undefined || outcome.kind !== 'applicable' || outcome.effect !== 'allow')
    return { outcome, remarks: [] }
  const remark = `its \`allow\` does not count; this rule can only tighten: ${untrustedReason}`
  return { outcome: notApplicable, remarks: [remark] }
}

function outcomeOf(rule: BuiltinRule, event: HookEvent, facts: ToolFacts): Outcome {
  const { builtin } = rule.handler
  switch (builtin.kind) {
    case 'permissions':
      return permissionOutcome(rule, builtin, event, facts)
  }
}
