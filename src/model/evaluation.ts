import { z } from 'zod'
import { Effect } from './effect.ts'
import { Failure } from './failure.ts'
import { Json, JsonObject } from './json.ts'
import { Severity } from './severity.ts'

/** Must be carried out, or the action is refused. */
export const Obligation = z.discriminatedUnion('kind', [
  /** Use this whole input instead; its keys are those of the agent that asked. */
  z.strictObject({ kind: z.literal('replaceInput'), input: JsonObject }),
  /** Show this instead of what the tool returned. */
  z.strictObject({ kind: z.literal('replaceOutput'), output: Json }),
  /** End the agent's turn after this event. */
  z.strictObject({ kind: z.literal('stop'), reason: z.string() }),
])
export type Obligation = Readonly<z.infer<typeof Obligation>>

/** May be dropped where an agent has no place for it; the drop is recorded. */
export const Advice = z.discriminatedUnion('kind', [
  /** Text for the model. */
  z.strictObject({ kind: z.literal('addContext'), text: z.string() }),
  /** Text for the person. */
  z.strictObject({ kind: z.literal('notice'), text: z.string() }),
  /** An output field that only one agent knows (`sessionTitle`, `watchPaths`, …), for that agent alone. */
  z.strictObject({ kind: z.literal('agentField'), agent: z.string(), field: z.string(), value: Json }),
])
export type Advice = Readonly<z.infer<typeof Advice>>

const Applicable = z.strictObject({
  kind: z.literal('applicable'),
  /** Absent where the rule gave only obligations or advice. */
  effect: Effect.optional(),
  reason: z.string().optional(),
  /** Which of the shell's commands it is about, by their indices. */
  commands: z.array(z.int()).readonly().optional(),
  obligations: z.array(Obligation).readonly(),
  advice: z.array(Advice).readonly(),
  /** It answered and failed too (a well-formed cancel with exit code 1): the answer counts, and so does the failure. */
  failure: Failure.optional(),
})
const NotApplicable = z.strictObject({ kind: z.literal('notApplicable') })
const Indeterminate = z.strictObject({ kind: z.literal('indeterminate'), failure: Failure })

/** What a rule's answer means, before it is known whose it is: "said nothing" and "broke" are different types. */
export const Outcome = z.discriminatedUnion('kind', [Applicable, NotApplicable, Indeterminate])
export type Outcome = Readonly<z.infer<typeof Outcome>>
export type Applicable = Readonly<z.infer<typeof Applicable>>

/** `durationMs` is wall time from the rule's start to its answer; 0 for a rule that was not run. */
const measured = {
  ruleId: z.string(),
  durationMs: z.number(),
  /** Of a policy that says so: how bad what it stops would be. */
  severity: Severity.optional(),
  /**
   * What else is to be known of it: facts that could not be had, parts that an untrusted rule may not say, text of a hook
   * that nobody reads.
   */
  remarks: z.array(z.string()).readonly().optional(),
}

/** One rule's result. */
export const Evaluation = z.discriminatedUnion('kind', [
  Applicable.extend(measured),
  NotApplicable.extend(measured),
  Indeterminate.extend(measured),
])
export type Evaluation = Readonly<z.infer<typeof Evaluation>>

export const notApplicable: Outcome = Object.freeze({ kind: 'notApplicable' })

export function indeterminate(failure: Failure): Outcome {
  return { kind: 'indeterminate', failure }
}
