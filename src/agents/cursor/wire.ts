import { z } from 'zod'
import { cursor } from './index.ts'
import { anObject, anything, mismatch } from '../codec/mismatch.ts'
import type { HookEvent } from '../../model/event.ts'
import { mcpParts } from '../../model/tool-kinds.ts'
import { callsFor, mcpInput, toolUseOf, withCommand } from '../table/tool-use.ts'
import { dialectBy } from '../table/dialect-by.ts'
import { fixed, outputIn, textIn, together, toolCall, toolResult } from '../table/event-fields.ts'
import type { AnswerFormat, CallTime, DecodedAnswer, EventFields, EventFrame, AnswerRow } from '../table/table.ts'
import { type Json, type JsonObject, picked, textAt } from '../../model/json.ts'

const agent = cursor.name

/** The frame of Cursor's events. Only commands have a working directory; the roots are the project's. */
const frame: EventFrame = {
  shape: {
    conversation_id: z.string(),
    generation_id: z.string().optional(),
    hook_event_name: z.string(),
    workspace_roots: z.array(z.string()).optional(),
    transcript_path: z.string().nullish(),
  },
  read(wire, { nowMs, cwd: here }) {
    const listed = wire['workspace_roots']
    const roots = Array.isArray(listed) ? listed.filter((root: Json) => typeof root === 'string') : []
    const cwd = textAt(wire, 'cwd') || (roots[0] ?? here)
    const transcriptPath = textAt(wire, 'transcript_path')
    return {
      session: { id: textAt(wire, 'conversation_id') ?? '', cwd, ...(transcriptPath && { transcriptPath }) },
      workspaceRoots: roots.length === 0 ? [cwd] : roots,
      atMs: nowMs,
    }
  },
  write: ({ session, workspaceRoots }, { spelled }) => ({
    conversation_id: session.id,
    generation_id: '',
    model: session.model?.slug ?? '',
    hook_event_name: spelled,
    cursor_version: '',
    workspace_roots: [...workspaceRoots],
    user_email: null,
    transcript_path: session.transcriptPath ?? null,
    cwd: session.cwd,
  }),
  call: { name: 'tool_name', input: 'tool_input', id: 'tool_use_id' },
}

/** MCP tools are `MCP:tool`, without the server's name. */
const spelling = {
  mcp(name: string, wire: JsonObject): readonly [string, string] | undefined {
    if (!name.startsWith('MCP:')) return undefined
    return [textAt(wire, 'mcp_server_name') ?? 'unknown', name.slice('MCP:'.length)]
  },
}

/** Declares a call without a tool's name, whose fields are at the top level. */
function bareCall(name: string, fields: z.ZodRawShape, time: CallTime): EventFields {
  const keys = Object.keys(fields)
  return {
    fields,
    read(wire) {
      const tool = toolUseOf(agent, name, picked(wire, keys), undefined)
      return { tool: time === 'before' ? withCommand(agent, tool, []) : tool }
    },
    write: ({ agent: caller, tool, session }) =>
      tool === undefined ? [] : callsFor(agent, caller, tool, session.cwd).map(({ input }) => picked(input, keys)),
  }
}

const mcpCall: EventFields = {
  fields: { tool_name: z.string().min(1), tool_input: anything.optional() },
  read(wire) {
    const server = textAt(wire, 'mcp_server_name') ?? 'unknown'
    const input = mcpInput(agent, wire['tool_input'], ['tool_input'])
    return { tool: toolUseOf(agent, `mcp__${server}__${textAt(wire, 'tool_name') ?? ''}`, input, undefined) }
  },
  write: ({ agent: caller, tool, session }) =>
    tool === undefined
      ? []
      : callsFor(agent, caller, tool, session.cwd).map(({ name, input }) => ({
          tool_name: mcpParts(name)?.[1] ?? name,
          tool_input: JSON.stringify(input),
        })),
}

/** Adds the result to a call that is reported afterwards. */
function done(call: EventFields, outputKey: string): EventFields {
  return together(call, {
    fields: { [outputKey]: anything.optional(), duration: z.number().optional() },
    read: (wire) => ({
      result: { succeeded: true, ...(wire[outputKey] !== undefined && { output: wire[outputKey] }) },
    }),
    write: ({ result }: HookEvent) => [result?.output === undefined ? {} : { [outputKey]: result.output }],
  })
}

const something = anything.optional()
const runsCommand = (time: CallTime) => bareCall('Shell', { command: something }, time)
const reads = bareCall('Read', { file_path: z.string().min(1), content: something }, 'before')
const edited = bareCall('Write', { file_path: something, edits: something }, 'after')
const prompt = textIn('prompt', 'prompt')
const turnEnd = together(
  fixed({ status: z.string().optional(), loop_count: z.number().optional() }, { status: 'completed', loop_count: 0 }),
  textIn('last_assistant_message', 'message'),
)

/**
 * How an event is refused: by `permission`, `continue: false`, a message that keeps the agent working, or not at all.
 */
type CursorRefusal = 'permission' | 'continue' | 'followup' | 'nothing'

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

function cursorForm(refused: CursorRefusal): AnswerFormat {
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

function meaningOf(refused: CursorRefusal, answer: z.infer<typeof Answer>): DecodedAnswer {
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

const emptyAnswers: Readonly<Record<CursorRefusal, JsonObject>> = {
  permission: { permission: 'allow' },
  continue: { continue: true },
  followup: {},
  nothing: {},
}

/**
 * Cursor's events, by its documentation. It treats empty stdout as an error, so each has an object for an empty
 * verdict.
 */
const rows = (
  [
    ['preToolUse', 'permission', toolCall(agent, spelling)],
    ['postToolUse', 'nothing', toolResult(agent, outputIn('tool_output', 'duration'), spelling)],
    [
      'postToolUseFailure',
      'nothing',
      toolResult(agent, outputIn('tool_output', 'duration', 'error_message'), spelling),
    ],
    ['beforeShellExecution', 'permission', runsCommand('before')],
    ['beforeMCPExecution', 'permission', mcpCall],
    ['beforeReadFile', 'permission', reads],
    // Completions while the user types are no calls of the agent, but read and change the same files.
    ['beforeTabFileRead', 'permission', reads],
    ['afterTabFileEdit', 'nothing', done(edited, 'output')],
    ['afterAgentResponse', 'nothing', textIn('text', 'message')],
    ['afterShellExecution', 'nothing', done(runsCommand('after'), 'output')],
    ['afterMCPExecution', 'nothing', done(mcpCall, 'result_json')],
    ['afterFileEdit', 'nothing', done(edited, 'output')],
    ['beforeSubmitPrompt', 'continue', prompt],
    ['sessionStart', 'nothing', textIn('source', 'trigger', 'startup')],
    ['sessionEnd', 'nothing', textIn('reason', 'trigger', 'other')],
    ['stop', 'followup', turnEnd],
    ['subagentStart', 'permission', textIn('subagent_type', 'trigger')],
    ['subagentStop', 'followup', together(textIn('subagent_type', 'trigger'), turnEnd)],
    ['preCompact', 'nothing', textIn('trigger', 'trigger', 'auto')],
  ] as const
).map(([spelled, refused, own]): AnswerRow => ({
  spelled,
  frame,
  form: cursorForm(refused),
  emptyAnswer: emptyAnswers[refused],
  own,
}))

/** The hooks of Cursor, by its documentation of November 2026. */
export const dialect = dialectBy(cursor, {
  namesProject: true,
  rows,
  // Only Cursor has conversation ids.
  recognises: (wire) => 'conversation_id' in wire,
  // Code 2 refuses, but the messages for the model and the user are in the object.
  refusalCode: 0,
  runsIn: 'project',
  variables: (_event, root) => ({
    CURSOR_PROJECT_DIR: root,
    CLAUDE_PROJECT_DIR: root,
  }),
})
