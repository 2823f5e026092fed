import { z } from 'zod'
import type { AgentDescriptor } from '../descriptor.ts'
import { anObject, anything, mismatch } from '../codec/mismatch.ts'
import { toolKind } from '../tool-names.ts'
import { folderOfCall } from './tool-use.ts'
import { dialectBy } from './dialect-by.ts'
import { outputIn, textIn, toolCall, toolResult } from './event-fields.ts'
import type { AnswerFormat, EventFrame, AnswerRow } from './table.ts'
import type { Dialect } from '../../model/dialect.ts'
import { given, type JsonObject, textAt } from '../../model/json.ts'

/** The frame that hookgate's plugin makes of a plugin's arguments, since its agents have no hook processes. */
const frameOf = (agent: string): EventFrame => ({
  shape: {
    agent: z.string().optional(),
    event: z.string(),
    sessionID: z.string(),
    rootSessionID: z.string().optional(),
    directory: z.string(),
    worktree: z.string().optional(),
  },
  read(wire, { nowMs }) {
    const directory = textAt(wire, 'directory') ?? ''
    const cwd = folderOfCall(wire['args'], 'workdir', directory)
    const { timestamp } = wire
    return {
      session: { id: textAt(wire, 'sessionID') ?? '', ...given('rootId', textAt(wire, 'rootSessionID')), cwd },
      workspaceRoots: [textAt(wire, 'worktree') || directory],
      atMs: typeof timestamp === 'number' ? timestamp : nowMs,
    }
  },
  write: ({ session, workspaceRoots: [root = session.cwd], atMs }, { spelled }) => ({
    event: spelled,
    agent,
    sessionID: session.id,
    ...(session.rootId !== undefined && { rootSessionID: session.rootId }),
    directory: session.cwd,
    worktree: root,
    timestamp: atMs,
  }),
  call: { name: 'tool', input: 'args', id: 'callID' },
})

const Answer = z.looseObject({
  status: z.enum(['allow', 'deny', 'ask']).optional(),
  reason: z.string().optional(),
  args: anObject.optional(),
  output: anything.optional(),
  context: z.string().optional(),
})

/** Encodes and decodes the plugin's answers: OpenCode's own `status` of a permission, new arguments, texts to add. */
export const pluginAnswers: AnswerFormat = {
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

/**
 * Makes the dialect of an agent that loads hookgate's plugin.
 *
 * MCP tools are `server_tool`, like some tools of the agent's own, which its descriptor or the list has to name.
 */
export function pluginDialect(descriptor: AgentDescriptor, ownTools: readonly string[] = []): Dialect {
  const { name: agent } = descriptor
  const spelling = {
    mcp(name: string): readonly [string, string] | undefined {
      if (toolKind(agent, name) !== 'other' || ownTools.includes(name)) return undefined
      const [, server, tool] = /^([^_]+)_(.+)$/s.exec(name) ?? []
      return server === undefined || tool === undefined ? undefined : [server, tool]
    },
  }
  const frame = frameOf(agent)
  const call = toolCall(agent, spelling)
  const events = [
    ['tool.execute.before', call],
    ['permission.ask', call],
    ['tool.execute.after', toolResult(agent, outputIn('output', 'durationMs'), spelling)],
    ['chat.message', textIn('prompt', 'prompt')],
    ['session.created', textIn('source', 'trigger', 'startup')],
    ['session.deleted', textIn('reason', 'trigger', 'other')],
    ['session.idle', textIn('message', 'message')],
    ['experimental.session.compacting', textIn('trigger', 'trigger', 'auto')],
  ] as const
  return dialectBy(descriptor, {
    namesProject: true,
    rows: events.map(([spelled, own]): AnswerRow => ({ spelled, frame, form: pluginAnswers, own })),
    nameKey: 'event',
    recognises: (wire) => 'sessionID' in wire && wire['agent'] === agent,
    runsIn: 'session',
  })
}
