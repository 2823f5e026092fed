import { Effect } from '../model/effect.ts'
import { type Advice, indeterminate, notApplicable, type Obligation, type Outcome } from '../model/evaluation.ts'
import type { PolicyAnswer, PolicyResult } from '../model/policy.ts'
import { sayable } from '../model/text.ts'

/** The outcome of a policy's answers, with remarks on the answers that were dropped. */
interface CombinedOutcome {
  readonly outcome: Outcome
  readonly remarks: readonly string[]
}

/**
 * Combines a policy's answers: its strongest effect with that effect's reasons, and all obligations and advice.
 *
 * @param untrustedReason why the policy is untrusted, and the remedy; `undefined` if it is trusted
 *
 * @param doubt why the policy may not be about the call at all; `undefined` if it is
 *
 * INVARIANT: an untrusted policy may only tighten. Answers that would loosen or steer (`allow`, a rewrite, context for
 * the model) are dropped, with a remark. A policy that may not be about the call allows nothing.
 */
export function policyOutcome(
  result: PolicyResult,
  untrustedReason: string | undefined,
  doubt?: string,
): CombinedOutcome {
  if ('failure' in result) return { outcome: indeterminate(result.failure), remarks: [] }
  const { answers } = result
  if (answers.length === 0) return noAnswers
  const trusted = untrustedReason === undefined ? answers : answers.filter(onlyTightens)
  const kept = doubt === undefined ? trusted : trusted.filter((answer) => !allows(answer))
  const remarks = [
    ...(untrustedReason === undefined || trusted.length === answers.length ? [] : dropped(answers, untrustedReason)),
    ...(doubt === undefined || kept.length === trusted.length ? [] : [`its \`allow\` does not count: ${doubt}`]),
  ]
  return { outcome: kept.length === 0 ? notApplicable : answersOutcome(kept), remarks }
}

const noAnswers: CombinedOutcome = Object.freeze({ outcome: notApplicable, remarks: [] })

function answersOutcome(answers: readonly PolicyAnswer[]): Outcome {
  const effect = Effect.options.find((one) => answers.some((answer) => 'effect' in answer && answer.effect === one))
  const deciding = answers.flatMap((answer) => ('effect' in answer && answer.effect === effect ? [answer] : []))
  const reasons = deciding.flatMap(({ reason }) => reason ?? [])
  const commands = deciding.flatMap(({ at }) => at ?? [])
  return {
    kind: 'applicable',
    ...(effect !== undefined && { effect }),
    ...(reasons.length > 0 && { reason: sayable(reasons.join('\n')) }),
    ...(commands.length > 0 && { commands: [...new Set(commands)] }),
    obligations: answers.flatMap(obligationsOf),
    advice: answers.flatMap(adviceOf),
  }
}

function obligationsOf(answer: PolicyAnswer): readonly Obligation[] {
  if ('rewrite' in answer) return [{ kind: 'replaceInput', input: answer.rewrite }]
  if ('stop' in answer) return [{ kind: 'stop', reason: sayable(answer.stop) }]
  return []
}

function adviceOf(answer: PolicyAnswer): readonly Advice[] {
  if ('context' in answer) return [{ kind: 'addContext', text: answer.context }]
  if ('notice' in answer) return [{ kind: 'notice', text: sayable(answer.notice) }]
  return []
}

const allows = (answer: PolicyAnswer): boolean => 'effect' in answer && answer.effect === 'allow'

function onlyTightens(answer: PolicyAnswer): boolean {
  return 'effect' in answer ? !allows(answer) : 'notice' in answer || 'stop' in answer
}

function dropped(answers: readonly PolicyAnswer[], untrustedReason: string): readonly string[] {
  const kinds = answers
    .filter((answer) => !onlyTightens(answer))
    .map((answer) => ('effect' in answer ? answer.effect : (Object.keys(answer)[0] ?? '')))
  return [...new Set(kinds)].map(
    (kind) => `its \`${kind}\` does not count; this policy can only tighten: ${untrustedReason}`,
  )
}
