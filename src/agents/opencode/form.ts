import { z } from 'zod'
import type { JsonObject } from '../../model/json.ts'
import { anObject, anything } from '../json-schemas.ts'
import { mismatch } from '../mismatch.ts'
import type { Form } from '../table/table.ts'

const Answer = z.looseObject({
  status: z.enum(['allow', 'deny', 'ask']).optional(),
  reason: z.string().optional(),
  args: anObject.optional(),
  output: anything.optional(),
  context: z.string().optional(),
})

/** What the plugin reads: OpenCode's own `status` of a permission, the arguments to call with, texts to add. */
export const opencodeForm: Form = {
  say({ decision, reason, context, replaceInput, replaceOutput }) {
    const object: JsonObject = {
      ...(decision !== 'abstain' && decision !== 'defer' && { status: decision, ...(reason !== '' && { reason }) }),
      ...(replaceInput !== undefined && { args: replaceInput }),
      ...(replaceOutput !== undefined && { output: replaceOutput.output }),
      ...(context !== '' && { context }),
    }
    return Object.keys(object).length === 0 ? undefined : object
  },
  hear(object) {
    const parsed = Answer.safeParse(object, { reportInput: true })
    if (!parsed.success) return mismatch(parsed.error.issues)
    const { status, reason, args, output, context } = parsed.data
    return { effect: status, reason, input: args, output, context }
  },
}
