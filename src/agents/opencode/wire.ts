import { z } from 'zod'
import type { Carries } from '../../model/dialect.ts'
import type { EventName } from '../../model/event.ts'
import type { JsonObject } from '../../model/json.ts'
import { mcpNameFor } from '../../model/mcp-names.ts'
import { toolKind } from '../../model/tool-names.ts'
import { outputIn, type Own, textIn, toolCall, toolResult } from '../table/own.ts'
import type { EventRow, Frame } from '../table/table.ts'
import { textAt } from '../text-at.ts'
import { carries } from './carries.ts'
import { opencodeForm } from './form.ts'

const agent = 'opencode'

/** OpenCode has no hook processes: this is what the plugin that hookgate writes for it makes of what a plugin is given. */
const frame: Frame = {
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

/** MCP tools are `server_tool`; its own have no `_`, but for one. */
const spelling = {
  mcp(name: string, _wire: JsonObject): readonly [string, string] | undefined {
    if (toolKind(agent, name) !== 'other') return undefined
    const [, server, tool] = /^([^_]+)_(.+)$/s.exec(name) ?? []
    return server === undefined || tool === undefined ? undefined : [server, tool]
  },
  write: (name: string) => mcpNameFor(agent, name),
}

const call = toolCall(agent, spelling)

type Name = keyof typeof carries
const events: readonly (readonly [name: Name, event: EventName, own: Own])[] = [
  ['tool.execute.before', 'PreToolUse', call],
  ['permission.ask', 'PermissionRequest', call],
  ['tool.execute.after', 'PostToolUse', toolResult(agent, outputIn('output', 'durationMs'), spelling)],
  ['chat.message', 'UserPromptSubmit', textIn('prompt', 'prompt')],
  ['session.created', 'SessionStart', textIn('source', 'trigger', 'startup')],
  ['session.deleted', 'SessionEnd', textIn('reason', 'trigger', 'other')],
  ['session.idle', 'Stop', textIn('message', 'message')],
  ['experimental.session.compacting', 'PreCompact', textIn('trigger', 'trigger', 'auto')],
]

const carriesOf = (name: Name): Carries => carries[name]

export const rows: readonly EventRow[] = events.map(([spelled, event, own]) => ({
  spelled,
  event,
  frame,
  carries: carriesOf(spelled),
  form: opencodeForm,
  fields: own.fields,
  call: own.call,
  read: own.read,
  write: own.write,
}))
