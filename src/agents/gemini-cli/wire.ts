import { z } from 'zod'
import { isJsonObject, type JsonObject } from '../../model/json.ts'
import { mcpNameFor, mcpParts } from '../../model/mcp-names.ts'
import { anObject } from '../json-schemas.ts'
import { snakeFrame } from '../table/snake-frame.ts'
import { fixed, type Own, outputIn, textIn, together, toolCall, toolResult } from '../table/own.ts'
import { mcpByName } from '../table/mcp-by-name.ts'
import type { EventRow } from '../table/table.ts'
import { textAt } from '../text-at.ts'
import { carries } from './carries.ts'
import { geminiForm } from './form.ts'

const agent = 'gemini-cli'

const frame = snakeFrame({
  projectVariables: ['GEMINI_PROJECT_DIR'],
  timestamp: true,
  noTranscript: '',
  extraFields: { mcp_context: anObject.optional() },
})

/** `mcp_server_tool` does not say where the server's name ends; the event says it beside. */
const spelling = {
  mcp(name: string, wire: JsonObject): readonly [string, string] | undefined {
    const { mcp_context: context } = wire
    // Without it, the first `_` is taken for that end.
    if (!isJsonObject(context)) return mcpByName(name)
    const [server, tool] = [textAt(context, 'server_name'), textAt(context, 'tool_name')]
    return server === undefined || tool === undefined ? undefined : [server, tool]
  },
  write: (name: string) => mcpNameFor(agent, name),
  beside(name: string): JsonObject {
    const parts = mcpParts(name)
    return parts === undefined ? {} : { mcp_context: { server_name: parts[0], tool_name: parts[1] } }
  },
}

/** What a tool gave back; a failure is said inside of it. */
const response = outputIn('tool_response', 'duration_ms')
const failure: Own = toolResult(
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

/** The message, or the text of an error of a tool's own making. */
export function failureIn(output: unknown): string | undefined {
  if (!isJsonObject(output)) return undefined
  const { error } = output
  return isJsonObject(error) ? (textAt(error, 'message') ?? '') : textAt(output, 'error')
}

const base = { frame } as const

/** The events of Gemini CLI 0.61, in the shape of those that its hooks were sent. */
export const rows: readonly EventRow[] = [
  {
    ...base,
    ...toolCall(agent, spelling),
    spelled: 'BeforeTool',
    event: 'PreToolUse',
    carries: carries.BeforeTool,
    form: geminiForm('BeforeTool'),
  },
  {
    ...base,
    ...toolResult(agent, response, spelling),
    spelled: 'AfterTool',
    event: 'PostToolUse',
    carries: carries.AfterTool,
    form: geminiForm('AfterTool'),
  },
  {
    ...base,
    ...failure,
    spelled: 'AfterTool',
    event: 'PostToolUseFailure',
    carries: carries.AfterTool,
    form: geminiForm('AfterTool'),
  },
  {
    ...base,
    ...textIn('prompt', 'prompt'),
    spelled: 'BeforeAgent',
    event: 'UserPromptSubmit',
    carries: carries.BeforeAgent,
    form: geminiForm('BeforeAgent'),
  },
  {
    ...base,
    ...together(
      textIn('prompt_response', 'message'),
      fixed({ prompt: z.string().optional(), stop_hook_active: z.boolean().optional() }, { stop_hook_active: false }),
    ),
    spelled: 'AfterAgent',
    event: 'Stop',
    carries: carries.AfterAgent,
    form: geminiForm('AfterAgent'),
  },
  {
    ...base,
    ...textIn('source', 'trigger', 'startup'),
    spelled: 'SessionStart',
    event: 'SessionStart',
    carries: carries.SessionStart,
    form: geminiForm('SessionStart'),
  },
  {
    ...base,
    ...textIn('reason', 'trigger', 'other'),
    spelled: 'SessionEnd',
    event: 'SessionEnd',
    carries: carries.SessionEnd,
    form: geminiForm('SessionEnd'),
  },
  {
    ...base,
    ...textIn('trigger', 'trigger', 'auto'),
    spelled: 'PreCompress',
    event: 'PreCompact',
    carries: carries.PreCompress,
    form: geminiForm('PreCompress'),
  },
  {
    ...base,
    ...together(textIn('notification_type', 'trigger'), textIn('message', 'message')),
    spelled: 'Notification',
    event: 'Notification',
    carries: carries.Notification,
    form: geminiForm('Notification'),
  },
]
