import type { HookEvent } from '../model/event.ts'
import type { Evaluation, Obligation } from '../model/evaluation.ts'
import type { Json } from '../model/json.ts'
import { isPolicyRule, type Plan, type PolicyRule } from '../model/rule.ts'

/** Asks one policy again, about an event with another output. */
export type EvaluateAgain = (rule: PolicyRule, event: HookEvent) => Promise<Evaluation>

/**
 * Settles what several rules make of one output: what hooks make of it comes first, then each policy in the plan's order
 * changes what the one before has made. Behind a hook, every policy is asked again, since a hook may bring in anything;
 * behind a policy, those that have changed the output themselves. Hooks that disagree are left to disagree.
 */
export async function settleOutput(
  plan: Plan,
  evaluations: readonly Evaluation[],
  event: HookEvent,
  again: EvaluateAgain,
): Promise<readonly Evaluation[]> {
  const { result } = event
  const replacing = evaluations.filter((one) => outputOf(one) !== undefined)
  if (result === undefined || replacing.length === 0) return evaluations
  const rules = new Map(plan.rules.map((rule) => [rule.id, rule]))
  const isCounted = ({ ruleId }: Evaluation) => rules.get(ruleId)?.mode === 'enforce'
  const isPolicy = ({ ruleId }: Evaluation) => rules.get(ruleId)?.handler.kind === 'policy'
  const byHook = replacing.find((one) => isCounted(one) && !isPolicy(one))
  const asked = plan.rules.filter(
    (rule): rule is PolicyRule =>
      isPolicyRule(rule) && (byHook !== undefined || replacing.some(({ ruleId }) => ruleId === rule.id)),
  )
  let output: Json | undefined = byHook === undefined ? undefined : outputOf(byHook)?.output
  if (output === undefined && asked.length < 2) return evaluations
  const anew = new Map<string, Evaluation>()
  for (const rule of asked) {
    const first = evaluations.find(({ ruleId }) => ruleId === rule.id)
    // oxlint-disable-next-line no-await-in-loop -- each sees what the one before has made
    const made = output === undefined ? first : await again(rule, { ...event, result: { ...result, output } })
    if (made === undefined) continue
    anew.set(rule.id, made)
    if (isCounted(made)) output = outputOf(made)?.output ?? output
  }
  const last = output
  return evaluations.map((one) => {
    const settled = anew.get(one.ruleId) ?? one
    // Hooks that agree with the first get its output too; others are a conflict, which withholds it.
    const isOwn = isPolicy(one) || byHook === undefined || sameOutput(one, byHook)
    return last !== undefined && isCounted(one) && isOwn ? withOutput(settled, last) : settled
  })
}

const outputOf = (one: Evaluation): Extract<Obligation, { kind: 'replaceOutput' }> | undefined =>
  one.kind === 'applicable' ? one.obligations.find((demand) => demand.kind === 'replaceOutput') : undefined

const sameOutput = (one: Evaluation, other: Evaluation): boolean =>
  JSON.stringify(outputOf(one)?.output) === JSON.stringify(outputOf(other)?.output)

const withOutput = (one: Evaluation, output: Json): Evaluation =>
  one.kind !== 'applicable'
    ? one
    : {
        ...one,
        obligations: one.obligations.map((demand) =>
          demand.kind === 'replaceOutput' ? { ...demand, output } : demand,
        ),
      }
