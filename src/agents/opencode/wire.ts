import { z } from 'zod'
import { anObject, anything } from '../json-schemas.ts'
import { mismatch } from '../mismatch.ts'
import { opencode } from './index.ts'
import { dialectBy } from '../table/dialect-by.ts'
import { outputIn, textIn, toolCall, toolResult } from '../table/event-fields.ts'
import type { AnswerFormat, EventFrame, AnswerRow } from '../table/table.ts'
import { toolKind } from '../tool-names.ts'
import { type JsonObject, textAt } from '../../model/json.ts'

const agent = opencode.name

/** The frame that hookgate's plugin makes of a plugin's arguments, since OpenCode has no hook processes. */
const frame: EventFrame = {
  shape: { event: z.string(), sessionID: z.string(), directory: z.string(), worktree: z.string().optional() },
  read(wire, { nowMs }) {
    const cwd = textAt(wire, 'directory') ?? ''
    const { timestamp } = wire
    return {
      session: { id: textAt(wire, 'sessionID') ?? '', cwd },
      workspaceRoots: [textAt(wire, 'worktree') || cwd],
      atMs: typeof timestamp === 'number' ? timestamp : nowMs,
    }
  },
  write: ({ session, workspaceRoots: [root = session.cwd], atMs }, { spelled }) => ({
    event: spelled,
    sessionID: session.id,
    directory: session.cwd,
    worktree: root,
    timestamp: atMs,
  }),
  call: { name: 'tool', input: 'args', id: 'callID' },
}

/** MCP tools are `server_tool`; only one of its own tools has a `_`. */
const spelling = {
  mcp(name: string, _wire: JsonObject): readonly [string, string] | undefined {
    if (toolKind(agent, name) !== 'other') return undefined
    const [, server, tool] = /^([^_]+)_(.+)$/s.exec(name) ?? []
    return server === undefined || tool === undefined ? undefined : [server, tool]
  },
}

const call = toolCall(agent, spelling)

const Answer = z.looseObject({
  status: z.enum(['allow', 'deny', 'ask']).optional(),
  reason: z.string().optional(),
  args: anObject.optional(),
  output: anything.optional(),
  context: z.string().optional(),
})

/** Encodes and decodes the plugin's answers: OpenCode's own `status` of a permission, new arguments, texts to add. */
const form: AnswerFormat = {
  encode({ decision, reason, context, replaceInput, replaceOutput }) {
    const object: JsonObject = {
      ...(decision !== 'abstain' && decision !== 'defer' && { status: decision, ...(reason !== '' && { reason }) }),
      ...(replaceInput !== undefined && { args: replaceInput }),
      ...(replaceOutput !== undefined && { output: replaceOutput.output }),
      ...(context !== '' && { context }),
    }
    return Object.keys(object).length === 0 ? undefined : object
  },
  decode(object) {
    const parsed = Answer.safeParse(object, { reportInput: true })
    if (!parsed.success) return mismatch(parsed.error.issues)
    const { status, reason, args, output, context } = parsed.data
    return { effect: status, reason, input: args, output, context }
  },
}

/** The events that the plugin reports. */
const rows = (
  [
    ['tool.execute.before', call],
    ['permission.ask', call],
    ['tool.execute.after', toolResult(agent, outputIn('output', 'durationMs'), spelling)],
    ['chat.message', textIn('prompt', 'prompt')],
    ['session.created', textIn('source', 'trigger', 'startup')],
    ['session.deleted', textIn('reason', 'trigger', 'other')],
    ['session.idle', textIn('message', 'message')],
    ['experimental.session.compacting', textIn('trigger', 'trigger', 'auto')],
  ] as const
).map(([spelled, own]): AnswerRow => ({ spelled, frame, form, own }))

/** The plugin hooks of OpenCode, as of 1.18, in the format of the plugin that hookgate writes for it. */
export const dialect = dialectBy(opencode, {
  namesProject: true,
  rows,
  nameKey: 'event',
  recognises: (wire) => 'sessionID' in wire,
  runsIn: 'session',
})
