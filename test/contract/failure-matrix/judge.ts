import { quoted } from '../../../src/model/text.ts'
import type { Expected } from './row.ts'
import type { Seen } from './seen.ts'

/**
 * `ok`: as expected. `notSafe`: the agent may go ahead, or the user is not notified. `wrong`: the agent is blocked for
 * another reason, or where it should go ahead.
 */
export type Judgement = { readonly kind: 'ok' } | { readonly kind: 'notSafe' | 'wrong'; readonly why: string }

/** A missing answer is ok only where the agent is registered to block on it, which `hookgate status` checks. */
export function judge(expected: Expected, seen: Seen): Judgement {
  switch (seen.kind) {
    case 'unheeded':
      return { kind: 'notSafe', why: `it sees ${seen.what}, which it ignores` }
    case 'noAnswer':
      return expected.kind === 'noAnswer' ? ok : { kind: 'notSafe', why: `it gets no answer: ${seen.why}` }
    case 'pass': {
      if (expected.kind !== 'pass') return { kind: 'notSafe', why: 'it goes ahead' }
      if (expected.notice === undefined)
        return seen.notice === undefined ? ok : wrong(`it shows ${quoted(seen.notice)}`)
      if (seen.notice?.includes(expected.notice) === true) return ok
      return { kind: 'notSafe', why: 'it goes ahead without a notice' }
    }
    case 'refusal':
      if (expected.kind === 'refusal' && expected.because.every((part) => seen.because.includes(part))) return ok
      return wrong(`it is refused for the wrong reason: ${quoted(seen.because)}`)
  }
}

const ok: Judgement = { kind: 'ok' }
const wrong = (why: string): Judgement => ({ kind: 'wrong', why })
