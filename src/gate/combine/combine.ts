import { isDeepStrictEqual } from 'node:util'
import { type Decision, Severity, stronger } from '../../model/effect.ts'
import type { HookEvent } from '../../model/event.ts'
import type { Evaluation } from '../../model/evaluation.ts'
import type { Json } from '../../model/json.ts'
import type { Plan, Rule } from '../../model/rule.ts'
import type { ShellFacts } from '../../model/shell.ts'
import { abstention, type Verdict } from '../../model/verdict.ts'
import { joinContexts } from './context.ts'
import { mergeObligations } from './obligations.ts'
import { nameCommands } from './naming-commands.ts'
import { failureOf, onFailureAt, ownReason, reasonOf, weigh } from './weigh.ts'
import { errorText, HookgateError } from '../../model/errors.ts'

/**
 * Combines the evaluations of a plan into one verdict: any cancel wins, `deny > defer > ask > allow > abstain`, and a
 * failed rule is handled according to its `onFailure`.
 *
 * INVARIANT: pure, and independent of the order of `evaluations`: contexts stand in the plan's order, and so do reasons,
 * the most severe first. Rules that only observe change nothing but the lists of evaluations and the slowest rule.
 *
 * @param alarms problems of the rules themselves, which become the first notices of every verdict
 * @param shell with it, a reason names the part of a shell call that it is about
 */
export function combine(
  plan: Plan,
  evaluations: readonly Evaluation[],
  event: HookEvent,
  alarms: readonly string[] = [],
  shell?: ShellFacts,
): Verdict {
  if (plan.rules.length === 0)
    return alarms.length === 0 ? abstention : Object.freeze({ ...abstention, notices: alarms })
  const all = inPlanOrder(plan, evaluations)
  const answers = all.filter(({ rule }) => rule.mode === 'enforce')
  if (answers.every(({ evaluation }) => evaluation.kind === 'notApplicable')) return abstainVerdict(all, alarms)
  const { obligations, conflicts } = mergeObligations(event, evaluationsOf(answers))

  let decision: Decision = conflicts.length > 0 ? 'deny' : 'abstain'
  for (const { rule, evaluation } of answers)
    decision = stronger(decision, weigh(evaluation, onFailureAt(event.name, rule, evaluation)))
  const determining = decision === 'abstain' ? [] : gravestFirst(answers.filter(determines(decision, event)))
  const reasons = [
    ...determining.map(({ rule, evaluation }) => {
      const reason = reasonOf(evaluation, decision, onFailureAt(event.name, rule, evaluation))
      return decision === 'allow' ? reason : nameCommands(reason, evaluation, event, shell)
    }),
    ...conflicts.map(({ reason, ruleIds }) => `${reason} (${ruleIds.join(', ')})`),
  ]
  const { context, truncatedBytes } = joinContexts(
    answers.flatMap(({ evaluation }) => adviceTexts(evaluation, 'addContext')),
  )
  const { agentFields, lost } = agentFieldsOf(answers, event)

  return Object.freeze({
    decision,
    cancel: decision === 'deny',
    // A rule may object to a call as it was sent and as it was rewritten, in the same words.
    reason: unique(reasons).join('\n'),
    context,
    contextTruncatedBytes: truncatedBytes,
    determining: unique([...determining.map(({ rule }) => rule.id), ...conflicts.flatMap(({ ruleIds }) => ruleIds)]),
    slowest: slowestOf(all),
    // A refused action has no input to replace.
    obligations: decision === 'deny' ? obligations.filter(({ kind }) => kind !== 'replaceInput') : obligations,
    notices: [...alarms, ...notices(answers), ...failureNotices(answers, determining, decision), ...lost],
    agentFields,
    evaluations: evaluationsOf(all),
  })
}

interface RuleAnswer {
  readonly rule: Rule
  readonly evaluation: Evaluation
}

/** Fast path for most events of a session: every rule ran, and none that counts has an opinion. */
function abstainVerdict(answers: readonly RuleAnswer[], alarms: readonly string[]): Verdict {
  return Object.freeze({
    ...abstention,
    slowest: slowestOf(answers),
    notices: alarms,
    evaluations: evaluationsOf(answers),
  })
}

/** Groups evaluations by rule: a rule that ran several times for one event (once for each file) has several, in order. */
function inPlanOrder(plan: Plan, evaluations: readonly Evaluation[]): readonly RuleAnswer[] {
  const answers = pairs(plan.rules, evaluations)
  if (answers !== undefined) return answers
  const byRule = Map.groupBy(evaluations, ({ ruleId }) => ruleId)
  return plan.rules.flatMap((rule) => byRule.get(rule.id)?.map((evaluation) => ({ rule, evaluation })) ?? [])
}

/** Returns the evaluations unchanged if each rule has exactly one, in plan order, as is usual; else `undefined`. */
function pairs(rules: readonly Rule[], evaluations: readonly Evaluation[]): readonly RuleAnswer[] | undefined {
  if (rules.length !== evaluations.length) return undefined
  const answers: RuleAnswer[] = []
  for (const [at, rule] of rules.entries()) {
    const evaluation = evaluations[at]
    if (evaluation?.ruleId !== rule.id) return undefined
    answers.push({ rule, evaluation })
  }
  return answers
}

const evaluationsOf = (answers: readonly RuleAnswer[]): readonly Evaluation[] =>
  answers.map(({ rule, evaluation }) => (rule.mode === 'observe' ? { ...evaluation, observed: true } : evaluation))

const determines =
  (decision: Decision, event: HookEvent) =>
  ({ rule, evaluation }: RuleAnswer): boolean =>
    weigh(evaluation, onFailureAt(event.name, rule, evaluation)) === decision

/**
 * Puts the most severe answer first, which is the one that explains a decision to a person. Answers without a severity,
 * as of hooks and of self-protection, count as high. Among equals the plan's order holds, in which self-protection is
 * first: what ends the gate is said before all but what is critical in itself, as to delete the home.
 */
function gravestFirst(answers: readonly RuleAnswer[]): readonly RuleAnswer[] {
  const rank = ({ evaluation }: RuleAnswer) => Severity.options.indexOf(evaluation.severity ?? 'high')
  return answers.toSorted((one, other) => rank(other) - rank(one))
}

function unique(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)]
}

/** Of equally slow rules, the first in plan order counts. */
function slowestOf(answers: readonly RuleAnswer[]): Verdict['slowest'] {
  let slowest: Evaluation | undefined
  for (const { evaluation } of answers) {
    if (slowest === undefined || evaluation.durationMs > slowest.durationMs) slowest = evaluation
  }
  return slowest === undefined ? null : { ruleId: slowest.ruleId, durationMs: slowest.durationMs }
}

function adviceTexts(evaluation: Evaluation, kind: 'addContext' | 'notice'): readonly string[] {
  if (evaluation.kind !== 'applicable') return []
  return evaluation.advice.flatMap((advice) => (advice.kind === kind ? [advice.text] : []))
}

function notices(answers: readonly RuleAnswer[]): readonly string[] {
  return answers.flatMap(({ rule, evaluation }) =>
    adviceTexts(evaluation, 'notice').map((text) => `${text} (${rule.id})`),
  )
}

/**
 * Makes notices of the failures that the reason does not already name: an error is not silence. Rules that failed in the
 * same way (all hooks of an untrusted workspace) share one.
 */
function failureNotices(
  answers: readonly RuleAnswer[],
  determining: readonly RuleAnswer[],
  decision: Decision,
): readonly string[] {
  const unreported = answers.flatMap((answer) => {
    const { evaluation, rule } = answer
    const message = failureOf(evaluation)?.message
    if (message === undefined) return []
    const isReported = determining.includes(answer) && (ownReason(evaluation, decision) ?? message) === message
    return isReported ? [] : [{ message, id: rule.id }]
  })
  return [...Map.groupBy(unreported, ({ message }) => message)].map(
    ([message, rules]) => `${message} (${unique(rules.map(({ id }) => id)).join(', ')})`,
  )
}

interface MergedFields {
  readonly agentFields: Verdict['agentFields']
  /** Description, for people, of the values that were dropped. */
  readonly lost: readonly string[]
}

/** Joins lists from several rules; of other values keeps the first in plan order and describes the ones that were lost. */
function agentFieldsOf(answers: readonly RuleAnswer[], event: HookEvent): MergedFields {
  const fields = new Map<string, { value: Json; readonly first: string; readonly lost: Set<string> }>()
  for (const { rule, evaluation } of answers) {
    if (evaluation.kind !== 'applicable') continue
    for (const advice of evaluation.advice) {
      if (advice.kind !== 'agentField' || advice.agent !== event.agent) continue
      const known = fields.get(advice.field)
      if (known === undefined) fields.set(advice.field, { value: advice.value, first: rule.id, lost: new Set() })
      else if (Array.isArray(known.value) && Array.isArray(advice.value)) known.value = known.value.concat(advice.value)
      else if (!isDeepStrictEqual(known.value, advice.value)) known.lost.add(rule.id)
    }
  }
  return {
    agentFields: Object.fromEntries([...fields].map(([field, { value }]) => [field, value])),
    lost: [...fields].flatMap(([field, { first, lost }]) =>
      lost.size === 0 ? [] : [`\`${field}\` is from ${first}; ${[...lost].join(', ')} gave a different one`],
    ),
  }
}

/** Returns the verdict for callers of hookgate's own API if the gate could not decide: a refusal that names the error. */
export function undecided(error: unknown): Verdict & { readonly error: object } {
  const message = errorText(error)
  const code = error instanceof HookgateError ? error.code : 'internal'
  return { ...abstention, decision: 'deny', cancel: true, reason: message, error: { code, message } }
}
