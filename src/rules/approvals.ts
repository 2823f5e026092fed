import { z } from 'zod'
import { agentNames } from '../agents/registry.ts'
import type { ApprovalSettings } from '../model/approval.ts'
import { limits } from '../model/limits.ts'

const text = z.string().min(1).max(limits.exceptionCharactersMax)

/** `approvals` in a rules file. */
export const ApprovalsEntry = z.union([
  z.boolean(),
  z.strictObject({
    waitSeconds: z
      .number()
      .min(limits.approvalWaitMsMin / 1000)
      .max(limits.hookTimeoutMsMax / 1000)
      .optional()
      .describe('How long a call waits for a person at most. Default: until a little before its agent stops waiting.'),
    insteadOf: z
      .array(z.enum(agentNames))
      .optional()
      .describe('Agents whose own question is replaced. Default: where an agent can ask by itself, it does.'),
    terminalOnly: z
      .array(text)
      .optional()
      .describe('Rules, such as `secrets/*`, whose questions only a person at this machine may approve.'),
  }),
])
export type ApprovalsEntry = z.infer<typeof ApprovalsEntry>

/**
 * Joins what files say about approvals, of which each only tightens the others.
 *
 * @param entries those with more authority first
 *
 * @returns undefined if approvals are off, as they are by default
 */
export function approvalsBy(entries: readonly ApprovalsEntry[]): ApprovalSettings | undefined {
  if (entries.length === 0 || entries.includes(false)) return undefined
  const parts = entries.filter((one) => typeof one === 'object')
  const waits = parts.flatMap(({ waitSeconds }) => waitSeconds ?? [])
  return {
    waitMs: waits.length === 0 ? undefined : Math.min(...waits) * 1000,
    insteadOf: unique(parts.flatMap(({ insteadOf = [] }) => insteadOf)),
    terminalOnly: unique(parts.flatMap(({ terminalOnly = [] }) => terminalOnly)),
  }
}

const unique = (list: readonly string[]) => [...new Set(list)]
