import { counted } from '../../../words/counted.ts'
import { styleText } from 'node:util'
import type { GatePaths } from '../../../files/state/places.ts'
import type { AnswerResult, OpenRequest, RequestAnswer } from '../../../model/approval.ts'
import { errorText, HookgateError } from '../../../model/errors.ts'
import { limits } from '../../../model/limits.ts'
import { printable } from '../../../model/text.ts'
import { answerRequest, openRequests } from '../../../service/server/ask-approvals.ts'
import { type CommandOutput, type Invocation, printed } from '../../command.ts'
import { isShownByLine, refusalText, requestLine, requestText, resultText } from '../../text/refusal-text.ts'
import { type Extent, extentText, grantsFor, planAllowance, whyNotLiftable } from '../../../changes/allow.ts'
import { openRefusals } from '../../../files/state/refusals.ts'
import { userName } from '../../../files/home-folder.ts'
import { installContextFor } from '../../args/flags.ts'
import { refusalOf, writeIfAgreed } from '../allow.ts'

/** Time between two looks: a person does not notice it, and a look takes a millisecond. */
const pollMs = 500

/** Shows the calls that wait on one screen, and takes a person's answers by keys, until `q`. */
export async function watchRequests(
  { ask, openKeys, writeOut }: Pick<Invocation, 'ask' | 'openKeys' | 'writeOut'>,
  places: GatePaths,
): Promise<CommandOutput> {
  if (ask === undefined || openKeys === undefined) return printed('')
  let keys = openKeys()
  let screen = emptyScreen
  try {
    while (true) {
      // oxlint-disable-next-line no-await-in-loop -- one look after the other
      screen = await lookAgain(screen, places)
      if (!writeOut(screenText(screen, Date.now()))) return printed('')
      // oxlint-disable-next-line no-await-in-loop -- waiting is the point
      const step = pressKey(screen, await keys.next(pollMs))
      if (step.kind === 'end') return printed('\n')
      if (step.kind === 'show') {
        ;({ screen } = step)
        continue
      }
      if (step.answer === 'approve' && !fitsScreen(screenText(screen, Date.now()))) {
        const { id } = step.request
        screen = {
          ...screen,
          last: `${id} is longer than this screen: \`hookgate approvals approve ${id}\` shows it whole`,
        }
        continue
      }
      let given: Pick<RequestAnswer, 'answer' | 'reason'> = { answer: step.answer }
      if (step.answer === 'deny') {
        keys.close()
        // oxlint-disable-next-line no-await-in-loop -- one answer after the other
        const reason = (await ask('reason (the model reads it; empty for none)? ')).slice(0, reasonMax)
        keys = openKeys()
        given = { answer: 'deny', reason }
      }
      // oxlint-disable-next-line no-await-in-loop -- one answer after the other
      screen = { ...screen, last: await sendAnswer(places, step.request, given) }
    }
  } finally {
    keys.close()
  }
}

/** Returns whether all of a text is seen at once: what has left the screen at its top may be what is asked about. */
function fitsScreen(text: string): boolean {
  // A terminal of unknown size says 0; a file says nothing.
  const [rows, columns] = [process.stdout.rows || Infinity, process.stdout.columns || Infinity]
  const used = text.split('\n').map((line) => Math.max(1, Math.ceil(widthOf(line) / columns)))
  return used.reduce((sum, one) => sum + one, 0) <= rows
}

/** Counts the columns of a line, and those of a letter that is none of ASCII twice: many of them are wide. */
const widthOf = (line: string) => Array.from(line, (one) => (one > '~' ? 2 : 1)).reduce<number>((a, b) => a + b, 0)

const reasonMax = limits.approvalReasonCharactersMax

async function lookAgain(screen: Screen, places: GatePaths): Promise<Screen> {
  try {
    const requests = await openRequests(places)
    const gone = screen.requests?.find(({ id }) => requests?.every((one) => one.id !== id) === true)
    const next = withRequests(screen, requests)
    // One that vanishes before a person's eyes leaves them wondering; of one that was answered here it is said already.
    if (gone === undefined || screen.last.startsWith(gone.id)) return next
    const ended = await endOf(places, gone.id)
    if (ended?.kind !== 'over') return next
    const step = ended.ended.outcome === 'approved' ? '' : `; ${nextStep(gone.id, ended)}`
    return { ...next, last: `${resultText(gone.id, ended)}${step}` }
  } catch (error) {
    return { ...screen, requests: undefined, last: errorText(error) }
  }
}

async function sendAnswer(
  places: GatePaths,
  request: OpenRequest,
  given: Pick<RequestAnswer, 'answer' | 'reason'>,
): Promise<string> {
  try {
    return resultText(request.id, await answerRequest(places, answerFor(request, given)))
  } catch (error) {
    return errorText(error)
  }
}

/** The state that `hookgate approvals watch` shows. */
export interface Screen {
  /** `undefined`: no gate runs. */
  readonly requests: readonly OpenRequest[] | undefined
  /** The id of the chosen request. */
  readonly chosen: string | undefined
  /** The outcome of the last answer. */
  readonly last: string
}

export const emptyScreen: Screen = { requests: undefined, chosen: undefined, last: '' }

/** The effect of a key. */
type KeyEffect =
  | { readonly kind: 'show'; readonly screen: Screen }
  | { readonly kind: 'answer'; readonly request: OpenRequest; readonly answer: RequestAnswer['answer'] }
  | { readonly kind: 'end' }

/** Returns the effect of a key that a person pressed before a screen; without a key, the screen stays. */
export function pressKey(screen: Screen, key: string | undefined): KeyEffect {
  const request = screen.requests?.find(({ id }) => id === screen.chosen)
  if (key === 'q' || key === 'ctrl-c' || key === 'ctrl-d') return { kind: 'end' }
  if (key === 'up' || key === 'k') return { kind: 'show', screen: moveChosen(screen, -1) }
  if (key === 'down' || key === 'j') return { kind: 'show', screen: moveChosen(screen, 1) }
  if (request !== undefined && key === 'a') return { kind: 'answer', request, answer: 'approve' }
  if (request !== undefined && key === 'd') return { kind: 'answer', request, answer: 'deny' }
  return { kind: 'show', screen }
}

function moveChosen(screen: Screen, by: 1 | -1): Screen {
  const ids = (screen.requests ?? []).map(({ id }) => id)
  const at = screen.chosen === undefined ? -1 : ids.indexOf(screen.chosen)
  const next = at === -1 ? (by === 1 ? 0 : ids.length - 1) : Math.min(Math.max(at + by, 0), ids.length - 1)
  return { ...screen, chosen: ids[next] }
}

/** Puts the requests that are open now on the screen. */
export function withRequests(screen: Screen, requests: readonly OpenRequest[] | undefined): Screen {
  // The choice stays with its request: one that ends must not put another under the person's finger.
  const isThere = requests?.some(({ id }) => id === screen.chosen) === true
  const isFirst = (screen.requests ?? []).length === 0
  return { ...screen, requests, chosen: isThere ? screen.chosen : isFirst ? requests?.[0]?.id : undefined }
}

/** Clears the screen, and puts the cursor at its top. */
const clear = '\u001b[H\u001b[2J'

/** Returns the screen as it is written to the terminal. */
export function screenText({ requests, chosen, last }: Screen, nowMs: number): string {
  const request = requests?.find(({ id }) => id === chosen)
  const lines = [
    ...titleLines(requests),
    '',
    ...(requests ?? []).map((one) => {
      const line = printable(requestLine(one, nowMs)).slice(0, process.stdout.columns || 120)
      return one.id === chosen ? styleText('inverse', line, { stream: process.stdout }) : line
    }),
    ...(request === undefined ? [] : ['', ...requestText(request, nowMs).trimEnd().split('\n')]),
    '',
    ...(last === '' ? [] : [printable(last), '']),
    'up/down choose   a approve   d deny   q end',
  ]
  return `${clear}${lines.join('\n')}\n`
}

function titleLines(requests: readonly OpenRequest[] | undefined): readonly string[] {
  if (requests === undefined) return ['no gate runs, so no call can wait for a person']
  if (requests.length === 0) return ['no call waits for a person']
  return [`${counted(requests.length, 'call waits', 'calls wait')} for a person`]
}

/** Answers the request with an id, and allows what else the person wants to allow. @throws HookgateError `usage` */
export async function answerOne(
  invocation: Invocation,
  places: GatePaths,
  id: string,
  given: Pick<RequestAnswer, 'answer' | 'reason'>,
  extent: Extent | undefined,
): Promise<CommandOutput> {
  const request = (await openRequests(places))?.find((one) => one.id === id)
  if (request === undefined) throw notWaiting(id, await endOf(places, id))
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
  new HookgateError('usage', resultText(id, result), { remedy: nextStep(id, result) })

const nextStep = (id: string, result: AnswerResult | undefined): string =>
  result?.kind === 'over' && result.ended.outcome !== 'approved'
    ? `\`hookgate allow ${id}\` lets the call through when the agent tries again`
    : '`hookgate approvals` lists the calls that wait'

/** Asks how a call ended that waits no more: an answer to it is none. */
const endOf = (places: GatePaths, id: string): Promise<AnswerResult | undefined> =>
  answerRequest(places, answerFor({ id, call: '' }, { answer: 'deny' }))

/** Makes the answer of the person at this terminal to a request that they were shown. */
function answerFor(
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
