import { combine } from './combine/combine.ts'
import { type ExceptingContext, withExceptions } from './exceptions/except.ts'
import type { HookEvent } from './model/event.ts'
import type { Evaluation } from './model/evaluation.ts'
import type { RuleSet } from './model/rule.ts'
import type { ShellFacts } from './model/shell.ts'
import type { ToolFacts } from './model/tool-facts.ts'
import { abstention, type Verdict } from './model/verdict.ts'
import { memoize } from './model/lazy.ts'
import type { DecidedHooks } from './record/decided-hooks.ts'
import { isOfRefusedCall, type Refusals } from './record/refusals.ts'
import type { StopRefusals } from './record/stop-refusals.ts'
// Imported directly, not via the folder's index, which loads all of it.
import { needsShellFacts, planFor } from './rules/plan.ts'
import { run, type RunContext } from './run.ts'

/** Inputs of a decision: the rules in force, and the functions that run them. */
export interface DecisionContext extends RunContext {
  readonly rules: RuleSet
  readonly stops: StopRefusals
  readonly decidedHooks: DecidedHooks
  /** Where refusals are kept for `hookgate allow`; `undefined`: nowhere. */
  readonly refusals: Refusals | undefined
}

/** The decision pipeline: plans the rules for an event, runs them, and combines their results. */
export async function decide(event: HookEvent, deciding: DecisionContext): Promise<Verdict> {
  const { rules } = deciding
  const alarms = alarmsAt(event, rules)
  // Conditions (`if`), built-in rules and policies use the same facts.
  const toolFacts = memoize(() => deciding.toolFacts(event))
  const plan = needsShellFacts(event, rules)
    ? planFor(event, rules, await shellFactsOf(toolFacts))
    : planFor(event, rules)
  if (plan.rules.length === 0 && alarms.length === 0) return deciding.stops.settle(event, abstention)
  const running = { ...deciding, toolFacts }
  const ran = deciding.decidedHooks.settle(plan, await run(plan, event, running))
  const excepting = exceptingContext(event, running)
  const evaluations = rules.exceptions.length === 0 ? ran : await withExceptions(plan, ran, event, excepting)
  const shell = evaluations.some(namesCommands) ? await shellFactsOf(toolFacts) : undefined
  const combined = (some: readonly Evaluation[]) => combine(plan, some, event, alarms, shell)
  const judged = { plan, evaluations, verdict: combined(evaluations) }
  const { refusals } = deciding
  const lifted =
    refusals !== undefined && isOfRefusedCall(event, judged.verdict)
      ? await (await loadLift()).liftedOrKept(event, judged, { ...excepting, refusals, combine: combined })
      : judged.verdict
  return deciding.stops.settle(event, lifted)
}

const namesCommands = (evaluation: Evaluation) => evaluation.kind === 'applicable' && evaluation.commands !== undefined

/** Loaded with the first refusal: most processes that decide one event need none of it. */
const loadLift = () => import('./lift.ts')

function exceptingContext(event: HookEvent, deciding: DecisionContext): ExceptingContext {
  return {
    exceptions: deciding.rules.exceptions,
    nowMs: deciding.surroundings.nowMs,
    toolFacts: () => deciding.toolFacts(event),
    evaluateAgain: (rule, facts) => run({ rules: [rule] }, event, { ...deciding, toolFacts: async () => facts }),
  }
}

/** Returns what a person has to know about the rules and the agent itself, whatever the event. */
function alarmsAt(event: HookEvent, rules: RuleSet): readonly string[] {
  const notAsking = rules.notAsking[event.agent] ?? []
  if (event.name !== 'SessionStart') return notAsking.length === 0 ? rules.alarms : [...rules.alarms, ...notAsking]
  return [...rules.alarms, ...notAsking, ...observingNotice(rules)]
}

/** Says once a session that rules only observe, lest someone relies on them. */
function observingNotice({ rules }: RuleSet): readonly string[] {
  const observing = rules.filter(({ mode }) => mode === 'observe').length
  return observing === 0 ? [] : [`${observing} of ${rules.length} rules of hookgate only observe: they refuse nothing`]
}

/** INVARIANT: facts that cannot be determined are `undefined`, never empty, which would mean that nothing runs. */
async function shellFactsOf(toolFacts: () => Promise<ToolFacts>): Promise<ShellFacts | undefined> {
  try {
    return (await toolFacts()).shell
  } catch {
    return undefined
  }
}
