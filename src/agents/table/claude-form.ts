import { z } from 'zod'
import type { JsonObject } from '../../model/json.ts'
import type { SupportedVerdict } from '../codec/supported-verdict.ts'
import { anObject, anything, mismatch } from '../codec/mismatch.ts'
import type { AnswerFormat, DecodedAnswer, EventFields, EventFrame, AnswerRow } from './table.ts'

interface ClaudeForm {
  /**
   * How the event is refused: by `permissionDecision`, `decision: block`, a permission request's `behavior`, or not at
   * all.
   */
  readonly decides: 'permission' | 'block' | 'behavior' | 'nothing'
  /** The value of `hookEventName`, which the agent compares. */
  readonly spelled: string
  /** Decisions besides `deny` that the agent supports. */
  readonly effects?: readonly ('allow' | 'ask')[]
  /** Whether a changed input needs an `allow` beside it. */
  readonly rewriteNeedsAllow?: true
  /** Values of the older `decision` that refuse a call as well. */
  readonly alsoRefuses?: readonly ('block' | 'deny')[]
  /** Whether the older `decision` may also ask about a call. */
  readonly alsoAsks?: true
  /**
   * Whether the agent validates strictly.
   *
   * It then discards the whole answer for one unknown key or value, for a refusal without a reason, and for an `allow`
   * that changes nothing.
   */
  readonly closed?: true
  /** Whether `continue: false` at a call refuses it or makes the answer invalid; absent if it ends the turn. */
  readonly stopAtCall?: 'refuses' | 'void'
}

interface ClaudeRows {
  readonly frame: EventFrame
  readonly form?: Omit<ClaudeForm, 'decides' | 'spelled'>
  /** Events at which plain text on a hook's stdout is passed to the model. */
  readonly textIsContext?: readonly string[]
  /** Each event by the agent's name, with how it is refused, and its own fields. */
  readonly events: readonly (readonly [spelled: string, decides: ClaudeForm['decides'], own: EventFields])[]
}

/** Makes the rows of an agent that answers in Claude Code's format. */
export function claudeRows({ frame, form, textIsContext = [], events }: ClaudeRows): readonly AnswerRow[] {
  return events.map(([spelled, decides, own]) => ({
    spelled,
    frame,
    form: claudeForm({ ...form, spelled, decides }),
    own,
    textIsContext: textIsContext.includes(spelled),
  }))
}

/**
 * Encodes and decodes answers in Claude Code's format.
 *
 * The fields are `hookSpecificOutput`, `decision: block`, `continue: false` and `systemMessage`. Which of them an agent
 * honours is in its `support`; which it must not be sent, in `ClaudeForm`.
 */
function claudeForm(options: ClaudeForm): AnswerFormat {
  // Built at first use: deciding one event decodes at most one form of some fifty.
  let schema: ReturnType<typeof schemaOf> | undefined
  return {
    encode: (supported) => encoded(options, supported),
    decode(object) {
      schema ??= schemaOf(options)
      const parsed = schema.safeParse(object, { reportInput: true })
      if (!parsed.success) return mismatch(parsed.error.issues)
      return voidedBy(options, parsed.data) ?? decoded(options, parsed.data)
    },
  }
}

function encoded(options: ClaudeForm, supported: SupportedVerdict): JsonObject | undefined {
  const { decides, spelled } = options
  const { decision, reason, context, notices, stop } = supported
  const specific = { ...decided(options, supported), ...(context !== '' && { additionalContext: context }) }
  const object: JsonObject = {
    ...(stop !== undefined && { continue: false, ...(stop !== '' && { stopReason: stop }) }),
    ...(notices.length > 0 && { systemMessage: notices.join('\n') }),
    ...(decides === 'block' && decision === 'deny' && { decision: 'block', reason }),
    ...(Object.keys(specific).length > 0 && { hookSpecificOutput: { hookEventName: spelled, ...specific } }),
  }
  return Object.keys(object).length === 0 ? undefined : object
}

function decided(options: ClaudeForm, supported: SupportedVerdict): JsonObject {
  const { decides, rewriteNeedsAllow } = options
  const { decision, reason, replaceInput, replaceOutput } = supported
  const output = replaceOutput === undefined ? {} : { updatedToolOutput: replaceOutput.output }
  switch (decides) {
    case 'permission': {
      const effect = decision === 'abstain' && replaceInput !== undefined && rewriteNeedsAllow ? 'allow' : decision
      return {
        ...(effect !== 'abstain' && {
          permissionDecision: effect,
          ...(reason !== '' && { permissionDecisionReason: reason }),
        }),
        ...(replaceInput !== undefined && { updatedInput: replaceInput }),
      }
    }
    case 'behavior':
      if (decision === 'deny') return { decision: { behavior: 'deny', message: reason } }
      if (decision !== 'allow') return {}
      return { decision: { behavior: 'allow', ...(replaceInput !== undefined && { updatedInput: replaceInput }) } }
    case 'block':
      return output
    case 'nothing':
      return {}
  }
}

function schemaOf({ closed, spelled, effects = [] }: ClaudeForm) {
  const object = <Shape extends z.ZodRawShape>(shape: Shape) => (closed ? z.strictObject(shape) : z.looseObject(shape))
  return object({
    continue: z.boolean().optional(),
    stopReason: z.string().nullish(),
    suppressOutput: z.boolean().optional(),
    systemMessage: z.string().nullish(),
    decision: z.enum(closed ? ['block'] : ['block', 'approve', 'deny', 'allow', 'ask']).nullish(),
    reason: z.string().nullish(),
    hookSpecificOutput: object({
      hookEventName: z.literal(spelled).optional(),
      permissionDecision: z
        .enum(['deny', ...effects, ...(closed ? [] : (['allow', 'ask', 'defer'] as const))])
        .optional(),
      permissionDecisionReason: z.string().nullish(),
      updatedInput: anObject.optional(),
      updatedToolOutput: anything.optional(),
      additionalContext: z.string().nullish(),
      decision: z
        .object({
          behavior: z.enum(['allow', 'deny']),
          message: z.string().optional(),
          updatedInput: anObject.optional(),
        })
        .optional(),
    }).optional(),
  })
}

type ClaudeAnswer = z.infer<ReturnType<typeof schemaOf>>

/** Returns why the agent discards an answer whose every field is valid. */
function voidedBy({ closed, decides, stopAtCall }: ClaudeForm, answer: ClaudeAnswer): string | undefined {
  const { hookSpecificOutput: specific = {}, decision, reason } = answer
  const isCall = decides === 'permission'
  if (isCall && stopAtCall === 'void' && answer.continue === false) return '`continue: false` has no meaning here'
  if (closed === undefined) return undefined
  const refusal = specific.permissionDecision === 'deny' ? specific.permissionDecisionReason : reason
  const refuses = specific.permissionDecision === 'deny' || decision === 'block'
  if (refuses && (refusal ?? '').trim() === '') return 'a refusal needs a reason'
  const bare = specific.permissionDecision === 'allow' && specific.updatedInput === undefined
  return isCall && bare ? '`allow` that changes no input is not an answer: print nothing instead' : undefined
}

function decoded(
  { decides, effects = [], alsoRefuses = [], alsoAsks, stopAtCall }: ClaudeForm,
  answer: ClaudeAnswer,
): DecodedAnswer {
  const { hookSpecificOutput: specific = {} } = answer
  if (decides === 'permission' && stopAtCall === 'refuses' && answer.continue === false) {
    return { effect: 'deny', reason: answer.stopReason ?? answer.reason ?? undefined }
  }
  const stop = answer.continue === false ? (answer.stopReason ?? '') : undefined
  const besides: DecodedAnswer = {
    stop,
    notice: answer.systemMessage ?? undefined,
    context: specific.additionalContext ?? undefined,
    output: specific.updatedToolOutput,
  }
  switch (decides) {
    case 'permission': {
      if (alsoRefuses.some((word) => word === answer.decision)) {
        return { ...besides, effect: 'deny', reason: answer.reason ?? specific.permissionDecisionReason ?? undefined }
      }
      const effect = specific.permissionDecision
      if (effect === undefined && alsoAsks && answer.decision === 'ask') {
        return { ...besides, effect: 'ask', reason: answer.reason ?? undefined, input: specific.updatedInput }
      }
      const known = effect === 'deny' || effects.some((one) => one === effect) ? effect : undefined
      return {
        ...besides,
        ...(known !== undefined &&
          known !== 'defer' && { effect: known, reason: specific.permissionDecisionReason ?? undefined }),
        input: specific.updatedInput,
      }
    }
    case 'behavior':
      if (specific.decision === undefined) return besides
      return {
        ...besides,
        effect: specific.decision.behavior,
        reason: specific.decision.message,
        input: specific.decision.updatedInput,
      }
    case 'block':
      return answer.decision === 'block' ? { ...besides, effect: 'deny', reason: answer.reason ?? undefined } : besides
    case 'nothing':
      return besides
  }
}
