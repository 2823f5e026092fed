import { z } from 'zod'
import { userName } from '../../files/user-name.ts'
import { RequestAnswer, type AnswerResult } from '../../model/approval.ts'
import { answerRequest, openRequests } from '../../service/server/ask-approvals.ts'
import type { PageContext } from '../page-context.ts'
import { answering } from '../route.ts'

/** The calls that wait for a person, and a person's answer to one of them. */
export const approvalRoutes = ({ places, run, cwd }: PageContext) => ({
  /** `requests` is null if no gate runs, so that no call can wait. */
  approvals: answering(z.strictObject({}), async () => ({
    requests: (await openRequests(places)) ?? null,
    nowMs: Date.now(),
  })),

  /** Starts the gate, in which calls wait. */
  startGate: answering(z.strictObject({}), async () => {
    const { error } = await run(['up', '--quiet'], { cwd })
    if (error !== undefined) throw error
    return {}
  }),

  answerApproval: answering(RequestAnswer.omit({ channel: true, by: true }), async (given): Promise<AnswerResult> => {
    const by = userName()
    const answer = { ...given, channel: 'page' as const, ...(by !== undefined && { by }) }
    return (await answerRequest(places, answer)) ?? { kind: 'unknown' }
  }),
})
