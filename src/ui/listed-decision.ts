import { type Decision, restricts } from '../model/effect.ts'
import type { StoredDecision } from '../record/read.ts'
import { firstLine } from '../model/text.ts'
import { endedTurn } from '../record/notable.ts'
import type { CallResult } from '../record/record.ts'

/** The fields of a decision that a list shows: a page holds many of them. */
export interface ListedDecision {
  readonly seq: number
  readonly id: string
  readonly at: string
  readonly agent?: string
  readonly session?: string
  readonly project?: string
  /** The tool, or the event if none is called. */
  readonly tool: string
  /** The command, path or URL, cut. */
  readonly subject: string
  /** The answer to the agent or, if no agent was answered, the decision. */
  readonly outcome: Decision
  /** Set if a rule ended the turn. */
  readonly isEnded?: true
  /** Set if a rule in observe mode would have refused the call, or asked about it. */
  readonly isObserved?: true
  /** Set if a person approved the call. */
  readonly isApproved?: true
  /** Set if a rule, or hookgate itself, failed. */
  readonly isFailed?: true
  /** The first of the rules that made the decision, else one that observed it. */
  readonly rule?: string
  /** The first line of the reason of the rule, or of the failure; cut. */
  readonly reason?: string
  readonly durationMs: number
  /** The end of the call, once its agent has reported it. */
  readonly ran?: CallResult
}

export function listed({ seq, record, ran }: StoredDecision): ListedDecision {
  const { id, at, agent, session, project, event, tool, toolName, subject, decision, told, determining, evaluations } =
    record
  const observing = evaluations.find(({ observed, effect }) => observed === true && restricts(effect))
  const failing = evaluations.find(({ failure }) => failure !== undefined)
  const isFailed = record.error !== undefined || failing !== undefined
  const reason = reasonOf(record) ?? observing?.reason ?? failing?.failure?.message
  const rule = determining[0] ?? observing?.ruleId ?? failing?.ruleId
  return {
    seq,
    id,
    at,
    ...(agent !== undefined && { agent }),
    ...(session !== undefined && { session }),
    ...(project !== undefined && { project }),
    tool: toolName ?? tool ?? event ?? '',
    subject: (subject ?? '').slice(0, subjectCharacters).toWellFormed(),
    outcome: told ?? decision,
    ...(endedTurn(record) && { isEnded: true }),
    ...(observing !== undefined && { isObserved: true }),
    ...(record.approval?.outcome === 'approved' && { isApproved: true }),
    ...(isFailed && { isFailed: true }),
    ...(rule !== undefined && { rule }),
    ...(reason !== undefined && { reason: firstLine(reason).slice(0, subjectCharacters).toWellFormed() }),
    durationMs: record.durationMs,
    ...(ran && { ran }),
  }
}

/**
 * Returns the reason of the first rule that made the decision: the decision's own reason repeats it with the rule's
 * name.
 */
function reasonOf({ error, reason, determining, evaluations }: StoredDecision['record']): string | undefined {
  const first = evaluations.find(({ ruleId, effect }) => ruleId === determining[0] && effect !== undefined)
  const text = error?.message ?? first?.reason ?? reason
  return text === '' ? undefined : text
}

/** More than fits into one line of a wide screen. */
const subjectCharacters = 300
