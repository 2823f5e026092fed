import { z } from 'zod'

/** Severity of what a rule prevents, the lowest first. */
export const Severity = z.enum(['low', 'medium', 'high', 'critical'])
export type Severity = z.infer<typeof Severity>

/** Returns the highest severity; `undefined` for an empty list. */
export function worst(severities: readonly Severity[]): Severity | undefined {
  return Severity.options.findLast((one) => severities.includes(one))
}
