import { z } from 'zod'
import { userName } from '../../files/user-name.ts'
import { RequestAnswer, type AnswerResult } from '../../model/approval.ts'
import { answerRequest, openRequests } from '../../service/server/ask-approvals.ts'
import type { PageContext } from '../page-context.ts'
import { errorText } from '../../model/errors.ts'
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

  answerApproval: answering(PageAnswer, async ({ again, ...given }) => {
    const by = userName()
    const answer = { ...given, channel: 'page' as const, ...(by !== undefined && { by }) }
    const result: AnswerResult = (await answerRequest(places, answer)) ?? { kind: 'unknown' }
    if (again === undefined || result.kind !== 'taken' || result.outcome === 'denied') return { result }
    // The person who approved it is the one who is asked.
    const { error } = await run(['allow', given.id, repeats[again]], { cwd, ask: () => Promise.resolve('') })
    return error === undefined ? { result, again } : { result, onlyThis: errorText(error) }
  }),
})

/** A person's answer on the page, and for how long the same call of the same session is let through with it. */
const PageAnswer = RequestAnswer.omit({ channel: true, by: true }).extend({
  again: z.enum(['thrice', 'halfHour']).optional(),
})
/** What follows the approved call itself. */
const repeats = { thrice: '--times=2', halfHour: '--for=30m' } as const
