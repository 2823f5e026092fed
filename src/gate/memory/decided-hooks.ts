import type { KeyValueStore } from '../../files/key-value-store.ts'
import type { Evaluation } from '../../model/evaluation.ts'
import { isCommandRule, type Plan, type Rule } from '../../model/rule.ts'
import type { Refusals } from '../../files/state/refusals.ts'

/** Remembers which hooks decide, as opposed to those that only watch. */
export interface DecidedHooks {
  /**
   * Returns the evaluations, with another failure for a hook that has decided before and now printed too much: agents
   * read all of it, so a decision may stand in the part that hookgate did not read.
   */
  settle(plan: Plan, evaluations: readonly Evaluation[]): readonly Evaluation[]
}

/**
 * @param decided holds the hooks that this gate has seen decide
 * @param refusals name the hooks that refused in other processes, or before their rules file changed
 */
export function decidedHooks(decided: KeyValueStore, refusals: Pick<Refusals, 'all'> | undefined): DecidedHooks {
  function hasDecided(rule: Rule): boolean {
    if (decided.get(hookKey(rule)) !== undefined) return true
    const kept = refusals?.all().flatMap(({ rules }) => rules) ?? []
    return kept.some(({ id, file }) => id === rule.id && file === rule.source.file)
  }

  function settleOne(plan: Plan, evaluation: Evaluation): Evaluation {
    const isDecision = evaluation.kind === 'applicable' && evaluation.effect !== undefined
    if (!isDecision && !isTooLarge(evaluation)) return evaluation
    const rule = plan.rules.find(({ id }) => id === evaluation.ruleId)
    if (rule === undefined || !isCommandRule(rule)) return evaluation
    if (isDecision) decided.set(hookKey(rule), 'decided')
    return isTooLarge(evaluation) && hasDecided(rule) ? lost(evaluation) : evaluation
  }

  return { settle: (plan, evaluations) => evaluations.map((evaluation) => settleOne(plan, evaluation)) }
}

const hookKey = ({ id, source }: Rule) => `${source.file}\0${id}`

type Failed = Extract<Evaluation, { kind: 'indeterminate' }>

const isTooLarge = (evaluation: Evaluation): evaluation is Failed =>
  evaluation.kind === 'indeterminate' && evaluation.failure.code === 'outputTooLarge'

function lost(evaluation: Failed): Evaluation {
  const message = `${evaluation.failure.message}; it has decided before, so a decision may be lost: have it print less`
  return { ...evaluation, failure: { code: 'decisionLost', message } }
}
