import {
  type AnswerResult,
  type Approval,
  type ApprovalOutcome,
  isLocal,
  type OpenRequest,
  type RequestAnswer,
} from '../../model/approval.ts'
import { printable } from '../../model/text.ts'

/** Ended requests that are remembered, so that a second answer is told who gave the first. */
const approvalsEndedMax = 100

/** A call about which a person is to be asked. */
export type RequestedCall = Omit<OpenRequest, 'openedAtMs' | 'endsAtMs' | 'waiting'> & {
  /** The agent's own id of the call; absent if it gives none. */
  readonly toolId?: string | undefined
}

interface WaitOptions {
  /** The time that the caller waits, ms. */
  readonly waitMs: number
  /** Aborts once the caller has gone. */
  readonly signal?: AbortSignal | undefined
}

/** Called when a request was opened, and when one has ended. */
type ApprovalListener = (
  change: { readonly kind: 'opened' | 'ended'; readonly request: OpenRequest } & { readonly ended?: Approval },
) => void

/** The calls that wait for a person, in one process. */
export interface Approvals {
  /** Asks about a call, and resolves with what became of it. The same call joins the request that is open for it. */
  ask(question: RequestedCall, waiting: WaitOptions): Promise<Approval>
  /** Returns the open requests, the oldest first. */
  open(): readonly OpenRequest[]
  /** Takes a person's answer. */
  answer(given: RequestAnswer): AnswerResult
  /** @returns a function that ends it */
  listen(listener: ApprovalListener): () => void
  /** Ends all requests, and every later one at once. */
  close(): void
}

/** A caller that waits for a request. */
interface WaitingCaller {
  readonly sinceMs: number
  /** When it stops waiting, ms since the epoch. */
  readonly endsAtMs: number
  settle(ended: Approval): void
}

interface KeptRequest {
  readonly question: Omit<RequestedCall, 'toolId'>
  readonly toolId: string | undefined
  readonly openedAtMs: number
  readonly callers: Set<WaitingCaller>
}

/**
 * Opens a queue of requests, which lives in this process's memory: a request ends with the process that its caller waits
 * for.
 *
 * INVARIANT: a request ends once, and `approved` only by `answer`, which names the call that it is for.
 */
export function openApprovals(openMax: number = approvalsOpenMax): Approvals {
  const requests = new Map<string, KeptRequest>()
  const ended = new Map<string, { readonly call: string; readonly how: Approval }>()
  const listeners = new Set<ApprovalListener>()
  let closed = false

  const shown = ({ question, openedAtMs, callers }: KeptRequest): OpenRequest => ({
    ...question,
    openedAtMs,
    endsAtMs: Math.max(...[...callers].map((one) => one.endsAtMs), openedAtMs),
    waiting: callers.size,
  })

  function tell(kind: 'opened' | 'ended', request: KeptRequest, how?: Approval): void {
    const change = { kind, request: shown(request), ...(how !== undefined && { ended: how }) }
    for (const listener of listeners) listener(change)
  }

  /** Ends a request for all of its callers. One whose time was over already, as after a sleep, has had no answer. */
  function end(request: KeptRequest, how: Omit<Approval, 'waitedMs'>): Approval {
    const nowMs = Date.now()
    const whole = { ...how, waitedMs: nowMs - request.openedAtMs }
    remove(request, whole)
    for (const caller of request.callers) {
      const own: Omit<Approval, 'waitedMs'> = nowMs < caller.endsAtMs ? how : { outcome: 'timedOut' }
      caller.settle({ ...own, waitedMs: nowMs - caller.sinceMs })
    }
    return whole
  }

  function remove(request: KeptRequest, how: Approval): void {
    requests.delete(request.question.id)
    ended.set(request.question.id, { call: request.question.call, how })
    for (const old of [...ended.keys()].slice(0, -approvalsEndedMax)) ended.delete(old)
    tell('ended', request, how)
  }

  /**
   * Two calls with ids of their own are two, however alike: one approval must not run both. Nor does a call join a
   * request that names other rules: they may have changed since, and nobody was asked about those.
   */
  const openFor = (asked: RequestedCall): KeptRequest | undefined =>
    [...requests.values()].find(
      ({ question, toolId }) =>
        question.call === asked.call &&
        (toolId === undefined || asked.toolId === undefined || toolId === asked.toolId) &&
        askedAbout(question) === askedAbout(asked),
    )

  function opened({ toolId, ...question }: RequestedCall): KeptRequest | undefined {
    if (requests.size >= openMax) return undefined
    const request: KeptRequest = { question, toolId, openedAtMs: Date.now(), callers: new Set() }
    requests.set(question.id, request)
    return request
  }

  return {
    ask(question, { waitMs, signal }) {
      if (closed) return unasked('closed')
      if (signal?.aborted === true) return unasked('gone')
      const joined = openFor(question)
      const request = joined ?? opened(question)
      if (request === undefined) return unasked('full')
      return new Promise((resolve) => {
        const leave = (outcome: 'timedOut' | 'gone') => {
          const how = { outcome, waitedMs: Date.now() - caller.sinceMs }
          // The request stays as long as another caller waits for it.
          if (request.callers.size === 1) remove(request, how)
          caller.settle(how)
        }
        const timer = setTimeout(() => leave('timedOut'), waitMs)
        const onGone = () => leave('gone')
        const sinceMs = Date.now()
        const caller: WaitingCaller = {
          sinceMs,
          endsAtMs: sinceMs + waitMs,
          settle(how) {
            clearTimeout(timer)
            signal?.removeEventListener('abort', onGone)
            request.callers.delete(caller)
            resolve(how)
          },
        }
        request.callers.add(caller)
        signal?.addEventListener('abort', onGone)
        if (joined === undefined) tell('opened', request)
      })
    },
    open: () => [...requests.values()].map(shown),
    answer({ id, call, answer, channel, by, reason }) {
      const request = requests.get(id)
      if (request === undefined) {
        const past = ended.get(id)
        // Whoever knows no call, since it is not listed any more, is told what became of it.
        return past?.call === call || call === '' ? overOf(past?.how) : { kind: 'unknown' }
      }
      if (request.question.call !== call) return { kind: 'unknown' }
      // A machine that slept has timers that are late: the agent has stopped waiting by the clock on the wall.
      if (shown(request).endsAtMs <= Date.now()) return { kind: 'over', ended: end(request, { outcome: 'timedOut' }) }
      if (answer === 'approve' && request.question.terminalOnly === true && !isLocal(channel)) {
        return { kind: 'terminalOnly' }
      }
      const outcome = answer === 'approve' ? 'approved' : 'denied'
      const { waitedMs } = end(request, {
        outcome,
        channel,
        ...(by !== undefined && { by: printable(by) }),
        ...(reason !== undefined && reason.trim() !== '' && { reason: printable(reason.trim()) }),
      })
      return { kind: 'taken', outcome, waitedMs }
    },
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close() {
      closed = true
      for (const request of requests.values()) end(request, { outcome: 'closed' })
    },
  }
}
/** Calls that wait for a person at once. Nobody reads more; the oldest keep their place. */
export const approvalsOpenMax = 100

const overOf = (how: Approval | undefined): AnswerResult =>
  how === undefined ? { kind: 'unknown' } : { kind: 'over', ended: how }

/** Tells apart what a person is asked about one call: by which rules, and where it may be approved. */
const askedAbout = ({ rules, terminalOnly }: Pick<RequestedCall, 'rules' | 'terminalOnly'>) =>
  JSON.stringify([rules.map(({ id, effect }) => [id, effect]), terminalOnly === true])

const unasked = (outcome: ApprovalOutcome): Promise<Approval> => Promise.resolve({ outcome, waitedMs: 0 })
