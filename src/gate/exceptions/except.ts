import { authority } from '../../model/effect.ts'
import { type Evaluation, notApplicable } from '../../model/evaluation.ts'
import type { HookEvent } from '../../model/event.ts'
import { type Exception, isOver, liftRemark } from '../../model/exception.ts'
import { limits } from '../../model/limits.ts'
import type { Plan, Rule } from '../../model/rule.ts'
import type { ShellCommand } from '../../model/shell.ts'
import type { ToolFacts } from '../../model/tool-facts.ts'
import { namesRule } from '../../rules/match/word-pattern.ts'
import { type Coverage, coverageOf } from './coverage.ts'

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

/** Returns the exceptions that are in force for a rule now, in a session. */
function exceptionsFor(
  exceptions: readonly Exception[],
  rule: Rule,
  { session }: HookEvent,
  nowMs: number,
): readonly Exception[] {
  return exceptions.filter(
    (one) =>
      !isOver(one, nowMs) &&
      (one.session === undefined || one.session === session.id) &&
      mayExcept(one, rule) &&
      namesRule(one.rule, rule),
  )
}

/**
 * INVARIANT: a project lifts no rule, and no source lifts a rule of one with more authority. A bundle has less
 * authority than what an administrator put beside it.
 */
export function mayExcept(
  { scope, bundled }: Pick<Exception, 'scope' | 'bundled'>,
  { source }: Pick<Rule, 'source'>,
): boolean {
  if (bundled === true && source.scope === 'managed' && source.bundled !== true) return false
  return scope !== 'project' && authority[scope] >= authority[source.scope]
}

/**
 * Returns the facts of a call without those of some of its commands. All others keep their index.
 *
 * Flows stay: what a command passes on is judged by its receiver.
 */
function withoutCommands({ shell, paths, changes, impacts }: ToolFacts, indices: ReadonlySet<number>): ToolFacts {
  const commands = shell.commands.map((command, index) => (indices.has(index) ? inert(command) : command))
  const inCommands = shell.commands.filter(isHere).reduce((sum, one) => sum + one.paths.length, 0)
  const own = paths.slice(0, paths.length - inCommands)
  const left = commands.filter(isHere).flatMap((one) => one.paths)
  const gone = new Set(paths.slice(own.length).flatMap(({ absolute, written }) => [absolute ?? written]))
  for (const { absolute, written } of [...own, ...left]) gone.delete(absolute ?? written)
  return {
    shell: { ...shell, commands },
    paths: [...own, ...left],
    changes: changes.filter(({ path }) => !gone.has(path)),
    impacts: impacts.filter(({ by }) => typeof by === 'string' || !indices.has(by)),
  }
}

const isHere = ({ elsewhere }: ShellCommand) => elsewhere !== true

/** Returns a command in the same place that does nothing, not even by its text. */
function inert({ reach, startedBy, cwd, place }: ShellCommand): ShellCommand {
  return {
    program: '',
    args: [],
    assignments: [],
    redirections: [],
    ...(cwd !== undefined && { cwd }),
    reach,
    ...(startedBy !== undefined && { startedBy }),
    paths: [],
    uncertain: [],
    place: { start: place.start, end: place.start },
  }
}
