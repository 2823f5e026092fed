import { styleText } from 'node:util'
import { answerRequest, openRequests } from '../../../service/server/ask-approvals.ts'
import type { GatePaths } from '../../../files/state/places.ts'
import type { OpenRequest, RequestAnswer } from '../../../model/approval.ts'
import { errorText } from '../../../model/errors.ts'
import { limits } from '../../../model/limits.ts'
import { printable } from '../../../model/text.ts'
import { type CommandOutput, type Invocation, printed } from '../../command.ts'
import { requestLine, requestText, resultText } from '../../text/request-text.ts'
import { answerFor } from './answer-for.ts'

/** Time between two looks: a person does not notice it, and a look takes a millisecond. */
const pollMs = 500

/** The state that the screen shows. */
interface Screen {
  /** `undefined`: no gate runs. */
  readonly requests: readonly OpenRequest[] | undefined
  /** The id of the chosen request. */
  readonly chosen: string | undefined
  /** The outcome of the last answer. */
  readonly last: string
}

/** Shows the calls that wait on one screen, and takes a person's answers by keys, until `q`. */
export async function watchRequests(
  { ask, openKeys, writeOut }: Pick<Invocation, 'ask' | 'openKeys' | 'writeOut'>,
  places: GatePaths,
): Promise<CommandOutput> {
  if (ask === undefined || openKeys === undefined) return printed('')
  let keys = openKeys()
  let screen: Screen = { requests: undefined, chosen: undefined, last: '' }
  try {
    while (true) {
      // oxlint-disable-next-line no-await-in-loop -- one look after the other
      screen = await looked(screen, places)
      if (!writeOut(screenText(screen, Date.now()))) return printed('')
      // oxlint-disable-next-line no-await-in-loop -- waiting is the point
      const key = await keys.next(pollMs)
      const request = screen.requests?.find(({ id }) => id === screen.chosen)
      if (key === 'q' || key === 'ctrl-c' || key === 'ctrl-d') return printed('\n')
      if (key === 'up' || key === 'k') screen = moved(screen, -1)
      else if (key === 'down' || key === 'j') screen = moved(screen, 1)
      else if (request !== undefined && key === 'a') {
        // oxlint-disable-next-line no-await-in-loop -- one answer after the other
        screen = { ...screen, last: await sent(places, request, { answer: 'approve' }) }
      } else if (request !== undefined && key === 'd') {
        keys.close()
        // oxlint-disable-next-line no-await-in-loop -- one answer after the other
        const reason = (await ask('why (the model is told it; empty for no reason)? ')).slice(0, reasonMax)
        keys = openKeys()
        // oxlint-disable-next-line no-await-in-loop -- one answer after the other
        screen = { ...screen, last: await sent(places, request, { answer: 'deny', reason }) }
      }
    }
  } finally {
    keys.close()
  }
}

const reasonMax = limits.approvalReasonCharactersMax

async function looked(screen: Screen, places: GatePaths): Promise<Screen> {
  try {
    const requests = await openRequests(places)
    // The choice stays with its request: one that ends must not put another under the person's finger.
    const isThere = requests?.some(({ id }) => id === screen.chosen) === true
    const isFirst = (screen.requests ?? []).length === 0
    return { ...screen, requests, chosen: isThere ? screen.chosen : isFirst ? requests?.[0]?.id : undefined }
  } catch (error) {
    return { ...screen, requests: undefined, last: errorText(error) }
  }
}

function moved(screen: Screen, by: 1 | -1): Screen {
  const ids = (screen.requests ?? []).map(({ id }) => id)
  const at = screen.chosen === undefined ? -1 : ids.indexOf(screen.chosen)
  const next = at === -1 ? (by === 1 ? 0 : ids.length - 1) : Math.min(Math.max(at + by, 0), ids.length - 1)
  return { ...screen, chosen: ids[next] }
}

async function sent(
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

/** Clears the screen, and puts the cursor at its top. */
const clear = '\u001b[H\u001b[2J'

function screenText({ requests, chosen, last }: Screen, nowMs: number): string {
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
  return [requests.length === 1 ? '1 call waits for a person' : `${requests.length} calls wait for a person`]
}
