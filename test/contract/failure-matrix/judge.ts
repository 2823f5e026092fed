import { quoted } from '../../../src/model/text.ts'
import type { Expected } from './row.ts'
import type { Seen } from './seen.ts'

/**
 * `ok`: as it should be. `notSafe`: the agent may go ahead, or a person is told nothing. `wrong`: the agent is stopped, but
 * not by what should stop it, or not where it should go on.
 */
export type Judgement = { readonly kind: 'ok' } | { readonly kind: 'notSafe' | 'wrong'; readonly why: string }

/** No answer at all is only right where it is registered so that it stops the agent: `hookgate status` looks after that. */
export function judge(expected: Expected, seen: Seen): Judgement {
  switch (seen.kind) {
    case 'unheeded':
      return { kind: 'notSafe', why: `it sees ${seen.what}, which it ignores` }
    case 'noAnswer':
      return expected.kind === 'noAnswer' ? ok : { kind: 'notSafe', why: `it gets no answer: ${seen.why}` }
    case 'pass': {
      if (expected.kind !== 'pass') return { kind: 'notSafe', why: 'it goes ahead' }
      if (expected.told === undefined) return seen.told === undefined ? ok : wrong(`it is told ${quoted(seen.told)}`)
      if (seen.told?.includes(expected.told) === true) return ok
      return { kind: 'notSafe', why: 'it goes ahead, and nobody is told why' }
    }
    case 'refusal':
      if (expected.kind === 'refusal' && expected.because.every((part) => seen.because.includes(part))) return ok
      return wrong(`it is refused for the wrong reason: ${quoted(seen.because)}`)
  }
}

const ok: Judgement = { kind: 'ok' }
const wrong = (why: string): Judgement => ({ kind: 'wrong', why })
