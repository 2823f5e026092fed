import type { HookEvent } from '../../model/event.ts'
import { type Evaluation, notApplicable } from '../../model/evaluation.ts'
import { type Exception, liftRemark } from '../../model/exception.ts'
import { limits } from '../../model/limits.ts'
import type { Plan, Rule } from '../../model/rule.ts'
import type { ToolFacts } from '../../model/tool-facts.ts'
import { type Coverage, coverageOf } from './coverage.ts'
import { exceptionsFor } from './in-force.ts'
import { withoutCommands } from './masked.ts'

/** Everything that exceptions are applied to. */
export interface ExceptingContext {
  readonly exceptions: readonly Exception[]
  readonly nowMs: number
  readonly toolFacts: () => Promise<ToolFacts>
  /** Evaluates one rule on other facts of the same call. */
  readonly evaluateAgain: (rule: Rule, facts: ToolFacts) => Promise<readonly Evaluation[]>
}

/**
 * Takes back the refusals and questions of rules, as far as exceptions cover what they are about.
 *
 * INVARIANT: an exception changes the answer of no rule but its own, only to what that rule says of the rest of the
 * call, and never to `allow`. Failures stay.
 */
export async function withExceptions(
  plan: Plan,
  evaluations: readonly Evaluation[],
  event: HookEvent,
  context: ExceptingContext,
): Promise<readonly Evaluation[]> {
  if (!evaluations.some(restricts)) return evaluations
  const rules = new Map(plan.rules.map((rule) => [rule.id, rule]))
  return Promise.all(
    evaluations.map(async (evaluation) => {
      const rule = rules.get(evaluation.ruleId)
      if (rule === undefined || !restricts(evaluation)) return evaluation
      const exceptions = exceptionsFor(context.exceptions, rule, event, context.nowMs)
      return exceptions.length === 0 ? evaluation : takeBack(rule, evaluation, exceptions, event, context)
    }),
  )
}

type Restricting = Extract<Evaluation, { kind: 'applicable' }>

const restricts = (evaluation: Evaluation): evaluation is Restricting =>
  evaluation.kind === 'applicable' &&
  (evaluation.effect === 'deny' || evaluation.effect === 'ask') &&
  evaluation.failure === undefined

async function takeBack(
  rule: Rule,
  evaluation: Restricting,
  exceptions: readonly Exception[],
  event: HookEvent,
  { toolFacts, evaluateAgain }: ExceptingContext,
): Promise<Evaluation> {
  const facts = await factsOrNothing(toolFacts)
  if (facts === undefined) return evaluation
  const coverage = coverageOf(exceptions, event, facts)
  const masked = new Set<number>()
  const used = new Set<Exception>()
  let current = evaluation
  for (let round = 0; round < limits.exceptionRoundsMax; round++) {
    const { commands = [] } = current
    const covers = commands.map((index) => coverage.command(index))
    if (covers.includes(undefined)) break
    // A rule that names no commands judges the call itself, as every hook does; so does a rule that names a command
    // again that was left out.
    const isWhole = commands.every((index) => masked.has(index))
    if (isWhole) return takenBackWhole(current, used, coverage)
    for (const index of commands) masked.add(index)
    for (const one of covers.flat()) if (one !== undefined) used.add(one)
    // oxlint-disable-next-line no-await-in-loop -- each answer says what to leave out next
    const [next] = await evaluateAgain(rule, withoutCommands(facts, masked))
    if (
      next === undefined ||
      next.kind === 'indeterminate' ||
      (next.kind === 'applicable' && next.failure !== undefined)
    )
      return evaluation
    const durationMs = current.durationMs + next.durationMs
    if (!restricts(next)) return { ...opinionless(next), durationMs, remarks: remarksOn(next, evaluation, used) }
    current = { ...next, durationMs }
  }
  return used.size === 0 ? current : { ...current, remarks: remarksOn(current, evaluation, used) }
}

/** Facts that cannot be determined except nothing. */
async function factsOrNothing(toolFacts: () => Promise<ToolFacts>): Promise<ToolFacts | undefined> {
  try {
    return await toolFacts()
  } catch {
    return undefined
  }
}

function takenBackWhole(current: Restricting, used: ReadonlySet<Exception>, coverage: Coverage): Evaluation {
  const covers = coverage.whole()
  const all = new Set([...used, ...(covers ?? [])])
  if (covers === undefined)
    return used.size === 0 ? current : { ...current, remarks: remarksOn(current, current, used) }
  const { ruleId, durationMs, severity } = current
  const kept = severity === undefined ? { ruleId, durationMs } : { ruleId, durationMs, severity }
  return { ...notApplicable, ...kept, remarks: remarksOn(current, current, all) }
}

/** INVARIANT: what is left of an answer never allows: an exception takes back, and gives nothing. */
function opinionless(next: Evaluation): Evaluation {
  if (next.kind !== 'applicable' || next.effect !== 'allow') return next
  const { effect: _, reason: __, commands: ___, ...rest } = next
  if (rest.obligations.length > 0 || rest.advice.length > 0) return rest
  const { ruleId, durationMs, severity } = next
  return { ...notApplicable, ruleId, durationMs, ...(severity !== undefined && { severity }) }
}

function remarksOn(
  { remarks = [] }: Evaluation,
  { effect }: Restricting,
  used: ReadonlySet<Exception>,
): readonly string[] {
  return [...remarks, ...[...used].map((exception) => liftRemark(exception, effect ?? ''))]
}
