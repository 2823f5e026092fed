import { styleText } from 'node:util'
import type { OpenRequest, RequestAnswer } from '../../../model/approval.ts'
import { printable } from '../../../model/text.ts'
import { requestLine, requestText } from '../../text/request-text.ts'

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
  return [requests.length === 1 ? '1 call waits for a person' : `${requests.length} calls wait for a person`]
}
