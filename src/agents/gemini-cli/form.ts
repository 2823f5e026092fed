import { z } from 'zod'
import type { JsonObject } from '../../model/json.ts'
import { anObject } from '../json-schemas.ts'
import { mismatch } from '../mismatch.ts'
import type { Form, Heard } from '../table/table.ts'

const Answer = z.looseObject({
  decision: z.string().nullish(),
  reason: z.string().nullish(),
  continue: z.boolean().optional(),
  stopReason: z.string().nullish(),
  systemMessage: z.string().nullish(),
  hookSpecificOutput: z
    .looseObject({ tool_input: anObject.optional(), additionalContext: z.string().nullish() })
    .optional(),
})

/** `decision` and `reason` at the top level, another input under `hookSpecificOutput.tool_input`, which replaces it whole. */
export function geminiForm(hookEventName: string): Form {
  return {
    say({ decision, reason, context, notices, stop, replaceInput }) {
      const specific = {
        ...(replaceInput !== undefined && { tool_input: replaceInput }),
        ...(context !== '' && { additionalContext: context }),
      }
      const object: JsonObject = {
        ...(decision === 'deny' && { decision, reason }),
        ...(stop !== undefined && { continue: false, ...(stop !== '' && { stopReason: stop }) }),
        ...(notices.length > 0 && { systemMessage: notices.join('\n') }),
        ...(Object.keys(specific).length > 0 && { hookSpecificOutput: { hookEventName, ...specific } }),
      }
      return Object.keys(object).length === 0 ? undefined : object
    },
    hear(object) {
      const parsed = Answer.safeParse(object, { reportInput: true })
      return parsed.success ? heard(parsed.data) : mismatch(parsed.error.issues)
    },
  }
}

function heard(answer: z.infer<typeof Answer>): Heard {
  const { hookSpecificOutput: specific = {} } = answer
  return {
    effect: effectOf(answer.decision),
    reason: answer.reason ?? undefined,
    input: specific.tool_input,
    context: specific.additionalContext ?? undefined,
    stop: answer.continue === false ? (answer.stopReason ?? '') : undefined,
    notice: answer.systemMessage ?? undefined,
  }
}

/** Its words are compared in lower case only, and any other is none. */
function effectOf(decision: string | null | undefined): Heard['effect'] {
  switch (decision) {
    case 'deny':
    case 'block':
      return 'deny'
    case 'ask':
      return 'ask'
    // It passes by no policy there, and leaves the call to whatever else is asked, as silence does.
    case 'allow':
    case 'approve':
    case undefined:
    case null:
    default:
      return undefined
  }
}
