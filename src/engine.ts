import { abstention, combine } from './combine/combine.ts'
import type { HookEvent } from './model/event.ts'
import type { RuleSet } from './model/rule.ts'
import type { Verdict } from './model/verdict.ts'
import { type DecisionRecord, recordOf } from './record/record.ts'
import type { StopRefusals } from './record/stop-refusals.ts'
// Not from the room's index, which loads all of it.
import { planFor } from './rules/plan.ts'
import { run, type Running } from './run.ts'

/** What deciding needs: the rules in force, the means to ask them, and somewhere to put the record. */
export interface Deciding extends Running {
  readonly rules: RuleSet
  readonly stops: StopRefusals
  readonly onRecord: ((record: DecisionRecord) => void) | undefined
}

/** The one way through the house: which rules apply, what they say, what that means together, what is kept of it. */
export async function decide(event: HookEvent, deciding: Deciding): Promise<Verdict> {
  const { alarms } = deciding.rules
  const plan = planFor(event, deciding.rules)
  if (plan.rules.length === 0 && alarms.length === 0 && deciding.onRecord === undefined) {
    return deciding.stops.settle(event, abstention)
  }
  const evaluations = await run(plan, event, deciding)
  const verdict = deciding.stops.settle(event, combine(plan, evaluations, event, alarms))
  deciding.onRecord?.(recordOf(event, verdict))
  return verdict
}
