import { z } from 'zod'
import { anObject } from '../codec/mismatch.ts'
import type { HookEvent } from '../../model/event.ts'
import { mcpParts } from '../../model/tool-kinds.ts'
import { callsFor, mcpInput, toolUseOf, withCommand } from '../table/tool-use.ts'
import { dialectBy } from '../table/dialect-by.ts'
import type { AnswerFormat, CallTime, EventFields, EventFrame, AnswerRow } from '../table/table.ts'
import { windsurf } from './index.ts'
import { isJsonObject, type JsonObject, textAt } from '../../model/json.ts'

const agent = windsurf.name

const infoIn = (wire: JsonObject) => (isJsonObject(wire['tool_info']) ? wire['tool_info'] : {})

/** The frame of Windsurf's events. `tool_info` has all event-specific fields, even without a tool. */
const frame: EventFrame = {
  shape: {
    agent_action_name: z.string(),
    trajectory_id: z.string(),
    execution_id: z.string().optional(),
    timestamp: z.string().optional(),
    tool_info: anObject.optional(),
  },
  read(wire, { nowMs, cwd: here }) {
    const cwd = textAt(infoIn(wire), 'cwd') || here
    const sentAtMs = Date.parse(textAt(wire, 'timestamp') ?? '')
    return {
      session: { id: textAt(wire, 'trajectory_id') ?? '', cwd },
      workspaceRoots: [cwd],
      atMs: Number.isNaN(sentAtMs) ? nowMs : sentAtMs,
    }
  },
  write: ({ session, atMs }, { spelled }) => ({
    agent_action_name: spelled,
    trajectory_id: session.id,
    execution_id: '',
    timestamp: new Date(atMs).toISOString(),
    model_name: session.model?.slug ?? '',
  }),
  call: { name: 'agent_action_name', input: 'tool_info' },
}

const within = (event: HookEvent, info: JsonObject): readonly JsonObject[] => [
  { tool_info: { ...info, cwd: event.session.cwd } },
]

/** Declares a call: the fields of `tool_info` are its input, except the working directory. */
function call(name: string, fields: z.ZodRawShape, time: CallTime): EventFields {
  return {
    fields: time === 'before' ? { tool_info: z.looseObject(fields) } : {},
    read(wire) {
      const { cwd: _, ...input } = infoIn(wire)
      const tool = toolUseOf(agent, name, input, undefined)
      return { tool: time === 'before' ? withCommand(agent, tool, ['tool_info']) : tool }
    },
    write: (event) =>
      event.tool === undefined
        ? []
        : callsFor(agent, event.agent, event.tool, event.session.cwd).flatMap(({ input }) =>
            within(
              event,
              name === 'write_code' && event.agent !== agent ? asEdits(input, event.tool?.content ?? '') : input,
            ),
          ),
  }
}

const asEdits = (input: JsonObject, content: string): JsonObject => ({
  ...input,
  edits: [{ old_string: '', new_string: content }],
})

const mcpCall: EventFields = {
  fields: { tool_info: z.looseObject({ mcp_server_name: z.string().optional(), mcp_tool_name: z.string().min(1) }) },
  read(wire) {
    const info = infoIn(wire)
    const name = `mcp__${textAt(info, 'mcp_server_name') ?? 'unknown'}__${textAt(info, 'mcp_tool_name') ?? ''}`
    const input = mcpInput(agent, info['mcp_tool_arguments'], ['tool_info', 'mcp_tool_arguments'])
    return { tool: toolUseOf(agent, name, input, undefined) }
  },
  write(event) {
    const { agent: caller, tool, session } = event
    if (tool === undefined) return []
    return callsFor(agent, caller, tool, session.cwd).flatMap(({ name, input }) => {
      const [server, toolName] = mcpParts(name) ?? ['', name]
      return within(event, { mcp_server_name: server, mcp_tool_name: toolName, mcp_tool_arguments: input })
    })
  },
}

/** Adds the result to a call that is reported afterwards. */
function done(before: EventFields): EventFields {
  return {
    fields: before.fields,
    read(wire, own) {
      const { result: output, duration_ms: durationMs } = infoIn(wire)
      return {
        ...before.read(wire, own),
        result: {
          succeeded: true,
          ...(output !== undefined && { output }),
          ...(typeof durationMs === 'number' && { durationMs }),
        },
      }
    },
    write: (event, own) =>
      before.write(event, own).map((wire) => {
        const { output, durationMs } = event.result ?? {}
        const info = { ...infoIn(wire), ...(output !== undefined && { result: output }) }
        return { tool_info: { ...info, ...(durationMs !== undefined && { duration_ms: durationMs }) } }
      }),
  }
}

const textInInfo = (key: string, part: 'prompt' | 'message'): EventFields => ({
  fields: {},
  read(wire) {
    const text = textAt(infoIn(wire), key)
    return text === undefined ? {} : { [part]: text }
  },
  write: (event) => within(event, event[part] === undefined ? {} : { [key]: event[part] }),
})

const inFolder: EventFields = { fields: {}, read: () => ({}), write: (event) => within(event, {}) }

const file = { file_path: z.string().min(1) }
const runs = (time: CallTime) => call('run_command', {}, time)
const reads = (time: CallTime) => call('read_code', file, time)
const writes = (time: CallTime) => call('write_code', file, time)

/** Windsurf has no answers in JSON. */
const form: AnswerFormat = { encode: () => undefined, decode: () => ({}) }

const rows = (
  [
    ['pre_run_command', runs('before')],
    ['pre_read_code', reads('before')],
    ['pre_write_code', writes('before')],
    ['pre_mcp_tool_use', mcpCall],
    ['post_run_command', done(runs('after'))],
    ['post_read_code', done(reads('after'))],
    ['post_write_code', done(writes('after'))],
    ['post_mcp_tool_use', done(mcpCall)],
    ['pre_user_prompt', textInInfo('user_prompt', 'prompt')],
    ['post_cascade_response', textInInfo('response', 'message')],
    ['post_setup_worktree', inFolder],
  ] as const
).map(([spelled, own]): AnswerRow => ({ spelled, frame, form, own }))

/** The hooks of Windsurf's Cascade, by its documentation of November 2026. */
export const dialect = dialectBy(windsurf, { rows, nameKey: 'agent_action_name', runsIn: 'project' })
