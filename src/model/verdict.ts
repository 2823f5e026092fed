import { z } from 'zod'
import { Approval } from './approval.ts'
import { Decision } from './effect.ts'
import { Evaluation, Obligation } from './evaluation.ts'
import { ToolUse } from './event.ts'
import { Json } from './json.ts'

const AgentFields = z.record(z.string(), Json)

/** The call that rules made of another. It was judged like a call that the agent sent. */
export const RewrittenCall = z.strictObject({
  /** The ids of the rules that rewrote the call. */
  by: z.array(z.string()).readonly(),
  tool: ToolUse,
  /** The folder in which it would run. Absolute. */
  cwd: z.string(),
})
export type RewrittenCall = Readonly<z.infer<typeof RewrittenCall>>

/** What a decision has seen of the past that no step says: session files go on, and secrets are forgotten. */
export const SeenOfPast = z.strictObject({
  /** What the session, and all sessions of 24 hours, had spent. */
  tokens: z.strictObject({ session: z.number(), day: z.number() }).optional(),
  /** In which form the call holds a secret that an output has shown, and the call with this output. */
  reused: z.strictObject({ form: z.string(), text: z.string().optional() }).optional(),
})
export type SeenOfPast = Readonly<z.infer<typeof SeenOfPast>>

/** The combined answer of all rules that apply to an event. */
export const Verdict = z.strictObject({
  decision: Decision,
  /** True if `decision` is `deny`. */
  cancel: z.boolean(),
  /** Reasons of the determining rules, in plan order, each with its rule's id; empty for `abstain`. */
  reason: z.string(),
  /** For the model: all rules' contexts in plan order, a blank line between them. */
  context: z.string(),
  /** Bytes of UTF-8 that the limit cut off `context`. */
  contextTruncatedBytes: z.number(),
  /** Names a refusal or question for `hookgate allow`. Absent if it is not kept. */
  id: z.string().optional(),
  /** Set if `hookgate allow` can lift it. */
  liftable: z.literal(true).optional(),
  /** The end of hookgate's question to a person about the call. Absent if it asked nobody. */
  approval: Approval.optional(),
  /** Whom to ask for an exception from a refusal or question. Absent if nobody is named. */
  contact: z.string().optional(),
  /** The ids of the rules that made the decision. */
  determining: z.array(z.string()).readonly(),
  /** `null` if no rule ran. */
  slowest: z.strictObject({ ruleId: z.string(), durationMs: z.number() }).nullable(),
  obligations: z.array(Obligation).readonly(),
  /** For the person, in plan order. */
  notices: z.array(z.string()).readonly(),
  /** Output fields that only the agent of this event knows. */
  agentFields: AgentFields,
  /** Set if rules rewrote the call: what they made of it, which is what would run. */
  rewritten: RewrittenCall.optional(),
  /** The place of the last earlier step that it has seen. Absent if no rule looks back. */
  step: z.number().optional(),
  /** What it has seen of the past that cannot be read again later. */
  saw: SeenOfPast.optional(),
  /** Of a rewritten call, those about the call as it was sent come first for each rule. */
  evaluations: z.array(Evaluation).readonly(),
})
export type Verdict = Readonly<z.infer<typeof Verdict>>

/** The verdict of an event that no rule applies to. */
export const abstention: Verdict = Object.freeze({
  decision: 'abstain',
  cancel: false,
  reason: '',
  context: '',
  contextTruncatedBytes: 0,
  determining: [],
  slowest: null,
  obligations: [],
  notices: [],
  agentFields: {},
  evaluations: [],
})

/** Ends a context that was cut, with how many bytes of UTF-8 are left out. */
export const cutMarker = (truncatedBytes: number): string =>
  `\n\n[hookgate: context cut, ${truncatedBytes} bytes left out]`

/** Returns the length of a verdict's context before it was cut, in bytes of UTF-8, without the marker of a cut. */
export function wholeContextBytes(verdict: {
  readonly context: string
  readonly contextTruncatedBytes: number
}): number {
  const bytes = Buffer.byteLength(verdict.context)
  const cut = verdict.contextTruncatedBytes
  return cut === 0 ? bytes : bytes - Buffer.byteLength(cutMarker(cut)) + cut
}
