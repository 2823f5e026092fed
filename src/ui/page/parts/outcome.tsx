import type { JSX } from 'preact'
import type { Decision } from '../../../model/effect.ts'

/** Each decision in one word: the words of `hookgate log` for the answer that an agent got. */
export const outcomeWords: Readonly<Record<Decision, string>> = {
  deny: 'refused',
  defer: 'asked',
  ask: 'asked',
  allow: 'allowed',
  abstain: 'passed',
}

/** Shows a decision as a word in its color. `isEnded`: a rule ended the turn, which is no refusal. */
export function OutcomeBadge({
  decision,
  isEnded = false,
}: {
  readonly decision: Decision
  readonly isEnded?: boolean
}): JSX.Element {
  const word = isEnded ? 'ended' : outcomeWords[decision]
  return <span class={`badge ${word}`}>{word}</span>
}

/** Marks a call that a rule in observe mode would have refused, or asked about. */
export const ObservedBadge = (): JSX.Element => <span class="badge observed">observed</span>

/** Marks a call that a person approved. */
export const ApprovedBadge = (): JSX.Element => <span class="badge allowed">approved</span>

/** Marks a decision at which a rule, or hookgate itself, failed. */
export const FailedBadge = (): JSX.Element => <span class="badge refused">failed</span>
