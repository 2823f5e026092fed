import { z } from 'zod'

/** What one rule wants, strongest first. */
export const Effect = z.enum(['deny', 'defer', 'ask', 'allow'])
export type Effect = z.infer<typeof Effect>

/** What the gate says. Abstain is silence on the wire, never `allow`, which skips the agent's own permission prompt. */
export const Decision = z.enum([...Effect.options, 'abstain'])
export type Decision = z.infer<typeof Decision>

/** The stronger of two decisions: `deny > defer > ask > allow > abstain`. */
export function stronger(a: Decision, b: Decision): Decision {
  return Decision.options.indexOf(a) <= Decision.options.indexOf(b) ? a : b
}

/** What a failed rule counts as: `block` denies, `ask` asks, `continue` counts for nothing but is told. */
export const OnFailure = z.enum(['block', 'ask', 'continue'])
export type OnFailure = z.infer<typeof OnFailure>

/** The stricter of two: `block > ask > continue`. */
export function stricter(a: OnFailure, b: OnFailure): OnFailure {
  return OnFailure.options.indexOf(a) <= OnFailure.options.indexOf(b) ? a : b
}
