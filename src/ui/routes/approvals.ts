import { z } from 'zod'
import { makeChange } from '../../changes/change.ts'
import { userName } from '../../files/home-folder.ts'
import { version } from '../../files/program-files.ts'
import { RequestAnswer, type AnswerResult } from '../../model/approval.ts'
import { answerRequest, openRequests } from '../../service/server/ask-approvals.ts'
import { ensureGateRunning } from '../../service/server/ensure-gate.ts'
import { errorText } from '../../model/errors.ts'
import { answering, type PageContext } from '../route.ts'

/** The calls that wait for a person, and a person's answer to one of them. */
export const approvalRoutes = ({ places, env, cwd, installingIn }: PageContext) => ({
  /** `requests` is null if no gate runs, so that no call can wait. */
  approvals: answering(z.strictObject({}), async () => ({
    requests: (await openRequests(places)) ?? null,
    nowMs: Date.now(),
  })),

  /** Starts the gate, in which calls wait. */
  startGate: answering(z.strictObject({}), async () => {
    await ensureGateRunning({ places, version: version(), httpPort: undefined, env })
    return {}
  }),

  answerApproval: answering(PageAnswer, async ({ again, ...given }) => {
    const by = userName()
    const answer = { ...given, channel: 'page' as const, ...(by !== undefined && { by }) }
    const result: AnswerResult = (await answerRequest(places, answer)) ?? { kind: 'unknown' }
    if (again === undefined || result.kind !== 'taken' || result.outcome === 'denied') return { result }
    try {
      await makeChange(
        { kind: 'allow', id: given.id, extent: repeats[again], reason: undefined },
        installingIn(cwd),
        false,
      )
      return { result, again }
    } catch (error) {
      return { result, onlyThis: errorText(error) }
    }
  }),
})

/** A person's answer on the page, and for how long the same call of the same session is let through with it. */
const PageAnswer = RequestAnswer.omit({ channel: true, by: true }).extend({
  again: z.enum(['thrice', 'halfHour']).optional(),
})
/** What follows the approved call itself. */
const repeats = { thrice: { kind: 'times', times: 2 }, halfHour: { kind: 'for', ms: 30 * 60_000 } } as const
