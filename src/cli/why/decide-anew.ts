import { combine } from '../../combine/combine.ts'
import { dialectOf } from '../../agents/index.ts'
import { type ExceptingContext, withExceptions } from '../../exceptions/except.ts'
import { openFacts } from '../../facts/index.ts'
import { openEventFacts } from '../../facts/tool-call.ts'
import type { RefusingRule } from '../../model/refusal.ts'
import { HookgateError } from '../../model/errors.ts'
import type { HookEvent } from '../../model/event.ts'
import type { Evaluation } from '../../model/evaluation.ts'
import { limits } from '../../model/limits.ts'
import { memoize } from '../../model/lazy.ts'
import { isCommandRule, type Plan, type PolicyRule, type RuleSet } from '../../model/rule.ts'
import type { ToolFacts } from '../../model/tool-facts.ts'
import type { FactValue } from '../../model/policy.ts'
import type { Verdict } from '../../model/verdict.ts'
import { factRequestsOf, type PolicyDependencies } from '../../policy/policies.ts'
import type { Sandbox } from '../../policy/open-sandbox.ts'
import { planFor } from '../../rules/plan.ts'
import { refusingRules } from '../../lift.ts'
import { run, type RunContext } from '../../run.ts'
import type { DecisionRecord, RecordedEvaluation } from '../../record/record.ts'
import type { Invocation } from '../command.ts'

/** A recorded event, decided once more by the rules of today. Hooks are not run: what they said then counts. */
export interface DecidedAnew {
  readonly event: HookEvent
  readonly found: ToolFacts
  readonly verdict: Verdict
  /** What evaluating one more policy for the event needs. */
  readonly dependencies: PolicyDependencies
  /** Names of hooks that apply today, and of which nothing is recorded. */
  readonly hooksUnknown: readonly string[]
  /** Returns the values of the facts that a policy declares, as of now. */
  factsOf(rule: PolicyRule): Promise<readonly FactValue[]>
  /** Proposes the narrowest exceptions from each rule that refuses or asks now, or says why there are none. */
  refusingNow(): Promise<readonly RefusingRule[]>
}

export async function decideAnew(
  event: HookEvent,
  record: DecisionRecord,
  rules: RuleSet,
  sandbox: Sandbox,
  { env }: Pick<Invocation, 'env'>,
): Promise<DecidedAnew> {
  const facts = openFacts({ env })
  const found = await openEventFacts()(event, env)
  const nowMs = Date.now()
  const dependencies: PolicyDependencies = {
    evaluate: (request, signal) => sandbox.evaluate(request, signal),
    gatherFacts: (requests) => facts.gather(requests, env),
    toolFacts: async () => found,
    signal: undefined,
  }
  const running: RunContext = {
    ...dependencies,
    dialectOf,
    runsHooks: false,
    runHook: notRun,
    startHook: notRun,
    surroundings: { nowMs, env, cwd: event.session.cwd },
    timeoutMs: limits.hookTimeoutMs,
  }
  const plan = planFor(event, rules, found.shell)
  const hooks = plan.rules.filter(isCommandRule)
  const recorded = hooks.flatMap(({ id }) => recordedAnswers(record, id))
  const own: Plan = { rules: plan.rules.filter((rule) => !isCommandRule(rule)) }
  const evaluations = [...(await run(own, event, running)), ...recorded]
  const excepting: ExceptingContext = {
    exceptions: rules.exceptions,
    nowMs,
    toolFacts: async () => found,
    evaluateAgain: async (rule, given) =>
      isCommandRule(rule)
        ? recordedAnswers(record, rule.id)
        : run({ rules: [rule] }, event, { ...running, toolFacts: async () => given }),
  }
  const left = await withExceptions(plan, evaluations, event, excepting)
  const verdict = combine(plan, left, event, [], found.shell)
  const refusing = memoize(() => refusingRules(event, { plan, evaluations: left }, excepting))
  return {
    event,
    found,
    verdict,
    dependencies,
    hooksUnknown: hooks.map(({ id }) => id).filter((id) => recorded.every(({ ruleId }) => ruleId !== id)),
    factsOf: (rule) => dependencies.gatherFacts(factRequestsOf([rule], event)),
    refusingNow: () => refusing(),
  }
}

const notRun = () => Promise.reject(new HookgateError('internal', 'a hook was to be run only to explain a decision'))

/** Returns the recorded answers of a rule. */
const recordedAnswers = ({ evaluations }: DecisionRecord, id: string): readonly Evaluation[] =>
  evaluations.filter(({ ruleId }) => ruleId === id).map(evaluationOf)

/** Restores an evaluation, without what it demanded and said beside its effect, which is not recorded. */
export function evaluationOf(one: RecordedEvaluation): Evaluation {
  const { effect, reason, commands, failure, observed: _, ...measured } = one
  if (effect === undefined)
    return failure === undefined
      ? { kind: 'notApplicable', ...measured }
      : { kind: 'indeterminate', ...measured, failure }
  return {
    kind: 'applicable',
    ...measured,
    effect,
    ...(reason !== undefined && { reason }),
    ...(commands !== undefined && { commands }),
    ...(failure !== undefined && { failure }),
    obligations: [],
    advice: [],
  }
}
