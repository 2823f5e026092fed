import { z } from 'zod'
import type { JsonObject } from '../../model/json.ts'
import { anObject } from '../json-schemas.ts'
import { mismatch } from '../mismatch.ts'
import type { AnswerFormat, DecodedAnswer } from '../table/table.ts'

/**
 * How an event is refused: by `permission`, `continue: false`, a message that keeps the agent working, or not at all.
 */
export type Refused = 'permission' | 'continue' | 'followup' | 'nothing'

const Answer = z.looseObject({
  permission: z.enum(['allow', 'deny', 'ask']).optional(),
  continue: z.boolean().optional(),
  user_message: z.string().nullish(),
  agent_message: z.string().nullish(),
  // Names in Cursor's first versions.
  userMessage: z.string().nullish(),
  agentMessage: z.string().nullish(),
  followup_message: z.string().nullish(),
  updated_input: anObject.optional(),
  additional_context: z.string().nullish(),
})

export function cursorForm(refused: Refused): AnswerFormat {
  return {
    encode({ decision, reason, context, replaceInput }) {
      const object: JsonObject = {
        ...(refused === 'permission' && permissionIn(decision, reason, replaceInput)),
        ...(refused === 'continue' && decision === 'deny' && { continue: false, user_message: reason }),
        ...(refused === 'followup' && decision === 'deny' && { followup_message: reason }),
        ...(context !== '' && { additional_context: context }),
      }
      return Object.keys(object).length === 0 ? undefined : object
    },
    decode(object) {
      const parsed = Answer.safeParse(object, { reportInput: true })
      return parsed.success ? meaningOf(refused, parsed.data) : mismatch(parsed.error.issues)
    },
  }
}

function permissionIn(decision: string, reason: string, input: JsonObject | undefined): JsonObject {
  if (decision === 'deny' || decision === 'ask') {
    return { permission: decision, user_message: reason, agent_message: reason }
  }
  return input === undefined ? {} : { permission: 'allow', updated_input: input }
}

function meaningOf(refused: Refused, answer: z.infer<typeof Answer>): DecodedAnswer {
  const reason = answer.agent_message ?? answer.agentMessage ?? answer.user_message ?? answer.userMessage ?? undefined
  const besides: DecodedAnswer = { context: answer.additional_context ?? undefined, input: answer.updated_input }
  switch (refused) {
    case 'permission':
      // `allow` is what a hook without an opinion prints.
      return answer.permission === undefined || answer.permission === 'allow'
        ? besides
        : { ...besides, effect: answer.permission, reason }
    case 'continue':
      return answer.continue === false ? { ...besides, effect: 'deny', reason } : besides
    case 'followup':
      return answer.followup_message ? { ...besides, effect: 'deny', reason: answer.followup_message } : besides
    case 'nothing':
      return besides
  }
}
