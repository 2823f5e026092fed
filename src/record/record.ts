import { z } from 'zod'
import { Approval } from '../model/approval.ts'
import { type RewrittenCall, type Verdict, wholeContextBytes, SeenOfPast } from '../model/verdict.ts'
import { Decision, Effect, Severity, worst } from '../model/effect.ts'
import { errorText, HookgateError } from '../model/errors.ts'
import { EntryPoint, EventName, type HookEvent, ToolKind, type ToolUse } from '../model/event.ts'
import type { Evaluation } from '../model/evaluation.ts'
import { Failure } from '../model/failure.ts'
import { limits } from '../model/limits.ts'
import { maskedBeginning } from '../mask/mask.ts'
import { maskedInput } from '../mask/masked-input.ts'
import { JsonObject } from '../model/json.ts'
import { firstLine } from '../model/text.ts'
import { toolCarries } from '../model/tool-kinds.ts'
import { newRecordId } from './record-id.ts'

/** Texts of all evaluations of one decision, in characters: one at all its limits fits. */
const recordedEvaluationCharactersMax = 32 * 1024

/** Remarks of one evaluation in the record: few have two. */
const recordedRemarksMax = 8

/** Evaluations of one decision in the record. Few rules speak about one event; a broken set may fail as a whole. */
const recordedEvaluationsMax = 32

/** A command, path or URL in the record, in bytes of UTF-8: more than all but generated commands have. */
const recordedSubjectBytesMax = 2048

/** The input of a tool in the record, in characters: arguments of MCP tools are short, but for texts to be written. */
const recordedInputCharactersMax = 2048

/** The answer of a rule that had an opinion, failed, or had something to remark. */
const RecordedEvaluation = z.object({
  ruleId: z.string(),
  durationMs: z.number(),
  effect: Effect.optional(),
  reason: z.string().optional(),
  /** Indices of the shell commands that the answer is about. */
  commands: z.array(z.int()).readonly().optional(),
  severity: Severity.optional(),
  /** Set for a rule that only observes. */
  observed: z.literal(true).optional(),
  /** Set if it is about the call as rules rewrote it. */
  rewritten: z.literal(true).optional(),
  failure: Failure.optional(),
  /** Facts that were unavailable, parts of an answer that did not count, hook output that is not read. */
  remarks: z.array(z.string()).readonly().optional(),
})
export type RecordedEvaluation = Readonly<z.infer<typeof RecordedEvaluation>>

/** The result of a call that ran. */
export const CallResult = z.object({
  succeeded: z.boolean(),
  /** Measured by the agent. */
  durationMs: z.number().optional(),
  /** First line of the agent's error: `Exit code 1`. */
  error: z.string().optional(),
})
export type CallResult = Readonly<z.infer<typeof CallResult>>

const RecordedRewrite = z.object({
  by: z.array(z.string()).readonly(),
  cwd: z.string().optional(),
  tool: ToolKind,
  toolName: z.string(),
  subject: z.string().optional(),
  subjectAltered: z.literal(true).optional(),
  input: JsonObject.optional(),
  inputAltered: z.literal(true).optional(),
})

/**
 * The audit record of one decision. Secrets in its texts are masked.
 *
 * Not strict, nor is any part of it: a newer version may add fields, which a reader ignores.
 */
export const DecisionRecord = z.object({
  /** Sorts by time: see `newRecordId`. */
  id: z.string(),
  /** When it was decided by this machine's clock, ISO 8601 in UTC. */
  at: z.string(),
  /** hookgate's own version. */
  version: z.string(),
  via: EntryPoint,
  /** The proved identity of a caller on another machine; below it, the subject that it names: `user:alice`. */
  who: z.string().optional(),
  onBehalfOf: z.string().optional(),
  /** Absent if the event was so malformed that nothing says which agent sent it. */
  agent: z.string().optional(),
  session: z.string().optional(),
  /** The sub-agent that made the call. */
  agentId: z.string().optional(),
  /** The workspace's first root, else the working folder. Absolute. */
  project: z.string().optional(),
  /** The agent's working folder, if it is not the project's. */
  cwd: z.string().optional(),
  /** Absent if the event could not be decoded. */
  event: EventName.optional(),
  tool: ToolKind.optional(),
  toolName: z.string().optional(),
  /** The command, path or URL, at most 2 KB. */
  subject: z.string().optional(),
  /** Set if `subject` is not what the agent sent: secrets are masked, it was cut, or it is the first of several. */
  subjectAltered: z.literal(true).optional(),
  /** The input of a tool that is about more than a command, path or URL: an MCP tool, a search, a sub-agent. At most 2 KB. */
  input: JsonObject.optional(),
  /** Set if `input` is not what the agent sent: secrets are masked, or it was cut. */
  inputAltered: z.literal(true).optional(),
  /** The agent's id of the tool call, which the events before and after it share. */
  call: z.string().optional(),
  /** The result of the call, from an event after it. */
  result: CallResult.optional(),
  /** The call as rules rewrote it, which is what would run, and the ids of those rules. */
  rewritten: RecordedRewrite.optional(),
  decision: Decision,
  /** The decision as the agent's protocol expresses it. Absent if no agent was answered. */
  told: Decision.optional(),
  /** Names the refusal or question for `hookgate allow`. */
  refusal: z.string().optional(),
  /** The outcome of the question whether a person approves the call. */
  approval: Approval.loose().optional(),
  reason: z.string(),
  /** Ids of the rules that made the decision. */
  determining: z.array(z.string()).readonly(),
  /** The worst of those rules. */
  severity: Severity.optional(),
  /** The place of the last step, of those that happened before, that the decision has seen. Absent if no rule looks back. */
  step: z.int().optional(),
  /** What it has seen of the past beside steps. */
  saw: SeenOfPast.optional(),
  /** Kinds of what had to be carried out. */
  obligations: z.array(z.string()).readonly(),
  /** Length of the contexts that rules added, in bytes of UTF-8, before the cut. */
  contextBytes: z.number(),
  contextTruncatedBytes: z.number(),
  /** From the receipt of the event's last byte to its answer, without the wait for a person. */
  durationMs: z.number(),
  slowest: z.object({ ruleId: z.string(), durationMs: z.number() }).nullable(),
  /** The number of evaluations: each rule counts once for every call that it judged. */
  rules: z.number(),
  /** Digest of the rules in force; absent if they do not load. */
  rulesDigest: z.string().optional(),
  evaluations: z.array(RecordedEvaluation).readonly(),
  /** The number of evaluations that were left out for lack of room. */
  evaluationsLeftOut: z.number().optional(),
  /** The failure of hookgate itself, for which it refused. */
  error: z.object({ code: z.string(), message: z.string() }).optional(),
})
export type DecisionRecord = Readonly<z.infer<typeof DecisionRecord>>

interface RecordDetails {
  readonly via: EntryPoint
  readonly who?: string | undefined
  readonly onBehalfOf?: string | undefined
  readonly version: string
  readonly durationMs: number
  readonly told?: Decision | undefined
  readonly rulesDigest?: string | undefined
  readonly maskedCommand?: string | undefined
}

/** Records a decision. @param atMs when it was made, ms since the epoch */
export function recordOf(
  event: HookEvent,
  verdict: Verdict,
  details: RecordDetails,
  atMs = Date.now(),
): DecisionRecord {
  const deciding = verdict.evaluations.filter(({ ruleId }) => verdict.determining.includes(ruleId))
  const severity = worst(deciding.flatMap((one) => one.severity ?? []))
  const spoken = verdict.evaluations.filter(isWorthRecording)
  const evaluations = withinLimit(spoken.slice(0, recordedEvaluationsMax).map(recordedEvaluation))
  const { told, rulesDigest, who, onBehalfOf, maskedCommand, ...rest } = details
  return {
    id: newRecordId(atMs),
    at: new Date(atMs).toISOString(),
    ...rest,
    ...asker({ who, onBehalfOf }),
    ...subjectOf(event, maskedCommand),
    ...(verdict.rewritten !== undefined && { rewritten: recordedRewrite(verdict.rewritten, event) }),
    decision: verdict.decision,
    ...(told !== undefined && { told }),
    ...(verdict.id !== undefined && { refusal: verdict.id }),
    ...(verdict.approval !== undefined && { approval: recordedApproval(verdict.approval) }),
    reason: shown(verdict.reason),
    determining: verdict.determining.slice(0, recordedEvaluationsMax).map(cut),
    ...(severity !== undefined && { severity }),
    ...(verdict.step !== undefined && { step: verdict.step }),
    ...(verdict.saw !== undefined && { saw: verdict.saw }),
    obligations: verdict.obligations.slice(0, recordedEvaluationsMax).map(({ kind }) => kind),
    contextBytes: wholeContextBytes(verdict),
    contextTruncatedBytes: verdict.contextTruncatedBytes,
    slowest: verdict.slowest,
    rules: verdict.evaluations.length,
    ...(rulesDigest !== undefined && { rulesDigest }),
    evaluations,
    ...(spoken.length > evaluations.length && { evaluationsLeftOut: spoken.length - evaluations.length }),
  }
}

/** Records that hookgate could not decide an event. @param event `undefined` if it could not be decoded */
export function recordOfError(
  sent: { readonly event: HookEvent | undefined; readonly agent: string | undefined },
  error: unknown,
  { told, who, onBehalfOf, ...details }: Omit<RecordDetails, 'rulesDigest' | 'maskedCommand'>,
  atMs = Date.now(),
): DecisionRecord {
  return {
    id: newRecordId(atMs),
    at: new Date(atMs).toISOString(),
    ...details,
    ...asker({ who, onBehalfOf }),
    ...(sent.agent !== undefined && { agent: sent.agent }),
    ...(sent.event !== undefined && subjectOf(sent.event)),
    decision: 'deny',
    ...(told !== undefined && { told }),
    reason: 'hookgate could not decide',
    determining: [],
    obligations: [],
    contextBytes: 0,
    contextTruncatedBytes: 0,
    slowest: null,
    rules: 0,
    evaluations: [],
    error: { code: error instanceof HookgateError ? error.code : 'internal', message: shown(errorText(error)) },
  }
}

const asker = ({ who, onBehalfOf }: Pick<RecordDetails, 'who' | 'onBehalfOf'>) =>
  Object.fromEntries(Object.entries({ who, onBehalfOf }).flatMap(([key, value]) => (value ? [[key, cut(value)]] : [])))

function subjectOf({ agent, session, workspaceRoots, name, tool, result }: HookEvent, command?: string) {
  const project = workspaceRoots[0] ?? session.cwd
  return {
    agent,
    session: cut(session.id),
    ...(session.agentId !== undefined && { agentId: cut(session.agentId) }),
    project: cut(project),
    ...(session.cwd !== project && { cwd: cut(session.cwd) }),
    event: name,
    ...(tool && calledTool(tool, command)),
    ...(tool?.id !== undefined && { call: cut(tool.id) }),
    ...(result && { result: resultOf(result) }),
  }
}

/** @param command masked; by default masks end within their words, so that none hides another command */
function calledTool(tool: ToolUse, command?: string) {
  const sent = tool.command ?? tool.path ?? tool.url
  const isOneOfSeveral = tool.command === undefined && (tool.paths?.length ?? 0) > 1
  const max = recordedSubjectBytesMax
  const subject = sent === undefined ? undefined : cutBytes(command ?? maskedBeginning(sent, max, 'word'), max)
  return {
    tool: tool.kind,
    toolName: cut(tool.name),
    ...(subject !== undefined && { subject }),
    ...((subject !== sent || isOneOfSeveral) && { subjectAltered: true as const }),
    ...recordedInput(tool),
  }
}

function recordedInput({ kind, input: sent }: ToolUse) {
  const { subject, also } = toolCarries[kind]
  if (subject !== 'input' && also !== 'pattern') return {}
  const { input, isWhole } = maskedInput(sent, recordedInputCharactersMax)
  return { input, ...(!isWhole && { inputAltered: true as const }) }
}

function resultOf({ succeeded, durationMs, error }: NonNullable<HookEvent['result']>): CallResult {
  return {
    succeeded,
    ...(durationMs !== undefined && { durationMs }),
    ...(error !== undefined && { error: shown(firstLine(error)) }),
  }
}

const recordedApproval = ({ reason, ...approval }: Approval): Approval => ({
  ...approval,
  waitedMs: Math.round(approval.waitedMs),
  ...(reason !== undefined && { reason: shown(reason) }),
})

const recordedRewrite = ({ by, tool, cwd }: RewrittenCall, { session }: HookEvent) => ({
  by: by.slice(0, recordedEvaluationsMax).map(cut),
  ...(cwd !== session.cwd && { cwd: cut(cwd) }),
  ...calledTool(tool),
})

const isWorthRecording = (one: Evaluation) =>
  one.kind === 'indeterminate' ||
  (one.kind === 'applicable' &&
    (one.effect !== undefined ||
      one.failure !== undefined ||
      one.obligations.some(({ kind }) => kind === 'stop' || kind === 'replaceOutput'))) ||
  (one.remarks?.length ?? 0) > 0

function recordedEvaluation(one: Evaluation): RecordedEvaluation {
  const { effect, reason, commands } = one.kind === 'applicable' ? one : {}
  const failure = one.kind === 'notApplicable' ? undefined : one.failure
  return {
    ruleId: cut(one.ruleId),
    durationMs: one.durationMs,
    ...(effect !== undefined && { effect }),
    ...(reason !== undefined && { reason: shown(reason) }),
    ...(commands !== undefined && { commands }),
    ...(one.severity !== undefined && { severity: one.severity }),
    ...(one.observed !== undefined && { observed: one.observed }),
    ...(one.rewritten !== undefined && { rewritten: one.rewritten }),
    // A message quotes what a hook printed.
    ...(failure !== undefined && { failure: { code: failure.code, message: shown(failure.message) } }),
    ...(one.remarks !== undefined && { remarks: one.remarks.slice(0, recordedRemarksMax).map(shown) }),
  }
}

/** Returns the first evaluations whose texts fit into a record. */
function withinLimit(evaluations: readonly RecordedEvaluation[]): readonly RecordedEvaluation[] {
  let characters = 0
  const end = evaluations.findIndex(({ ruleId, reason = '', failure, remarks = [] }) => {
    for (const text of [ruleId, reason, failure?.message ?? '', ...remarks]) characters += text.length
    return characters > recordedEvaluationCharactersMax
  })
  return end === -1 ? evaluations : evaluations.slice(0, end)
}

const cut = (text: string) => cutBytes(text, limits.recordedTextBytesMax)
/** Masks secrets before cutting: half a secret would not be recognised as one. */
const shown = (text: string) => cut(maskedBeginning(text, limits.recordedTextBytesMax))

/** Cuts a text to a number of bytes of UTF-8, at a character's boundary. */
function cutBytes(text: string, bytesMax: number): string {
  // A UTF-16 unit takes at most three bytes.
  if (text.length * 3 <= bytesMax || Buffer.byteLength(text) <= bytesMax) return text
  const bytes = Buffer.from(text.slice(0, bytesMax)).subarray(0, bytesMax - ellipsis.length)
  // The last character may have been cut: it is left out.
  return `${new TextDecoder().decode(bytes, { stream: true })}…`
}
const ellipsis = Buffer.from('…')
