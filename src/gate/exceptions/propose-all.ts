import { isDeepStrictEqual } from 'node:util'
import type { HookEvent } from '../../model/event.ts'
import type { Evaluation } from '../../model/evaluation.ts'
import { limits } from '../../model/limits.ts'
import type { Plan, Rule } from '../../model/rule.ts'
import { type ExceptingContext, withExceptions } from './except.ts'
import { exceptionFrom, propose, type ProposedException } from './propose.ts'

/** Commands of a refused call for which exceptions are proposed: each is tried. Nobody excepts as many by hand. */
const exceptionCommandsMax = 32

/** A rule's answer that is to be taken back. */
interface RestrictingAnswer {
  readonly rule: Rule
  readonly evaluation: Evaluation
}

/**
 * Proposes exceptions that together take back all of some answers: a rule names one command at a time, and the next
 * only once an exception covers the first. So each proposal is tried.
 *
 * @param restricting returns those of the remaining answers that the exceptions should take back
 * @returns the exceptions of each rule, by its id; none for a rule that they cannot take back
 */
export async function proposeAll(
  plan: Plan,
  evaluations: readonly Evaluation[],
  event: HookEvent,
  context: ExceptingContext,
  restricting: (evaluations: readonly Evaluation[]) => readonly RestrictingAnswer[],
): Promise<ReadonlyMap<string, readonly ProposedException[]>> {
  const found = new Map<string, readonly ProposedException[]>()
  const failed = new Set<string>()
  const facts = await context.toolFacts().catch(() => undefined)
  if (facts === undefined || facts.shell.commands.length > exceptionCommandsMax) return found
  let left = restricting(evaluations)
  for (let round = 0; round < limits.exceptionRoundsMax && left.length > 0; round++) {
    for (const { rule, evaluation } of left) {
      const known = found.get(rule.id) ?? []
      const isKnown = (one: ProposedException) => known.some((other) => isDeepStrictEqual(one, other))
      const more = propose(event, facts, rule, evaluation)?.filter((one) => !isKnown(one)) ?? []
      if (more.length === 0) failed.add(rule.id)
      else found.set(rule.id, [...known, ...more])
    }
    const proposed = [...found.values()].flat().flatMap((one) => exceptionFrom(one, 'user', 'a proposal') ?? [])
    const exceptions = [...context.exceptions, ...proposed]
    // oxlint-disable-next-line no-await-in-loop -- each round says what is left for the next
    const tried = await withExceptions(plan, evaluations, event, { ...context, exceptions })
    left = restricting(tried).filter(({ rule }) => !failed.has(rule.id))
  }
  for (const { rule } of left) failed.add(rule.id)
  for (const id of failed) found.delete(id)
  return found
}
