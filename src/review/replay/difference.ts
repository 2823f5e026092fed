import type { DecidingRule, ReplayOutcome } from './outcome.ts'

/** Differences between two sets of rules on a call, the gravest first. `deny` that became `ask` is no longer refused. */
export const changeKinds = [
  'newlyRefused',
  'newlyAsked',
  'noLongerRefused',
  'noLongerAsked',
  'newlyAllowed',
  'noLongerAllowed',
  'changedReason',
] as const
export type Change = (typeof changeKinds)[number]

/** Returns how the answer has changed; `undefined` if it has not, or is not known on both sides. */
export function changeBetween(before: ReplayOutcome, now: ReplayOutcome): Change | undefined {
  if (before.answer === 'undecided' || now.answer === 'undecided') return undefined
  if (before.answer === now.answer) {
    const isObjection = now.answer === 'refused' || now.answer === 'asked'
    return isObjection && reasonsOf(before.rules) !== reasonsOf(now.rules) ? 'changedReason' : undefined
  }
  if (now.answer === 'refused') return 'newlyRefused'
  if (before.answer === 'refused') return 'noLongerRefused'
  if (now.answer === 'asked') return 'newlyAsked'
  if (before.answer === 'asked') return 'noLongerAsked'
  return now.answer === 'allowed' ? 'newlyAllowed' : 'noLongerAllowed'
}

/** Names the deciding rules without their sources, so that two copies of the same rules do not differ. */
const reasonsOf = (rules: readonly DecidingRule[]): string =>
  JSON.stringify(rules.map(({ name, reason }) => [name, reason]))
