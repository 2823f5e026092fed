import { z } from 'zod'
import { agentNames } from '../agents/registry.ts'
import type { ApprovalSettings } from '../model/approval.ts'
import { SecretPlace, wrongUrl } from '../model/export-settings.ts'
import { limits } from '../model/limits.ts'

const text = z.string().min(1).max(limits.exceptionCharactersMax)

/** `approvals` in a rules file. */
export const ApprovalsEntry = z.union([
  z.boolean(),
  z
    .strictObject({
      waitSeconds: z
        .number()
        .min(limits.approvalWaitMsMin / 1000)
        .max(limits.hookTimeoutMsMax / 1000)
        .optional()
        .describe(
          'How long a call waits for a person at most. Default: until a little before its agent stops waiting.',
        ),
      insteadOf: z
        .array(z.enum(agentNames))
        .optional()
        .describe('Agents whose own question is replaced. Default: where an agent can ask by itself, it does.'),
      terminalOnly: z
        .array(text)
        .optional()
        .describe('Rules, such as `secrets/*`, whose questions only a person at this machine may approve.'),
      desktop: z.boolean().optional().describe('true: a notification of the desktop says that a call waits.'),
      via: z.literal('ntfy').optional().describe('A push to a phone, by which a call can be approved and denied too.'),
      url: text.optional().describe('The ntfy server, such as `https://ntfy.sh`. The topic is hookgate’s own.'),
      token: SecretPlace.optional().describe('Where the server’s access token is, if it asks for one.'),
      insecure: z.boolean().optional().describe('Allow `http:` to another machine: everybody on the way can answer.'),
    })
    .superRefine(({ via, url, token, insecure = false }, context) => {
      const issue = (path: string, message: string, remedy: string) =>
        context.addIssue({ code: 'custom', path: [path], message, params: { remedy } })
      if (via === undefined) {
        if (url ?? token) issue('url', '`url` and `token` are those of a channel', 'add `"via": "ntfy"`')
      } else if (url === undefined) issue('via', 'the channel has no `url`', 'add one such as "https://ntfy.sh"')
      else {
        const wrong = wrongUrl(url, insecure, 'https://ntfy.sh')
        if (wrong !== undefined) issue('url', wrong.message, wrong.params.remedy)
      }
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
    desktop: parts.some(({ desktop }) => desktop === true),
    // One file decides it as a whole.
    ntfy: parts.flatMap(({ url, token }) => (url === undefined ? [] : { url, token }))[0],
  }
}

const unique = (list: readonly string[]) => [...new Set(list)]
