import type { Dialect, Surroundings } from '../model/dialect.ts'
import type { AgentName, HookEvent } from '../model/event.ts'
import { type Evaluation, indeterminate, notApplicable, type Outcome } from '../model/evaluation.ts'
import type { Failure } from '../model/failure.ts'
import { parseJsonObject } from '../model/json.ts'
import {
  type BuiltinRule,
  type CommandRule,
  type HookExit,
  type HookProcess,
  isBuiltinRule,
  isCommandRule,
  isPolicyRule,
  isRemoteRule,
  type Plan,
  type RemoteRule,
} from '../model/rule.ts'
import { evaluateBuiltin, stepBudget } from './builtin/evaluate.ts'
import type { RemoteCall } from '../hooks/remote/open-remotes.ts'
import { noToolFacts } from '../model/tool-facts.ts'
import { isTurnOver, turn } from '../files/turns.ts'
import { hookProcess } from '../hooks/hook-process.ts'
import { evaluatePolicies, factsOrFailure, type PolicyDependencies, PolicyList } from '../policy/policies.ts'

/** Functions and settings that running a plan needs. */
export interface RunContext extends PolicyDependencies {
  readonly dialectOf: (agent: AgentName) => Promise<Dialect>
  readonly runHook: (hook: HookProcess, signal: AbortSignal | undefined) => Promise<HookExit>
  /** Starts a hook that is not awaited. Resolves with the failure if it could not be started. */
  readonly startHook: (hook: HookProcess) => Promise<Failure | undefined>
  /** Asks a server that a rule names. Does not reject. */
  readonly askServer: (rule: RemoteRule, call: RemoteCall) => Promise<Outcome>
  /** If false, no hook is started, no server is asked, and none has an opinion. */
  readonly runsHooks: boolean
  readonly surroundings: Surroundings
  /** Timeout for rules that name none, ms. */
  readonly timeoutMs: number
}

/**
 * Runs every rule of a plan. Built-in rules, policies and hooks all start at once, except for the hooks of one sequence, which run one
 * after the other. Resolves when the last has answered; never rejects because of a rule.
 */
export async function run(plan: Plan, event: HookEvent, running: RunContext): Promise<readonly Evaluation[]> {
  const { policies, builtins, lanes, remotes } = plan.prepared(partsOf)
  if (lanes.length === 0 && builtins.length === 0 && remotes.length === 0)
    return evaluatePolicies(policies, event, running)
  const hooks = lanes.map((lane) => runLane(lane, event, running))
  const own = evaluateBuiltins(builtins, event, running)
  const asked = askServers(remotes, event, running)
  return (await Promise.all([own, asked, evaluatePolicies(policies, event, running), ...hooks])).flat()
}

/** A plan's policies, its built-in rules, and its hooks in lanes. The hooks of one sequence share a lane; every other has its own. */
interface PlanParts {
  readonly policies: PolicyList
  readonly builtins: readonly BuiltinRule[]
  readonly remotes: readonly RemoteRule[]
  readonly lanes: readonly (readonly CommandRule[])[]
}

function partsOf(plan: Plan): PlanParts {
  const lanes = Map.groupBy(plan.rules.filter(isCommandRule), (rule) => rule.sequence ?? rule)
  return {
    policies: new PolicyList(plan.rules.filter(isPolicyRule)),
    builtins: plan.rules.filter(isBuiltinRule),
    remotes: plan.rules.filter(isRemoteRule),
    lanes: [...lanes.values()],
  }
}

/** Evaluates the built-in rules, all on the same facts of the tool call. */
async function evaluateBuiltins(
  rules: readonly BuiltinRule[],
  event: HookEvent,
  running: RunContext,
): Promise<readonly Evaluation[]> {
  if (rules.length === 0) return []
  const facts = event.tool === undefined ? noToolFacts : await factsOrFailure(event, running)
  const budget = stepBudget()
  const evaluateOne = (rule: BuiltinRule): Evaluation => {
    const { id: ruleId } = rule
    if ('failure' in facts) return { ...indeterminate(facts.failure), ruleId, durationMs: 0 }
    const startedAtMs = performance.now()
    const { outcome, remarks } = evaluateBuiltin(rule, event, facts, budget, running.view)
    const durationMs = performance.now() - startedAtMs
    return { ...outcome, ruleId, durationMs, ...(remarks.length > 0 && { remarks }) }
  }
  const evaluations: Evaluation[] = []
  for (const rule of rules) {
    // oxlint-disable-next-line no-await-in-loop -- so that other events have their turn between two rules
    if (isTurnOver()) await turn()
    evaluations.push(evaluateOne(rule))
  }
  return evaluations
}

/** Asks the servers that rules name, all at once. */
async function askServers(
  rules: readonly RemoteRule[],
  event: HookEvent,
  running: RunContext,
): Promise<readonly Evaluation[]> {
  if (rules.length === 0) return []
  const facts = event.tool?.command === undefined ? undefined : await factsOrFailure(event, running)
  const shell = facts === undefined || 'failure' in facts ? undefined : facts.shell
  return Promise.all(
    rules.map(async (rule): Promise<Evaluation> => {
      const startedAtMs = performance.now()
      const outcome = running.runsHooks
        ? await running.askServer(rule, { event, shell, signal: running.signal })
        : notApplicable
      return { ...outcome, ruleId: rule.id, durationMs: performance.now() - startedAtMs }
    }),
  )
}

async function runLane(
  lane: readonly CommandRule[],
  event: HookEvent,
  running: RunContext,
): Promise<readonly Evaluation[]> {
  const evaluations: Evaluation[] = []
  for (const rule of lane) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other is what a sequence is
    evaluations.push(...(await evaluate(rule, event, running)))
  }
  return evaluations
}

/** Runs one hook. Returns several evaluations if it has to run several times, once for each file of a call. */
async function evaluate(rule: CommandRule, event: HookEvent, running: RunContext): Promise<readonly Evaluation[]> {
  const settled = (outcome: Outcome, durationMs: number, remarks: readonly string[] = []): Evaluation => ({
    ...outcome,
    ruleId: rule.id,
    durationMs,
    ...(remarks.length > 0 && { remarks }),
  })
  if (!running.runsHooks) return [settled(notApplicable, 0)]
  if (rule.untrustedReason !== undefined) {
    // The message first says that the hook was not run: "untrusted" alone could mean that it ran all the same.
    const message = `this hook was not run: ${rule.untrustedReason}`
    return [settled(indeterminate({ code: 'untrusted', message }), 0)]
  }
  const { handler } = rule
  const dialect = await running.dialectOf(handler.dialect)
  const wires = dialect.encodeEvent(event, rule.match.spelled)
  if (wires.length === 0) {
    const message = `${event.name} does not exist in ${handler.dialect}, which this hook is written for`
    return [settled(indeterminate({ code: 'notTranslatable', message }), 0)]
  }
  return Promise.all(
    wires.map(async (wire) => {
      const process = hookProcess(rule, event, dialect, JSON.stringify(wire), running)
      if (handler.async) return startAlone(process)
      const exit = await running.runHook(process, running.signal)
      const outcome = dialect.decodeAnswer(event, wire, exit, handler)
      return settled(outcome, exit.durationMs, remarksOn(outcome, exit))
    }),
  )

  /** Starts a hook that is not awaited. Its evaluation says only whether it started. */
  async function startAlone(process: HookProcess): Promise<Evaluation> {
    const askedAtMs = performance.now()
    const failure = await running.startHook(process)
    return settled(failure === undefined ? notApplicable : indeterminate(failure), performance.now() - askedAtMs)
  }
}

/** Remarks on plain text that is ignored. It is no failure, but the hook's author may expect it to be read. */
function remarksOn(outcome: Outcome, exit: HookExit): readonly string[] {
  if (outcome.kind !== 'notApplicable' || exit.kind !== 'exited') return []
  const printed = exit.stdout.trim()
  const isText = printed !== '' && parseJsonObject(printed) === undefined
  return isText ? ['it printed plain text, which is not read at this event'] : []
}
