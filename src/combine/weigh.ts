import { type Decision, type OnFailure, stronger } from '../model/effect.ts'
import type { Evaluation } from '../model/evaluation.ts'
import type { Failure } from '../model/failure.ts'

/** What a failed rule counts as: the one place where that is decided. */
function countOfFailure(onFailure: OnFailure): Decision {
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

/**
 * A caller who gave up, a machine without room for another process, a worker of ours that died, facts that we could not
 * find: the rule did not fail, and nobody heard what it had to say. That is no consent, whatever the rule's onFailure.
 */
function isNoFaultOfTheRule({ code }: Failure): boolean {
  return code === 'cancelled' || code === 'exhausted' || code === 'workerLost' || code === 'factsFailed'
}

/** The decision that one evaluation alone would make. */
export function weigh(evaluation: Evaluation, onFailure: OnFailure): Decision {
  const said = evaluation.kind === 'applicable' ? (evaluation.effect ?? 'abstain') : 'abstain'
  const failure = failureOf(evaluation)
  if (failure === undefined) return said
  return isNoFaultOfTheRule(failure) ? 'deny' : stronger(said, countOfFailure(onFailure))
}

/** The reason that a rule gave for a decision itself; `undefined` where the decision is what its failure counts as. */
export function ownReason(evaluation: Evaluation, decision: Decision): string | undefined {
  if (evaluation.kind !== 'applicable' || evaluation.effect !== decision) return undefined
  return evaluation.reason ?? unsaid[decision]
}

/** Why an evaluation weighs what it weighs, with its rule's id. */
export function reasonOf(evaluation: Evaluation, decision: Decision, onFailure: OnFailure): string {
  const own = ownReason(evaluation, decision)
  if (own !== undefined) return `${own} (${whose(evaluation)})`
  const failure = failureOf(evaluation)
  if (failure !== undefined && isNoFaultOfTheRule(failure)) return `${failure.message} (${whose(evaluation)})`
  return `${failure?.message ?? 'failed'}; counts as ${decision} because its onFailure is \`${onFailure}\` (${whose(evaluation)})`
}

/** `user:hooks.json/git-safety/force-push, high`. */
const whose = ({ ruleId, severity }: Evaluation) => (severity === undefined ? ruleId : `${ruleId}, ${severity}`)

const unsaid: Record<Decision, string> = {
  deny: 'refused without a reason',
  defer: 'deferred without a reason',
  ask: 'asks without a reason',
  allow: 'allowed without a reason',
  abstain: '',
}
