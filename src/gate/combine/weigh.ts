import { type Decision, type OnFailure, stronger } from '../../model/effect.ts'
import type { Evaluation } from '../../model/evaluation.ts'
import type { EventName } from '../../model/event.ts'
import { type Failure, hadNoChance } from '../../model/failure.ts'
import type { Rule } from '../../model/rule.ts'

/**
 * Returns how a rule's failure is handled at an event, which is refused if a hook's decision may be lost. Where an agent is about to stop, a refusal keeps it going, and a
 * broken rule is no reason to go on: Claude Code ignores `onFailure` there too (its hooks reference).
 */
export function onFailureAt(event: EventName, { onFailure }: Rule, evaluation: Evaluation): OnFailure {
  if (endsOfWork.has(event)) return 'continue'
  return failureOf(evaluation)?.code === 'decisionLost' ? 'block' : onFailure
}
const endsOfWork: ReadonlySet<EventName> = new Set<EventName>(['Stop', 'SubagentStop', 'TaskCompleted', 'TeammateIdle'])

/** Maps each `onFailure` to the effect of a failed rule. No other place decides this. */
function effectOfFailure(onFailure: OnFailure): Decision {
  switch (onFailure) {
    case 'block':
      return 'deny'
    case 'ask':
      return 'ask'
    case 'continue':
      return 'abstain'
  }
}

export function failureOf(evaluation: Evaluation): Failure | undefined {
  return evaluation.kind === 'notApplicable' ? undefined : evaluation.failure
}

/** Returns the decision that this evaluation alone would make. */
export function weigh(evaluation: Evaluation, onFailure: OnFailure): Decision {
  const effect = evaluation.kind === 'applicable' ? (evaluation.effect ?? 'abstain') : 'abstain'
  const failure = failureOf(evaluation)
  if (failure === undefined) return effect
  // Without the rule's opinion there is no consent, whatever its `onFailure` says.
  return hadNoChance(failure.code) ? 'deny' : stronger(effect, effectOfFailure(onFailure))
}

/** Returns the rule's own reason; `undefined` if the decision comes from its `onFailure`. */
export function ownReason(evaluation: Evaluation, decision: Decision): string | undefined {
  if (evaluation.kind !== 'applicable' || evaluation.effect !== decision) return undefined
  return evaluation.reason ?? defaultReasons[decision]
}

/** Explains the decision of one evaluation, with its rule's id. @param alike others that say the same */
export function reasonOf(
  evaluation: Evaluation,
  decision: Decision,
  onFailure: OnFailure,
  alike: readonly Evaluation[] = [],
): string {
  const rules = [evaluation, ...alike].map(ruleText).join('; ')
  const own = ownReason(evaluation, decision)
  if (own !== undefined) return `${own} (${rules})`
  const failure = failureOf(evaluation)
  if (failure !== undefined && (hadNoChance(failure.code) || failure.code === 'decisionLost'))
    return `${failure.message} (${rules})`
  return `${failure?.message ?? 'failed'}; counts as ${decision} because its onFailure is \`${onFailure}\` (${rules})`
}

/** Formats a rule's id and severity: `user:hooks.json/git-safety/force-push, high`. */
const ruleText = ({ ruleId, severity }: Evaluation) => (severity === undefined ? ruleId : `${ruleId}, ${severity}`)

const defaultReasons: Record<Decision, string> = {
  deny: 'refused without a reason',
  defer: 'deferred without a reason',
  ask: 'asks without a reason',
  allow: 'allowed without a reason',
  abstain: '',
}
