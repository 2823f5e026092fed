import { combine } from '../../gate/combine/combine.ts'
import { joined, type Rewrite } from '../../gate/combine/rewritten.ts'
import { dialectOf } from '../../agents/index.ts'
import { type ExceptingContext, withExceptions } from '../../gate/exceptions/except.ts'
import { openFacts } from '../../facts/index.ts'
import { openEventFacts, withHarmless } from '../../facts/tool-call.ts'
import type { RefusingRule } from '../../model/refusal.ts'
import { HookgateError } from '../../model/errors.ts'
import type { HookEvent } from '../../model/event.ts'
import type { Evaluation } from '../../model/evaluation.ts'
import { limits } from '../../model/limits.ts'
import { memoize } from '../../model/lazy.ts'
import type { Step } from '../../model/past.ts'
import { asksOthers, looksBack, type PolicyRule, type RuleSet, Plan } from '../../model/rule.ts'
import { Past, type PastView } from '../../past/past.ts'
import { happeningOf, stepOf } from '../../past/step.ts'
import { lookedAt, scopeOf, type StepStore } from '../../past/store.ts'
import { type ReadState, readStates } from '../state/read-states.ts'
import type { ToolFacts } from '../../model/tool-facts.ts'
import type { FactValue } from '../../model/policy.ts'
import { given as givenIn } from '../../model/json.ts'
import type { SeenOfPast, Verdict } from '../../model/verdict.ts'
import type { StateValue } from '../../past/fold.ts'
import { factRequestsOf, type PolicyDependencies } from '../../policy/policies.ts'
import type { Sandbox } from '../../policy/open-sandbox.ts'
import { planFor } from '../../rules/plan.ts'
import { refusingRules } from '../../gate/lift.ts'
import { run, type RunContext } from '../../gate/run.ts'
import type { DecisionRecord, RecordedEvaluation } from '../../record/record.ts'

/** A call, and what evaluating policies for it needs. */
export interface CallAnew {
  readonly event: HookEvent
  readonly found: ToolFacts
  /** Everything that evaluating one more policy for the event needs. */
  readonly dependencies: PolicyDependencies
  /** Returns the values of the facts that a policy declares, as of now. */
  factsOf(rule: PolicyRule): Promise<readonly FactValue[]>
}

/** A recorded event, decided once more by the rules of today. Hooks are not run: what they said then counts. */
export interface Reevaluation extends CallAnew {
  /** The call as rules rewrote it then. */
  readonly made?: CallAnew
  readonly verdict: Verdict
  /** Names of hooks that apply today, and of which nothing is recorded. */
  readonly hooksUnknown: readonly string[]
  /** The values of the states that the decision saw, of rules of today; or why they are not known. */
  readonly states: readonly ReadState[] | string
  /** Proposes the narrowest exceptions from each rule that refuses or asks now, or says why there are none. */
  refusingNow(): Promise<readonly RefusingRule[]>
}

/** Returns the call that an evaluation is about. */
export const judgedCall = (anew: Reevaluation | undefined, { rewritten }: RecordedEvaluation): CallAnew | undefined =>
  rewritten === true ? anew?.made : anew

/** The event of a record, and the same with the call that rules made of it, if they did. */
export interface RebuiltCalls {
  readonly event: HookEvent
  readonly rewritten: HookEvent | undefined
}

export async function reevaluate(
  { event, rewritten }: RebuiltCalls,
  record: DecisionRecord,
  rules: RuleSet,
  sandbox: Sandbox,
  env: Readonly<Record<string, string | undefined>>,
  store: StepStore | string | undefined,
): Promise<Reevaluation> {
  const nowMs = Date.now()
  const facts = openFacts({ env })
  const by = record.rewritten?.by ?? []
  const hooksUnknown = new Set<string>()

  async function judge(given: HookEvent, isMade: boolean) {
    const found = await openEventFacts()(given, env)
    const view = viewAt(record, store, stepOf(happeningOf(given, found), 'allowed'))
    const dependencies: PolicyDependencies = {
      ...(typeof view === 'object' && { view }),
      evaluate: (request, signal) => sandbox.evaluate(request, signal),
      gatherFacts: (requests) => facts.gather(requests, env),
      toolFacts: async () => found,
      withHarmless,
      signal: undefined,
    }
    const running: RunContext = {
      ...dependencies,
      dialectOf,
      runsHooks: false,
      askServer: notRun,
      runHook: notRun,
      startHook: notRun,
      surroundings: { nowMs, env, cwd: given.session.cwd },
      timeoutMs: limits.hookTimeoutMs,
    }
    const ofCall = { ...record, evaluations: record.evaluations.filter((one) => (one.rewritten === true) === isMade) }
    const planned = planFor(given, rules, found.shell).rules
    // A rule does not judge the call that it alone has rewritten, here as when the event was decided.
    const plan = new Plan(isMade && by.length === 1 ? planned.filter(({ id }) => !by.includes(id)) : planned)
    const recorded = plan.rules.filter(asksOthers).flatMap(({ id }) => {
      const said = recordedAnswers(ofCall, id)
      if (said.length === 0) hooksUnknown.add(id)
      return said
    })
    const own = new Plan(plan.rules.filter((rule) => !asksOthers(rule)))
    const excepting: ExceptingContext = {
      exceptions: rules.exceptions,
      nowMs,
      toolFacts: async () => found,
      evaluateAgain: async (rule, other) =>
        asksOthers(rule)
          ? recordedAnswers(ofCall, rule.id)
          : run(new Plan([rule]), given, { ...running, toolFacts: async () => other }),
    }
    const said = [...(await run(own, given, running)), ...recorded]
    const evaluations = await withExceptions(plan, said, given, excepting)
    const factsOf = (rule: PolicyRule) => dependencies.gatherFacts(factRequestsOf([rule], given))
    const call: CallAnew = { event: given, found, dependencies, factsOf }
    const looking = plan.rules.filter(looksBack)
    const states =
      typeof view === 'string'
        ? looking.length === 0
          ? []
          : view
        : await readStates(looking, view, given, dependencies)
    return { call, states, excepting, judged: { event: given, plan, evaluations, shell: found.shell } }
  }

  const sent = await judge(event, false)
  const made = rewritten && (await judge(rewritten, true))
  const last = made ?? sent
  const { plan, evaluations } =
    made === undefined ? sent.judged : joined(sent.judged, made.judged, rewriteIn(made.call.event, by))
  const verdict = combine(plan, evaluations, last.call.event, [], last.judged.shell)
  const refusing = memoize(() => refusingRules(last.call.event, { plan, evaluations }, last.excepting))
  return {
    ...sent.call,
    ...(made !== undefined && { made: made.call }),
    verdict,
    states: last.states,
    hooksUnknown: [...hooksUnknown],
    refusingNow: () => refusing(),
  }
}

/** Returns what the decision saw of what happened before, or why that is not known. */
function viewAt(
  { step, at, saw }: DecisionRecord,
  store: StepStore | string | undefined,
  about: Step,
): PastView | string {
  if (step === undefined) return 'the decision did not look back'
  if (typeof store === 'string') return store
  if (store === undefined || store.head(scopeOf(about, 'user')) < step)
    return 'what happened before is not kept any more'
  const view = new Past(lookedAt(store, step)).viewFor({ ...about, atMs: Date.parse(at) })
  // What no step says, the record does.
  return {
    ...view,
    ...givenIn('tokens', saw?.tokens),
    read: (request) =>
      request.declaration.kind === 'reused' ? { kind: 'value', value: reusedThen(saw?.reused) } : view.read(request),
  }
}

function reusedThen(reused: SeenOfPast['reused']): StateValue {
  if (reused?.text === undefined) return reused && { form: reused.form }
  const { form, text } = reused
  return { form, step: { atMs: 0, text, outcome: 'done', names: [], hosts: [], paths: [] } }
}

/** The record holds only what all demands of the rules together came to, not the demand of each. */
const rewriteIn = ({ tool }: HookEvent, by: readonly string[]): Rewrite => ({
  input: tool?.input ?? {},
  by,
  author: by.length === 1 ? by[0] : undefined,
})

const notRun = () => Promise.reject(new HookgateError('internal', 'a hook was to be run only to explain a decision'))

/** Returns the recorded answers of a rule. */
const recordedAnswers = ({ evaluations }: Pick<DecisionRecord, 'evaluations'>, id: string): readonly Evaluation[] =>
  evaluations.filter(({ ruleId }) => ruleId === id).map(evaluationOf)

/** Restores an evaluation, without what it demanded and said beside its effect, which is not recorded. */
export function evaluationOf(one: RecordedEvaluation): Evaluation {
  const { effect, reason, commands, failure, observed: _, rewritten: __, ...measured } = one
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
