import { z } from 'zod'
import { OnFailure, RuleMode } from '../../model/effect.ts'
import { PolicyId } from '../../model/policy.ts'
import { checkServer, PdpSubject, serverKeys } from '../../model/remote.ts'
import { approving } from './approving.ts'

/** A decision point of the company, which is asked about calls. */
export const authzen = {
  type: z.literal('authzen').describe('A decision point that speaks AuthZEN: `false` refuses, `true` is no opinion.'),
  ...serverKeys,
  subject: PdpSubject.optional().describe('Whom it is asked about. Default: `user`, and the name of the account.'),
  timeout: z.number().positive().max(60).optional().describe('Seconds until it counts as failed. Default: 2.'),
  onFailure: OnFailure.optional().describe('What a failure counts as. Default: `block`.'),
  if: z.string().optional().describe('One permission rule, such as `Bash(git push *)`, that a call must also meet.'),
  mode: RuleMode.optional().describe(
    '`observe`: the answer is reported and does not count. Default: the mode of the file.',
  ),
  id: PolicyId.optional().describe('The name of the rule, unique in this file: it becomes `…hooks.json/ID`.'),
  ...approving,
}
export const Authzen = z.strictObject(authzen).superRefine(checkServer)
