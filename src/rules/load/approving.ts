import { z } from 'zod'
import type { Rule } from '../../model/rule.ts'

/** Keys of a rule that say which of its answers a person may approve. */
export const approving = {
  approvable: z
    .boolean()
    .optional()
    .describe('true: where approvals are on, a person may let through what this refuses, call by call.'),
  terminalOnly: z.boolean().optional().describe('true: only a person at this machine may approve what this is about.'),
}

/** These keys as they are written: a `false` counts where another place says true. */
export type ApprovingKeys = Readonly<Partial<Record<keyof typeof approving, boolean | undefined>>>

/** Returns how a person may answer for a rule: as its entry in a rules file says, else as the policy itself says. */
export const approvingOf = (
  entry: ApprovingKeys,
  policy: ApprovingKeys = {},
): Pick<Rule, 'approvable' | 'terminalOnly'> => ({
  ...((entry.approvable ?? policy.approvable) === true && { approvable: true }),
  ...((entry.terminalOnly ?? policy.terminalOnly) === true && { terminalOnly: true }),
})
