import { indeterminate, notApplicable, type Outcome } from '../../model/evaluation.ts'
import type { StepCondition } from '../../model/past.ts'
import type { SessionLimit, TokenLimit } from '../../model/rule.ts'
import type { LimitThen } from '../../model/session-limits.ts'
import { listOf, quoted, quotedSome } from '../../model/text.ts'
import { fits } from '../../past/condition.ts'
import { type PastView, uncounted } from '../../past/past.ts'

/** Judges a call by how often what it is about has happened before. */
export function limitOutcome(rule: string, limit: SessionLimit, view: PastView | string | undefined): Outcome {
  // INVARIANT: what cannot be read is a failure, never a past in which nothing happened.
  if (view === undefined || typeof view === 'string') return unreadable(uncounted('this limit', view))
  const isOnCalls = limit.what === 'calls' || limit.what === 'atOnce'
  if (isOnCalls && !fits(view.about, limit.of)) return notApplicable
  const number = usedOf(rule, limit, view)
  if (number < limit.most) return notApplicable
  return reached(limit.then, reasonOf(limit, number, view.about.text))
}

/** Returns how much of a limit is used. @param rule its id */
export function usedOf(rule: string, { states: { used, ended } }: SessionLimit, view: PastView): number {
  const countOf = (name: string, declaration: SessionLimit['states']['used']) => {
    const reading = view.read({ rule, name, declaration, code: '' })
    return reading.kind === 'value' ? Number(reading.value ?? 0) : 0
  }
  return countOf('used', used) - (ended === undefined ? 0 : countOf('ended', ended))
}

/** Judges a call by what was spent before it. */
export function tokenOutcome({ per, most, then }: TokenLimit, view: PastView | string | undefined): Outcome {
  const tokens = typeof view === 'object' ? view.tokens : undefined
  if (tokens === undefined) return unreadable(uncounted('this limit', view))
  // An agent that never says what it spends would be of no use with a limit for another one; `check` names it.
  if ('why' in tokens)
    return tokens.isNeverSaid
      ? notApplicable
      : unreadable(`the tokens that were spent before are not known: ${tokens.why}`)
  const spent = tokens[per]
  if (spent < most) return notApplicable
  const where = per === 'session' ? 'this session has' : 'in the last 24 hours, all sessions together have'
  return reached(then, `${where} spent ${grouped(spent)} tokens, of ${grouped(most)}: ask the person to go on`)
}
const grouped = (number: number) => number.toLocaleString('en-US')

const unreadable = (message: string): Outcome => indeterminate({ code: 'pastUnreadable', message })

const reached = (then: LimitThen, reason: string): Outcome => ({
  kind: 'applicable',
  effect: then === 'ask' ? 'ask' : 'deny',
  reason,
  obligations: then === 'stop' ? [{ kind: 'stop', reason }] : [],
  advice: [],
})

function reasonOf({ what, of, within }: SessionLimit, number: number, text: string): string {
  switch (what) {
    case 'refused':
      return `${quoted(text)} was refused ${number} times in a row: change your approach, or ask the person`
    case 'failed':
      return `${quoted(text)} failed ${number} times in a row, and no file was edited between: change something first`
    case 'repeated':
      return `${quoted(text)} ran ${number} times, and no file was edited between: change your approach, or ask the person`
    case 'calls': {
      const time = within === undefined ? '' : ` within ${within}`
      return `${nameOf(of)} was called ${counted(number)}${time}, which is its limit: ask the person`
    }
    case 'atOnce':
      return `${nameOf(of)} runs ${counted(number)} already, which is its limit: wait until one has ended`
  }
}

/** Says what a limit counts: `the same call, refused in a row`, `calls of `curl` within 1h`. */
export function aboutLimit(limit: SessionLimit | TokenLimit): string {
  if (limit.kind === 'tokens')
    return limit.per === 'session' ? 'tokens of a session' : 'tokens of all sessions in 24 hours'
  const { what, of, within } = limit
  switch (what) {
    case 'refused':
      return 'the same call, refused in a row'
    case 'failed':
      return 'the same call, failed in a row'
    case 'repeated':
      return 'the same call, repeated without an edit between'
    case 'calls':
      return `calls ${of.host === undefined ? 'of' : 'to'} ${nameOf(of)}${within === undefined ? '' : ` within ${within}`}`
    case 'atOnce':
      return `${nameOf(of)} at once`
  }
}

const counted = (number: number): string => (number === 1 ? '1 time' : `${number} times`)

/** Names what a limit is about, by what its entry says: `any host` where it says `*`. */
function nameOf({ tool, command, host }: StepCondition): string {
  const names = [tool, command, host].flatMap((one) => (one === undefined ? [] : listOf(one)))
  const kind = host !== undefined ? 'host' : command !== undefined ? 'program' : 'tool'
  return names.every((name) => name === '*') ? `any ${kind}` : quotedSome(names)
}
