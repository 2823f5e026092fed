import { type Approval, type ApprovalSettings, channelTexts } from '../../model/approval.ts'
import type { ProtocolSupport } from '../../model/dialect.ts'
import type { HookEvent } from '../../model/event.ts'
import type { Evaluation } from '../../model/evaluation.ts'
import { limits } from '../../model/limits.ts'
import type { KeptRefusal, RefusingRule } from '../../model/refusal.ts'
import type { Rule } from '../../model/rule.ts'
import type { ShellCommand } from '../../model/shell.ts'
import type { Verdict } from '../../model/verdict.ts'
import type { ShellOf } from '../shown-text.ts'
import { showCall, type ShownCall } from './shown-call.ts'
import { namesRule } from '../../rules/match/word-pattern.ts'
import type { Approvals } from './queue.ts'

/**
 * Taken off the time that an agent waits: two seconds in which its client may look for the gate, and one in which the
 * answer travels back. A client that is killed has refused nothing.
 */
const approvalMarginMs = 3000

/** An answer of a rule that refuses a call or asks about it, and would remain if the others were lifted. */
export interface RefusingAnswer {
  readonly rule: Rule
  readonly evaluation: Evaluation
  readonly decision: RefusingRule['effect']
}

/** The means to ask a person about a call. */
export interface AskingMeans {
  readonly approvals: Approvals
  readonly settings: ApprovalSettings
  /** The answers that the agent's protocol can express at this event. */
  readonly support: ProtocolSupport
  /** Returns the time that the agent still waits, ms. */
  readonly leftMs: () => number
  readonly signal: AbortSignal | undefined
}

/** A refused call as it is kept, the commands that would run, and the answers that refuse it. */
interface QuestionedCall {
  readonly event: HookEvent
  readonly kept: KeptRefusal
  readonly commands: readonly ShellCommand[]
  readonly shellOf: ShellOf
  readonly verdict: Verdict
  readonly evaluations: readonly Evaluation[]
  readonly answers: readonly RefusingAnswer[]
  readonly combine: (evaluations: readonly Evaluation[]) => Verdict
}

/**
 * Has a person answer the question about a call, if hookgate is to ask it. The verdict is the one given unless a person
 * has answered; it says what became of the question.
 *
 * INVARIANT: `allow` comes of a person's approval only, and of nothing but the answers that the person was shown: what
 * else is said of the call counts as before.
 */
export async function askPerson(call: QuestionedCall, asking: AskingMeans): Promise<Verdict> {
  const { verdict, kept, event } = call
  const waitMs = Math.min(asking.settings.waitMs ?? Infinity, asking.leftMs() - approvalMarginMs)
  if (waitMs < limits.approvalWaitMsMin || !isAsked(call, asking)) return verdict
  const shown = event.tool && (await showCall({ ...event, tool: event.tool }, call.commands, call.shellOf))
  // Nobody is asked about what is too long to be read.
  if (shown === undefined) return verdict
  const { version: _version, atMs: _atMs, ...rest } = kept
  const approval = await asking.approvals.ask(
    {
      ...rest,
      ...shown,
      ...(isTerminalOnly(call, shown, asking.settings) && { terminalOnly: true }),
      ...(event.tool?.id !== undefined && { toolId: event.tool.id }),
    },
    { waitMs, signal: asking.signal },
  )
  return answered(call, approval)
}

/** Tells whether a person is to be asked by hookgate, and whether the answer could be carried out. */
function isAsked({ event, verdict, answers }: QuestionedCall, { support, settings }: AskingMeans): boolean {
  const { decision, obligations } = verdict
  if (answers.length === 0 || !answers.every(isApprovable)) return false
  if (obligations.some(({ kind }) => support[kind] === 'asDeny')) return false
  if (decision === 'deny') return support.deny === 'native'
  if (decision !== 'ask' && decision !== 'defer') return false
  const own = support[decision]
  return own === 'asDeny' || (own !== 'unsupported' && settings.insteadOf.includes(event.agent))
}

/** A rule that failed has said nothing that a person could approve, unless its failure is to be a question. */
const isApprovable = ({ decision, rule, evaluation }: RefusingAnswer) =>
  decision !== 'deny' ||
  (rule.approvable === true && evaluation.kind === 'applicable' && evaluation.failure === undefined)

/**
 * Returns whether only a person at this machine may approve a call: a rule of self-protection or one that a setting names
 * objects to it, or it is too long for a small screen, where an agent could hide behind a cut what is asked about.
 */
const isTerminalOnly = (
  { answers }: QuestionedCall,
  { subject, input = '' }: ShownCall,
  { terminalOnly }: ApprovalSettings,
) =>
  subject.length + input.length > limits.refusalTextCharactersMax ||
  answers.some(
    ({ rule }) =>
      rule.terminalOnly === true ||
      rule.source.id === 'hookgate:' ||
      terminalOnly.some((pattern) => namesRule(pattern, rule)),
  )

/** Makes the verdict of what a person answered. */
function answered({ verdict, evaluations: given, answers, combine }: QuestionedCall, approval: Approval): Verdict {
  if (approval.outcome !== 'approved' && approval.outcome !== 'denied') return Object.freeze({ ...verdict, approval })
  const effect = approval.outcome === 'approved' ? 'allow' : 'deny'
  const asked = new Set(answers.map(({ evaluation }) => evaluation))
  const evaluations = given.map((one) => (asked.has(one) ? settled(one, effect, approval) : one))
  const { id } = verdict
  // The id stays, for `hookgate allow`; whoever has just said no is not told by the agent to use it.
  return Object.freeze({ ...combine(evaluations), approval, ...(id !== undefined && { id }) })
}

function settled(one: Evaluation, effect: 'allow' | 'deny', approval: Approval): Evaluation {
  const { ruleId, durationMs, severity, remarks = [] } = one
  const { obligations = [], advice = [], reason, commands } = one.kind === 'applicable' ? one : {}
  const failure = one.kind === 'notApplicable' ? undefined : one.failure
  const text = answeredText(approval)
  const was = reason ?? failure?.message
  return {
    kind: 'applicable',
    ruleId,
    durationMs,
    ...(severity !== undefined && { severity }),
    remarks: [...remarks, ...(failure === undefined ? [] : [failure.message]), text],
    effect,
    reason: effect === 'allow' || was === undefined ? text : `${text}. The question was: ${was}`,
    ...(commands !== undefined && { commands }),
    obligations,
    advice,
  }
}

/** Says who answered, where, and why: `refused by alice in a terminal: use a branch`. */
function answeredText({ outcome, channel, by = 'a person', reason }: Approval): string {
  const where = channel === undefined ? '' : ` ${channelTexts[channel]}`
  const why = reason === undefined ? '' : `: ${reason}`
  return `${outcome === 'approved' ? 'approved' : 'refused'} by ${by}${where}${why}`
}
