import type { Decision } from '../model/effect.ts'
import type { DecisionRecord } from './record.ts'

/**
 * Returns whether a decision is listed and counted: a call that was decided, or another event at which a rule answered
 * or failed. An agent's report after a call belongs to the call's own row.
 */
export const isListed = ({ event, decision, told = decision, evaluations, error }: DecisionRecord): boolean =>
  event === undefined || event === 'PreToolUse' || !isSilent(told) || evaluations.length > 0 || error !== undefined

/** Returns whether a rule ended the agent's turn: nothing was refused, and nothing came after it. */
export const endedTurn = ({ decision, told = decision, obligations }: Ended): boolean =>
  isSilent(told) && obligations.includes('stop')
type Ended = Pick<DecisionRecord, 'decision' | 'told' | 'obligations'>

/** Returns whether a decision had an opinion or a failure; others may be only counted. */
export function isNotable({ decision, told, evaluations, error, obligations }: DecisionRecord): boolean {
  return (
    !isSilent(decision) ||
    !isSilent(told) ||
    error !== undefined ||
    obligations.includes('stop') ||
    evaluations.some(({ observed, effect, failure }) => failure !== undefined || (observed && !isSilent(effect)))
  )
}

const isSilent = (decision: Decision | undefined) =>
  decision === undefined || decision === 'allow' || decision === 'abstain'
