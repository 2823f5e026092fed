import { abstention, combine } from './combine/combine.ts'
import type { HookEvent } from './model/event.ts'
import type { RuleSet } from './model/rule.ts'
import type { ShellFacts } from './model/shell.ts'
import type { ToolFacts } from './model/tool-facts.ts'
import type { Verdict } from './model/verdict.ts'
import { memoize } from './model/lazy.ts'
import { type DecisionRecord, recordOf } from './record/record.ts'
import type { StopRefusals } from './record/stop-refusals.ts'
// Not from the room's index, which loads all of it.
import { needsShellFacts, planFor } from './rules/plan.ts'
import { run, type Running } from './run.ts'

/** What deciding needs: the rules in force, the means to ask them, and somewhere to put the record. */
export interface Deciding extends Running {
  readonly rules: RuleSet
  readonly stops: StopRefusals
  readonly onRecord: ((record: DecisionRecord) => void) | undefined
}

/** The one way through the house: which rules apply, what they say, what that means together, what is kept of it. */
export async function decide(event: HookEvent, deciding: Deciding): Promise<Verdict> {
  const { rules } = deciding
  const { alarms } = rules
  // Judging an `if` and asking policies take the same facts.
  const toolFacts = needsShellFacts(event, rules) ? memoize(() => deciding.toolFacts(event)) : undefined
  const plan = toolFacts === undefined ? planFor(event, rules) : planFor(event, rules, await shellFactsOf(toolFacts))
  if (plan.rules.length === 0 && alarms.length === 0 && deciding.onRecord === undefined) {
    return deciding.stops.settle(event, abstention)
  }
  const running = toolFacts === undefined ? deciding : { ...deciding, toolFacts }
  const evaluations = await run(plan, event, running)
  const verdict = deciding.stops.settle(event, combine(plan, evaluations, event, alarms))
  deciding.onRecord?.(recordOf(event, verdict))
  return verdict
}

/** INVARIANT: what a command would run is `undefined` where it cannot be determined, never nothing. */
async function shellFactsOf(toolFacts: () => Promise<ToolFacts>): Promise<ShellFacts | undefined> {
  try {
    return (await toolFacts()).shell
  } catch {
    return undefined
  }
}
