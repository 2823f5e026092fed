import { z } from 'zod'
import { Effect } from './effect.ts'
import { EventName } from './event.ts'
import type { HeaderValue } from './export-settings.ts'
import { limits } from './limits.ts'
import { RefusingRule } from './refusal.ts'

/** The way by which a person answers. The first two are local: they need the user's own terminal or browser session. */
export const ApprovalChannel = z.enum(['terminal', 'page', 'ntfy'])
export type ApprovalChannel = z.infer<typeof ApprovalChannel>

/** Says where a person answered. */
export const channelTexts: Readonly<Record<ApprovalChannel, string>> = {
  terminal: 'in a terminal',
  page: 'on the page',
  ntfy: 'by ntfy',
}

export const isLocal = (channel: ApprovalChannel): boolean => channel !== 'ntfy'

/**
 * How a request for approval ended.
 *
 * `approved` and `denied` are a person's answers. `timedOut`: nobody answered in time. `gone`: the agent stopped
 * waiting. `closed`: the gate ended. `full`: too many requests were open, and this one was never shown to anybody.
 */
export const ApprovalOutcome = z.enum(['approved', 'denied', 'timedOut', 'gone', 'closed', 'full'])
export type ApprovalOutcome = z.infer<typeof ApprovalOutcome>

/** The end of hookgate's question to a person about a call. */
export const Approval = z.strictObject({
  outcome: ApprovalOutcome,
  /** The time that the call waited, ms. */
  waitedMs: z.number(),
  /** Absent unless a person answered. */
  channel: ApprovalChannel.optional(),
  /** The person's name on this machine, as the channel knows it. */
  by: z.string().optional(),
  /** The person's reason, printable. The model is told it. */
  reason: z.string().optional(),
})
export type Approval = Readonly<z.infer<typeof Approval>>

/** A call that waits for a person. Its texts are masked and printable. */
export const OpenRequest = z.strictObject({
  /** The id of the refusal that the agent gets if nobody answers: `hookgate allow` takes it later. */
  id: z.string(),
  openedAtMs: z.number(),
  /** The moment, ms since the epoch, at which the last caller stops waiting. */
  endsAtMs: z.number(),
  agent: z.string(),
  session: z.string(),
  project: z.string(),
  event: EventName,
  toolName: z.string(),
  /** The command, path or URL, whole. */
  subject: z.string(),
  /** The folder in which it would run, if that is not the project's. */
  folder: z.string().optional(),
  /** Everything else that the tool is given, a field a line; absent if that is nothing. */
  input: z.string().optional(),
  /** Set if a text differs from the call's own: a secret is masked, or a character is shown as its code. */
  altered: z.literal(true).optional(),
  /** The commands that would run, as the facts see them; empty unless the call is a shell's. */
  commands: z.array(z.string()).readonly(),
  decision: Effect,
  rules: z.array(RefusingRule).readonly(),
  /** Digest of the exact call in its session. An answer names it: it is meant for this call and no other. */
  call: z.string(),
  /** Set if only a local person may approve it. */
  terminalOnly: z.literal(true).optional(),
  /** The number of callers that wait for the answer: an agent may ask twice about one call. */
  waiting: z.int(),
})
export type OpenRequest = Readonly<z.infer<typeof OpenRequest>>

/** Tells apart calls of which not all is shown as it is. */
export const exactText = (call: string): string =>
  `call ${call.slice(0, callCharacters)}, with secrets masked or characters shown as codes`
/** Of a digest: enough that no other call with it is found while a person looks. */
const callCharacters = 16

/** A person's answer to a request. */
export const RequestAnswer = z.strictObject({
  id: z.string().max(limits.approvalNameCharactersMax),
  call: z.string().max(limits.approvalNameCharactersMax),
  answer: z.enum(['approve', 'deny']),
  channel: ApprovalChannel,
  by: z.string().max(limits.approvalNameCharactersMax).optional(),
  reason: z.string().max(limits.approvalReasonCharactersMax).optional(),
})
export type RequestAnswer = Readonly<z.infer<typeof RequestAnswer>>

/** The gate's reply to an answer. Only with `taken` has it ended the request. */
export const AnswerResult = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('taken'), outcome: z.enum(['approved', 'denied']), waitedMs: z.number() }),
  /** The request has ended before. */
  z.strictObject({ kind: z.literal('over'), ended: Approval }),
  /** No request of this gate has that id, or it is about another call. */
  z.strictObject({ kind: z.literal('unknown') }),
  /** A channel from outside may not approve it. */
  z.strictObject({ kind: z.literal('terminalOnly') }),
  /** The process that sends it is no person's. `why` says by what that is seen. */
  z.strictObject({ kind: z.literal('noPerson'), why: z.string() }),
])
export type AnswerResult = Readonly<z.infer<typeof AnswerResult>>

/** The settings of approvals in force. */
export interface ApprovalSettings {
  /** The longest wait for a person; `undefined`: as long as the agent waits. */
  readonly waitMs: number | undefined
  /** Agents whose own question is replaced by a request. */
  readonly insteadOf: readonly string[]
  /** Patterns of rules whose questions only a local person may approve. */
  readonly terminalOnly: readonly string[]
  /** True if a notification of the desktop says that a call waits. */
  readonly desktop: boolean
  readonly ntfy: NtfySettings | undefined
}

/** A server that pushes requests to a person's phone. */
export interface NtfySettings {
  readonly url: string
  /** Where its access token is; absent if it asks for none. */
  readonly token?: Exclude<HeaderValue, string> | undefined
}
