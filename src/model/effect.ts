import { z } from 'zod'

/** Effect that one rule asks for, strongest first. */
export const Effect = z.enum(['deny', 'defer', 'ask', 'allow'])
export type Effect = z.infer<typeof Effect>

/** Decision of the gate. `abstain` is silence on the wire, never `allow`, which skips the agent's permission prompt. */
export const Decision = z.enum([...Effect.options, 'abstain'])
export type Decision = z.infer<typeof Decision>

/** Returns the stronger of two decisions: `deny > defer > ask > allow > abstain`. */
export function stronger(a: Decision, b: Decision): Decision {
  return Decision.options.indexOf(a) <= Decision.options.indexOf(b) ? a : b
}

/** Returns whether something keeps a call from running, or asks a person first. */
export const restricts = (effect: string | undefined): effect is 'deny' | 'defer' | 'ask' =>
  effect === 'deny' || effect === 'defer' || effect === 'ask'

/** How a rule's failure is handled: `block` denies, `ask` asks, `continue` only reports it. */
export const OnFailure = z.enum(['block', 'ask', 'continue'])
export type OnFailure = z.infer<typeof OnFailure>

/** Returns the stricter of two failure modes: `block > ask > continue`. */
export function stricter(a: OnFailure, b: OnFailure): OnFailure {
  return OnFailure.options.indexOf(a) <= OnFailure.options.indexOf(b) ? a : b
}

/** Whether a rule's answer counts: one that observes is run and reported, and changes nothing. */
export const RuleMode = z.enum(['enforce', 'observe'])
export type RuleMode = z.infer<typeof RuleMode>

/** Severity of what a rule prevents, the lowest first. */
export const Severity = z.enum(['low', 'medium', 'high', 'critical'])
export type Severity = z.infer<typeof Severity>

/** Returns the highest severity; `undefined` for an empty list. */
export function worst(severities: readonly Severity[]): Severity | undefined {
  return Severity.options.findLast((one) => severities.includes(one))
}

/** Origin of a rule, by descending authority. `explicit` rules are named on the command line or by an embedder. */
export type Scope = 'managed' | 'explicit' | 'user' | 'project'

export const authority: Readonly<Record<Scope, number>> = { managed: 3, explicit: 2, user: 1, project: 0 }
