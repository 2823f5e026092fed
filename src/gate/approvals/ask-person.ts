import { isSecretField } from '../../mask/mask.ts'
import { type Approval, type ApprovalSettings, channelTexts, type OpenRequest } from '../../model/approval.ts'
import type { ProtocolSupport } from '../../model/dialect.ts'
import type { Evaluation } from '../../model/evaluation.ts'
import type { CallEvent, HookEvent, ToolUse } from '../../model/event.ts'
import type { Json } from '../../model/json.ts'
import { limits } from '../../model/limits.ts'
import type { KeptRefusal, RefusingRule } from '../../model/refusal.ts'
import type { Rule } from '../../model/rule.ts'
import type { ShellCommand } from '../../model/shell.ts'
import { visible } from '../../model/text.ts'
import type { Verdict } from '../../model/verdict.ts'
import { namesRule } from '../../rules/match/word-pattern.ts'
import { cutText, subjectOf } from '../memory/stop-refusals.ts'
import { maskText, type ShellOf } from '../shown-text.ts'
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

/** Commands of one request that are shown, as many as fit on a screen. The call's own text is shown whole. */
const approvalCommandsMax = 20

type ShownCall = Pick<OpenRequest, 'subject' | 'folder' | 'input' | 'commands' | 'altered'>

/**
 * Returns what a person is shown of a call: its command, path or URL, everything else that its tool is given, and the
 * folder if that is not the project's. `undefined` if that is too much to be read.
 *
 * INVARIANT: calls that differ are not shown alike. What is masked or escaped is said to be, and `call` tells such calls
 * apart.
 */
async function showCall(
  event: CallEvent,
  own: readonly ShellCommand[],
  shellOf: ShellOf,
): Promise<ShownCall | undefined> {
  const { tool, session, workspaceRoots } = event
  const subject = subjectOf(event)
  const fields = Object.entries(tool.input).filter(([key, value]) => !isSaid(tool, key, value, subject))
  const [exact, hidden] = [inputText(fields, () => false), inputText(fields, isSecretField)]
  if (subject.length + exact.length > limits.approvalCharactersMax) return undefined
  const [masked, more] = await Promise.all([maskText(subject, shellOf), maskText(hidden, shellOf)])
  const [text, input] = [visible(masked), visible(more)]
  if (text.length + input.length > limits.approvalCharactersMax) return undefined
  const commands = tool.kind !== 'shell' ? [] : masked === subject ? own : ((await shellOf(masked))?.commands ?? [])
  const project = workspaceRoots[0] ?? session.cwd
  return {
    subject: text,
    ...(session.cwd !== project && { folder: visible(session.cwd) }),
    ...(fields.length > 0 && { input }),
    commands: commandTexts(commands),
    ...((text !== subject || input !== exact) && { altered: true }),
  }
}

/**
 * Returns whether a field is shown as the subject. The description of a shell's call is the model's own words and changes
 * nothing: the digest of a call is without it, too.
 */
const isSaid = ({ kind, inferred }: ToolUse, key: string, value: Json, subject: string) =>
  (kind === 'shell' && key === 'description') ||
  (value === subject && inferred !== true && kind !== 'mcp' && kind !== 'other')

type IsSecret = (key: string, value: string) => boolean

const inputText = (fields: readonly (readonly [string, Json])[], isSecret: IsSecret) =>
  fields.map(([key, value]) => `${quotedKey(key)}: ${valueText(key, value, isSecret)}`).join('\n')

const quotedKey = (key: string) => (/^[\w.-]+$/.test(key) ? key : JSON.stringify(key))

/** Formats a value. Further lines of a text are indented, so that none looks like another field. */
function valueText(key: string, value: Json, isSecret: IsSecret): string {
  const shown = (name: string, one: Json) => (typeof one === 'string' && isSecret(name, one) ? '***' : one)
  const own = shown(key, value)
  return typeof own === 'string' && !isJsonText(own) ? own.replaceAll('\n', '\n  ') : JSON.stringify(own, shown)
}

/** `"true"` is another value than `true`, and is shown in its quotes. */
function isJsonText(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Lists the first commands, and says how many more there are. */
function commandTexts(commands: readonly ShellCommand[]): readonly string[] {
  const more = commands.length - approvalCommandsMax
  const first = commands.slice(0, approvalCommandsMax).map(commandText)
  return more <= 0 ? first : [...first, `… (${more} more commands)`]
}

const commandText = ({ written, program, args }: ShellCommand) =>
  cutText(visible([written?.value ?? program, ...args.map(({ value }) => value)].join(' ')))
