import { z } from 'zod'
import { kimiCode } from './index.ts'
import { anything, mismatch } from '../codec/mismatch.ts'
import {
  notification,
  outputIn,
  snakeFrame,
  stopping,
  textIn,
  together,
  toolCall,
  toolResult,
} from '../table/event-fields.ts'
import { folderOfCall } from '../table/tool-use.ts'
import { dialectBy } from '../table/dialect-by.ts'
import type { AnswerFormat, AnswerRow, EventFields, EventFrame } from '../table/table.ts'
import { type Json, type JsonObject, objectsIn, textAt } from '../../model/json.ts'

const agent = kimiCode.name

const snake = snakeFrame({
  extraFields: { client_type: z.string().optional() },
  extra: () => ({ client_type: 'kimi_code_cli' }),
})

/** A call of its shell may name a folder of its own to run in. */
const frame: EventFrame = {
  ...snake,
  read(wire, around) {
    const { session, ...others } = snake.read(wire, around)
    return { ...others, session: { ...session, cwd: folderOfCall(wire['tool_input'], 'cwd', session.cwd) } }
  },
  call: { name: 'tool_name', input: 'tool_input', id: 'tool_call_id' },
}

/** The user's prompt, in parts of which some may be images. */
const prompt: EventFields = {
  fields: { prompt: z.union([z.string(), z.array(anything)], 'a string or an array') },
  read: ({ prompt: given }) => ({ prompt: contentText(given) }),
  write: ({ prompt: text = '' }) => [{ prompt: [{ type: 'text', text }], is_steer: false }],
}

const contentText = (given: Json | undefined) =>
  typeof given === 'string'
    ? given
    : objectsIn(given)
        .flatMap((part) => textAt(part, 'text') ?? [])
        .join('\n')

const result = outputIn('tool_output', 'duration_ms')

/** A call that failed, whose error is an object. */
const failed: EventFields = toolResult(agent, {
  fields: { ...result.fields, error: anything.optional() },
  read: (wire) => ({ ...result.read(wire), succeeded: false, ...errorIn(wire) }),
  write: (failure) => ({ ...result.write(failure), error: { message: failure.error ?? '' } }),
})

function errorIn({ error }: JsonObject): { readonly error?: string } {
  const text = typeof error === 'string' ? error : objectsIn([error ?? null]).map((one) => textAt(one, 'message'))[0]
  return text === undefined || text === '' ? {} : { error: text }
}

const Answer = z.looseObject({
  message: z.string().optional(),
  hookSpecificOutput: z
    .looseObject({
      message: z.string().optional(),
      permissionDecision: anything.optional(),
      permissionDecisionReason: z.string().optional(),
    })
    .optional(),
})

/** Encodes and decodes answers: a refusal as in Claude Code's format, and a message for the model. */
const formAt = (spelled: string): AnswerFormat => ({
  encode({ decision, reason, context }) {
    if (decision === 'deny') {
      const refusal = { permissionDecision: 'deny', permissionDecisionReason: reason }
      return { hookSpecificOutput: { hookEventName: spelled, ...refusal } }
    }
    return context === '' ? undefined : { message: context }
  },
  decode(object) {
    const parsed = Answer.safeParse(object, { reportInput: true })
    if (!parsed.success) return mismatch(parsed.error.issues)
    const { message, hookSpecificOutput: specific = {} } = parsed.data
    if (specific.permissionDecision === 'deny') return { effect: 'deny', reason: specific.permissionDecisionReason }
    return spelled === 'UserPromptSubmit' ? { context: message ?? specific.message } : {}
  },
})

const subagent = (key: string) => together(textIn('agent_name', 'trigger'), textIn(key, 'message'))
const compacting = textIn('trigger', 'trigger', 'auto')

/** The events of Kimi Code 2.1.0, as its hooks received them; unobserved ones follow its program. */
const rows = (
  [
    ['PreToolUse', toolCall(agent)],
    ['PostToolUse', toolResult(agent, result)],
    ['PostToolUseFailure', failed],
    ['PermissionRequest', toolCall(agent, {}, 'after')],
    ['UserPromptSubmit', prompt],
    ['Stop', stopping],
    ['StopFailure', together(textIn('error_type', 'trigger', 'unknown'), textIn('error_message', 'message'))],
    ['SessionStart', textIn('source', 'trigger', 'startup')],
    ['SessionEnd', textIn('reason', 'trigger', 'other')],
    ['SubagentStart', subagent('prompt')],
    ['SubagentStop', subagent('response')],
    ['PreCompact', compacting],
    ['PostCompact', compacting],
    ['Notification', notification],
  ] as const
).map(([spelled, own]): AnswerRow => ({
  spelled,
  frame,
  form: formAt(spelled),
  own,
  textIsContext: spelled === 'UserPromptSubmit',
}))

/** The hooks of Kimi Code, as of 2.1.0. */
export const dialect = dialectBy(kimiCode, { rows, recognises: (wire) => 'client_type' in wire, runsIn: 'session' })
