import { z } from 'zod'
import type { JsonObject } from '../../model/json.ts'
import { anObject, anything } from '../codec/json-schemas.ts'
import { mismatch } from '../codec/mismatch.ts'
import type { AnswerFormat, DecodedAnswer } from '../table/table.ts'

/** How an event is refused: as a call, as a permission request, by `decision: block`, or not at all. */
export type CopilotRefusal = 'call' | 'permission' | 'block' | 'nothing'

const specific = z.looseObject({
  permissionDecision: z.enum(['allow', 'deny', 'ask']).optional(),
  permissionDecisionReason: z.string().nullish(),
  updatedInput: anObject.optional(),
  additionalContext: z.string().nullish(),
})

/** Accepts Copilot's own form, and Claude Code's. */
const Answer = specific.extend({
  modifiedArgs: anObject.optional(),
  modifiedResult: anything.optional(),
  behavior: z.enum(['allow', 'deny', 'ask']).optional(),
  message: z.string().nullish(),
  decision: z.string().nullish(),
  reason: z.string().nullish(),
  hookSpecificOutput: specific.optional(),
})

/**
 * Encodes and decodes answers in Copilot's format, which has all fields at the top level.
 *
 * @param named whether the hook is registered under Claude Code's name of the event, and may use its format too
 */
export function copilotForm(refused: CopilotRefusal, named: 'camel' | 'pascal'): AnswerFormat {
  return {
    encode({ decision, reason, context, replaceInput, replaceOutput }) {
      const object: JsonObject = {
        ...(refused === 'call' &&
          decision !== 'abstain' && {
            permissionDecision: decision,
            ...(reason !== '' && { permissionDecisionReason: reason }),
          }),
        ...(refused === 'permission' &&
          decision !== 'abstain' && { behavior: decision, ...(reason !== '' && { message: reason }) }),
        ...(refused === 'block' && decision === 'deny' && { decision: 'block', reason }),
        ...(replaceInput !== undefined && { modifiedArgs: replaceInput }),
        ...(replaceOutput !== undefined && { modifiedResult: replaceOutput.output }),
        ...(context !== '' && { additionalContext: context }),
      }
      return Object.keys(object).length === 0 ? undefined : object
    },
    decode(object) {
      const parsed = Answer.safeParse(object, { reportInput: true })
      return parsed.success ? meaningOf(refused, parsed.data, named) : mismatch(parsed.error.issues)
    },
  }
}

function meaningOf(refused: CopilotRefusal, answer: z.infer<typeof Answer>, named: 'camel' | 'pascal'): DecodedAnswer {
  const inner = (named === 'pascal' ? answer.hookSpecificOutput : undefined) ?? {}
  const besides: DecodedAnswer = {
    input: answer.modifiedArgs ?? inner.updatedInput,
    output: answer.modifiedResult,
    context: answer.additionalContext ?? inner.additionalContext ?? undefined,
  }
  switch (refused) {
    case 'call':
      return {
        ...besides,
        effect: answer.permissionDecision ?? inner.permissionDecision,
        reason: answer.permissionDecisionReason ?? inner.permissionDecisionReason ?? undefined,
      }
    case 'permission':
      return { ...besides, effect: answer.behavior, reason: answer.message ?? undefined }
    case 'block':
      return answer.decision === 'block' ? { ...besides, effect: 'deny', reason: answer.reason ?? undefined } : besides
    case 'nothing':
      return besides
  }
}
