import { z } from 'zod'

/** How bad what a rule stops would be, the least first. */
export const Severity = z.enum(['low', 'medium', 'high', 'critical'])
export type Severity = z.infer<typeof Severity>

/** The worst of some; `undefined` of none. */
export function worst(severities: readonly Severity[]): Severity | undefined {
  return Severity.options.findLast((one) => severities.includes(one))
}
