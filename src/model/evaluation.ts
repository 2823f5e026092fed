import { z } from 'zod'
import { Effect, Severity } from './effect.ts'
import { Failure } from './failure.ts'
import { Json, JsonObject } from './json.ts'

/** A part of an answer that must be carried out; otherwise the action is refused. */
export const Obligation = z.discriminatedUnion('kind', [
  /** Replaces the whole input. Its keys are those of the agent that sent the event. */
  z.strictObject({ kind: z.literal('replaceInput'), input: JsonObject }),
  /** Replaces the tool's output before the model sees it. */
  z.strictObject({ kind: z.literal('replaceOutput'), output: Json }),
  /** Ends the agent's turn after this event. */
  z.strictObject({ kind: z.literal('stop'), reason: z.string() }),
])
export type Obligation = Readonly<z.infer<typeof Obligation>>

/** A part of an answer that is dropped if the agent's protocol can't express it; the drop is recorded. */
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
  /** Absent if the rule returned only obligations or advice. */
  effect: Effect.optional(),
  reason: z.string().optional(),
  /** Indices of the shell commands that the answer is about. */
  commands: z.array(z.int()).readonly().optional(),
  obligations: z.array(Obligation).readonly(),
  advice: z.array(Advice).readonly(),
  /** Set if the rule answered and also failed (a well-formed cancel with exit code 1). Both count. */
  failure: Failure.optional(),
})
const NotApplicable = z.strictObject({ kind: z.literal('notApplicable') })
const Indeterminate = z.strictObject({ kind: z.literal('indeterminate'), failure: Failure })

/** Result of one rule, without the rule's id. "No opinion" and "failed" are different types. */
export const Outcome = z.discriminatedUnion('kind', [Applicable, NotApplicable, Indeterminate])
export type Outcome = Readonly<z.infer<typeof Outcome>>
export type Applicable = Readonly<z.infer<typeof Applicable>>

/** `durationMs` is wall time from the rule's start to its answer; 0 for a rule that was not run. */
const measured = {
  ruleId: z.string(),
  durationMs: z.number(),
  /** Set for a rule that only observes: its answer is reported, and does not count. */
  observed: z.literal(true).optional(),
  /** Set if it is about the call as a rule rewrote it, and not as the agent sent it. */
  rewritten: z.literal(true).optional(),
  /** Severity of what the policy prevents, if it declares one. */
  severity: Severity.optional(),
  /**
   * Further remarks for a person: unavailable facts, parts that an untrusted rule may not return, text of a hook that
   * is not read.
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

/** Says in a rule's remarks that one of its facts could not be looked up. */
export const missingFact = (name: string, why: string): string => `its fact \`${name}\` is not known: ${why}`

/** True for a remark by `missingFact`. People are not shown it of a rule without an opinion. */
export const isMissingFact = (remark: string): boolean => /^its fact `[^`]*` is not known: /.test(remark)

export const notApplicable: Outcome = Object.freeze({ kind: 'notApplicable' })

export function indeterminate(failure: Failure): Outcome {
  return { kind: 'indeterminate', failure }
}
