import { type Extent, extentText, grantsFor, planAllowance, whyNotLiftable } from '../../../changes/allow.ts'
import type { GatePaths } from '../../../files/state/places.ts'
import { openRefusals } from '../../../files/state/refusals.ts'
import { userName } from '../../../files/home-folder.ts'
import type { AnswerResult, OpenRequest, RequestAnswer } from '../../../model/approval.ts'
import { errorText, HookgateError } from '../../../model/errors.ts'
import { printable } from '../../../model/text.ts'
import { answerRequest, openRequests } from '../../../service/server/ask-approvals.ts'
import { installContextFor } from '../../args/install-context.ts'
import type { CommandOutput, Invocation } from '../../command.ts'
import { isShownByLine, refusalText, requestText, resultText } from '../../text/refusal-text.ts'
import { refusalOf, writeIfAgreed } from '../allow/allow.ts'

/** Answers the request with an id, and allows what else the person wants to allow. @throws HookgateError `usage` */
export async function answerOne(
  invocation: Invocation,
  places: GatePaths,
  id: string,
  given: Pick<RequestAnswer, 'answer' | 'reason'>,
  extent: Extent | undefined,
): Promise<CommandOutput> {
  const request = (await openRequests(places))?.find((one) => one.id === id)
  if (request === undefined)
    throw notWaiting(id, await answerRequest(places, answerFor({ id, call: '' }, { answer: 'deny' })))
  if (extent !== undefined) checkLiftable(request)
  if (given.answer === 'approve' && !isShownByLine(request) && !(await isConfirmed(invocation, request)))
    return { stdout: unchanged, stderr: '', exitCode: 1 }
  // The exception comes first: the person sees it and confirms it.
  if (extent?.kind === 'until' || extent?.kind === 'always') {
    const written = await withException(invocation, places, id, extent, given.reason)
    if (!written) return { stdout: unchanged, stderr: '', exitCode: 1 }
  }
  const result = await answerRequest(places, answerFor(request, given))
  const shown = requestText(request, Date.now())
  if (result?.kind !== 'taken') return { stdout: shown, stderr: `hookgate: ${resultText(id, result)}\n`, exitCode: 1 }
  const more = extent === undefined ? '' : grantedText(places, id, extent)
  return { stdout: `${shown}${resultText(id, result)}\n${more}`, stderr: '', exitCode: 0 }
}

const unchanged = 'nothing was changed, and the call still waits\n'

/** Shows a call of which the list has a part only, and asks whether it is to run. */
async function isConfirmed({ ask }: Invocation, request: OpenRequest): Promise<boolean> {
  const answer = await ask?.(`${requestText(request, Date.now())}let it run? [y/N] `)
  return /^y(?:es)?$/i.test(answer?.trim() ?? '')
}

/** @throws HookgateError `usage` if an approval of the request can only cover the call itself */
function checkLiftable({ rules }: OpenRequest): void {
  const first = rules.find(({ obstacle }) => obstacle !== undefined)
  if (first === undefined) return
  throw new HookgateError('usage', printable(`${first.name}: ${first.obstacle ?? ''}`), {
    remedy: 'approve this call alone',
  })
}

/** Writes the exception that `hookgate allow` proposes, if the person agrees to it. */
async function withException(
  invocation: Invocation,
  places: GatePaths,
  id: string,
  extent: Extent,
  reason: string | undefined,
): Promise<boolean> {
  const refusals = openRefusals(places.refusals)
  const refusal = refusalOf(refusals, id, invocation.cwd)
  const obstacle = whyNotLiftable(refusal)
  if (obstacle !== undefined) throw new HookgateError('usage', obstacle)
  const allowed = planAllowance({ refusal, extent, reason }, installContextFor(invocation))
  if (allowed.kind !== 'exception' || invocation.ask === undefined) return false
  return (await writeIfAgreed(allowed, refusals, refusalText(refusal), invocation.ask)).changed
}

/** Keeps the grants for later calls, of which this one was the first, and says so. */
function grantedText(places: GatePaths, id: string, extent: Extent): string {
  const refusals = openRefusals(places.refusals)
  const kept = refusals.find(id)
  if (kept === undefined) return 'only this call was approved: it is not kept any more\n'
  const grants = grantsFor(kept, extent)
  const later = extent.kind === 'times' ? grants.slice(1) : grants
  try {
    for (const grant of later) refusals.grant(grant)
  } catch (error) {
    return `only this call was approved: ${errorText(error)}\n`
  }
  return later.length === 0 ? '' : `${extentText(kept, extent)}\n`
}

const notWaiting = (id: string, result: AnswerResult | undefined) =>
  new HookgateError('usage', resultText(id, result), {
    remedy: '`hookgate approvals` lists those that do; `hookgate allow` lets a call through that was refused',
  })

/** Makes the answer of the person at this terminal to a request that they were shown. */
export function answerFor(
  { id, call }: Pick<OpenRequest, 'id' | 'call'>,
  { answer, reason }: Pick<RequestAnswer, 'answer' | 'reason'>,
): RequestAnswer {
  const by = userName()
  return {
    id,
    call,
    answer,
    channel: 'terminal',
    ...(by !== undefined && { by }),
    ...(reason !== undefined && { reason }),
  }
}
