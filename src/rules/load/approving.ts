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

type ApprovingKeys = Readonly<Partial<Record<keyof typeof approving, boolean | undefined>>>

/** Returns the keys of a hook or pack that say how a person may answer for it. */
export const approvingOf = ({
  approvable,
  terminalOnly,
}: ApprovingKeys): Pick<Rule, 'approvable' | 'terminalOnly'> => ({
  ...(approvable === true && { approvable }),
  ...(terminalOnly === true && { terminalOnly }),
})
