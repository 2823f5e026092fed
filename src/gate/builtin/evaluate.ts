import type { HookEvent } from '../../model/event.ts'
import { indeterminate, notApplicable, type Outcome } from '../../model/evaluation.ts'
import type { BuiltinRule, UnsupportedHook } from '../../model/rule.ts'
import type { ToolFacts } from '../../model/tool-facts.ts'
import { type StepBudget, stepBudget } from '../../rules/match/glob.ts'
import { permissionOutcome } from './permissions.ts'
import { selfProtectionOutcome } from './self-protection.ts'

export { stepBudget }

/** The outcome of a built-in rule, and what a person should know of it. */
interface BuiltinOutcome {
  readonly outcome: Outcome
  readonly remarks: readonly string[]
}

/**
 * Evaluates a rule that hookgate judges itself, within a budget that all rules of an event share. An `allow` of an untrusted rule does not
 * count.
 */
export function evaluateBuiltin(
  rule: BuiltinRule,
  event: HookEvent,
  facts: ToolFacts,
  budget: StepBudget = stepBudget(),
): BuiltinOutcome {
  const outcome = builtinOutcome(rule, event, facts, budget)
  const { untrustedReason } = rule
  if (untrustedReason === undefined || outcome.kind !== 'applicable' || outcome.effect !== 'allow')
    return { outcome, remarks: [] }
  const remark = `its \`allow\` does not count; this rule can only tighten: ${untrustedReason}`
  return { outcome: notApplicable, remarks: [remark] }
}

function builtinOutcome(rule: BuiltinRule, event: HookEvent, facts: ToolFacts, budget: StepBudget): Outcome {
  const { builtin } = rule.handler
  switch (builtin.kind) {
    case 'permissions':
      return permissionOutcome(rule, builtin, event, facts, budget)
    case 'unsupported':
      return unsupportedOutcome(rule, builtin)
    case 'self-protection':
      return selfProtectionOutcome(builtin, event, facts)
    case 'stale-bundle':
      return { kind: 'applicable', effect: builtin.effect, reason: builtin.reason, obligations: [], advice: [] }
  }
}

/** Counts an unsupported hook as failed where a failure matters; elsewhere a notice says that it is not run. */
function unsupportedOutcome({ onFailure }: BuiltinRule, { what, why }: UnsupportedHook): Outcome {
  const message = `this ${what} is not run: ${why}`
  if (onFailure !== 'continue') return indeterminate({ code: 'unsupported', message })
  return { kind: 'applicable', obligations: [], advice: [{ kind: 'notice', text: message }] }
}
