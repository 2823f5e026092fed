import { z } from 'zod'
import { geminiCli } from './index.ts'
import { anObject, mismatch } from '../codec/mismatch.ts'
import { mcpParts } from '../../model/tool-kinds.ts'
import { mcpByName } from '../tool-names.ts'
import {
  fixed,
  notification,
  outputIn,
  snakeFrame,
  textIn,
  together,
  toolCall,
  toolResult,
} from '../table/event-fields.ts'
import { dialectBy } from '../table/dialect-by.ts'
import type { AnswerFormat, DecodedAnswer, EventFields, EventRow, AnswerRow } from '../table/table.ts'
import { isJsonObject, type JsonObject, parseJsonObject, textAt } from '../../model/json.ts'

const agent = geminiCli.name

const frame = snakeFrame({
  projectVariables: ['GEMINI_PROJECT_DIR'],
  timestamp: true,
  noTranscript: '',
  extraFields: { mcp_context: anObject.optional() },
})

/** Reads MCP names: `mcp_server_tool` does not mark the end of the server's name, but the event has it separately. */
const spelling = {
  mcp(name: string, wire: JsonObject): readonly [string, string] | undefined {
    const { mcp_context: context } = wire
    // Without that context, the first `_` is taken for that end.
    if (!isJsonObject(context)) return mcpByName(name)
    const [server, tool] = [textAt(context, 'server_name'), textAt(context, 'tool_name')]
    return server === undefined || tool === undefined ? undefined : [server, tool]
  },
  beside(name: string): JsonObject {
    const parts = mcpParts(name)
    return parts === undefined ? {} : { mcp_context: { server_name: parts[0], tool_name: parts[1] } }
  },
}

/** The result of a tool; a failure is reported inside of it. */
const response = outputIn('tool_response', 'duration_ms')
const failure: EventFields = toolResult(
  agent,
  {
    fields: { tool_response: anObject, duration_ms: z.number().optional() },
    read({ tool_response: output, duration_ms: durationMs }) {
      const error = failureIn(output)
      const more = isJsonObject(output) && Object.keys(output).some((key) => key !== 'error')
      return {
        succeeded: false,
        ...(more && { output }),
        ...(error && { error }),
        ...(typeof durationMs === 'number' && { durationMs }),
      }
    },
    write: ({ error = '', output, durationMs }) => ({
      tool_response: { ...(isJsonObject(output) && output), error },
      ...(durationMs !== undefined && { duration_ms: durationMs }),
    }),
  },
  spelling,
)

/** Returns the message of an error object, or an error text of the tool's own. */
function failureIn(output: unknown): string | undefined {
  if (!isJsonObject(output)) return undefined
  const { error } = output
  return isJsonObject(error) ? (textAt(error, 'message') ?? '') : textAt(output, 'error')
}

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

/**
 * Encodes and decodes Gemini's answers.
 *
 * `decision` and `reason` are at the top level, another input under `hookSpecificOutput.tool_input`, which replaces it
 * whole.
 */
function geminiForm(hookEventName: string): AnswerFormat {
  return {
    encode({ decision, reason, context, notices, stop, replaceInput }) {
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
    decode(object) {
      const parsed = Answer.safeParse(object, { reportInput: true })
      return parsed.success ? meaningOf(parsed.data) : mismatch(parsed.error.issues)
    },
  }
}

function meaningOf(answer: z.infer<typeof Answer>): DecodedAnswer {
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

/** Returns the effect of a decision. Only these lower-case words count, and any other means none. */
function effectOf(decision: string | null | undefined): DecodedAnswer['effect'] {
  switch (decision) {
    case 'deny':
    case 'block':
      return 'deny'
    case 'ask':
      return 'ask'
    // An allow bypasses no policy of Gemini's, and leaves the call to the remaining checks, as silence does.
    case 'allow':
    case 'approve':
    case undefined:
    case null:
    default:
      return undefined
  }
}

/** The events of Gemini CLI 0.61, as its hooks received them. */
const rows = (
  [
    ['BeforeTool', toolCall(agent, spelling)],
    ['AfterTool', toolResult(agent, response, spelling)],
    ['AfterTool', failure, 'PostToolUseFailure'],
    ['BeforeAgent', textIn('prompt', 'prompt')],
    [
      'AfterAgent',
      together(
        textIn('prompt_response', 'message'),
        fixed({ prompt: z.string().optional(), stop_hook_active: z.boolean().optional() }, { stop_hook_active: false }),
      ),
    ],
    ['SessionStart', textIn('source', 'trigger', 'startup')],
    ['SessionEnd', textIn('reason', 'trigger', 'other')],
    ['PreCompress', textIn('trigger', 'trigger', 'auto')],
    ['Notification', notification],
  ] as const
).map(([spelled, own, event]): AnswerRow => ({
  spelled,
  frame,
  form: geminiForm(spelled),
  event,
  own,
}))

/** The hooks of Gemini CLI, as of 0.61. */
export const dialect = dialectBy(geminiCli, {
  rows,
  rowOf,
  recognises,
  // JSON counts whatever the code; without any, every code but 0 and 1 refuses, with the text as the reason. A killed
  // hook counts as a success.
  outcome(exitCode, _row, { stdout, stderr }) {
    if (exitCode === null || exitCode === 1 || parseJsonObject(stdout) !== undefined) return 'reads'
    return stdout.trim() === '' && stderr.trim() === '' ? 'fails' : 'refuses'
  },
  runsIn: 'session',
  variables: ({ session }, root) => ({
    GEMINI_PROJECT_DIR: root,
    GEMINI_CWD: session.cwd,
    GEMINI_SESSION_ID: session.id,
    CLAUDE_PROJECT_DIR: root,
  }),
})

function rowOf(wire: JsonObject, among: readonly EventRow<AnswerRow>[]): EventRow<AnswerRow> | undefined {
  const event = failureIn(wire['tool_response']) === undefined ? 'PostToolUse' : 'PostToolUseFailure'
  const named = among.filter(({ spelled }) => spelled === wire['hook_event_name'])
  return named.find((row) => row.event === event) ?? named[0]
}

const ownNames: ReadonlySet<unknown> = new Set(['BeforeTool', 'AfterTool', 'BeforeAgent', 'AfterAgent', 'PreCompress'])

/**
 * Recognises Gemini CLI by its own event names, or by a time and a transcript without the permission mode of its
 * descendants.
 */
function recognises(wire: JsonObject): boolean {
  if (ownNames.has(wire['hook_event_name'])) return true
  if ('permission_mode' in wire) return false
  if (wire['source'] === 'new') return false
  return 'timestamp' in wire && textAt(wire, 'transcript_path') !== undefined && textAt(wire, 'cwd') !== undefined
}
