import type { Carries } from '../../model/dialect.ts'

/** An event that has happened, or that nobody can stop; the person can be told something. */
export const observed: Carries = {
  deny: 'unsayable',
  defer: 'unsayable',
  ask: 'unsayable',
  allow: 'silence',
  replaceInput: 'unsayable',
  replaceOutput: 'unsayable',
  stop: 'unsayable',
  context: 'dropped',
  notice: 'said',
}

/** An event that can be refused, so that whatever it has no form for becomes a refusal. */
export const refusable: Carries = {
  ...observed,
  deny: 'said',
  defer: 'asDeny',
  ask: 'asDeny',
  replaceInput: 'asDeny',
  replaceOutput: 'asDeny',
  stop: 'asDeny',
}

/** An event at which the agent reads nothing of what its hook says. */
export const unheard: Carries = { ...observed, notice: 'dropped' }
