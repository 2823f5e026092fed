import { z } from 'zod'
import { grokBuild } from './index.ts'
import { fixed, outputIn, sessionSource, textIn, together, toolCall, toolResult } from '../table/event-fields.ts'
import { claudeRows } from '../table/claude-form.ts'
import { dialectBy } from '../table/dialect-by.ts'
import type { AnswerRow, EventFields, EventFrame, EventRow } from '../table/table.ts'
import { toolKind } from '../tool-names.ts'
import { type JsonObject, textAt } from '../../model/json.ts'
import { withoutEnd } from '../../model/text.ts'

const agent = grokBuild.name

/** Its own fields that it also sends under Claude Code's names, which not all versions do. */
const aliases: Readonly<Record<string, string>> = {
  sessionId: 'session_id',
  transcriptPath: 'transcript_path',
  permissionMode: 'permission_mode',
  toolName: 'tool_name',
  toolInput: 'tool_input',
  toolUseId: 'tool_use_id',
  toolResult: 'tool_response',
  durationMs: 'duration_ms',
}

function withAliases(fields: JsonObject): JsonObject {
  const more = Object.entries(fields).flatMap(([key, value]) => {
    const alias = aliases[key]
    return alias === undefined ? [] : [[alias, value] as const]
  })
  return { ...fields, ...Object.fromEntries(more) }
}

const aliased = (own: EventFields): EventFields => ({
  ...own,
  write: (event, frame) => own.write(event, frame).map(withAliases),
})

/** Grok's own name of an event: `PreToolUse` is `pre_tool_use`. */
const ownName = (spelled: string) => spelled.replace(/(?!^)[A-Z]/g, '_$&').toLowerCase()

const frame: EventFrame = {
  shape: {
    hookEventName: z.string(),
    sessionId: z.string(),
    cwd: z.string(),
    workspaceRoot: z.string().optional(),
    timestamp: z.string().optional(),
    transcriptPath: z.string().nullish(),
    permissionMode: z.string().optional(),
  },
  read(wire, { nowMs, cwd: here }) {
    const cwd = textAt(wire, 'cwd') || here
    const transcriptPath = textAt(wire, 'transcriptPath')
    const permissionMode = textAt(wire, 'permissionMode')
    const root = textAt(wire, 'workspaceRoot') ?? ''
    const agentId = textAt(wire, 'subagentId')
    const agentType = textAt(wire, 'subagentType')
    const sentAtMs = Date.parse(textAt(wire, 'timestamp') ?? '')
    return {
      session: {
        id: textAt(wire, 'sessionId') ?? '',
        cwd,
        ...(transcriptPath && { transcriptPath }),
        ...(permissionMode !== undefined && { permissionMode }),
        ...(agentId !== undefined && { agentId }),
        ...(agentType !== undefined && { agentType }),
      },
      workspaceRoots: [withoutEnd(root, '/') || root.slice(0, 1) || cwd],
      atMs: Number.isNaN(sentAtMs) ? nowMs : sentAtMs,
    }
  },
  write: ({ session, workspaceRoots: [root = session.cwd], atMs }, { spelled }) =>
    withAliases({
      hookEventName: ownName(spelled),
      hook_event_name: spelled,
      sessionId: session.id,
      cwd: session.cwd,
      workspaceRoot: root,
      timestamp: new Date(atMs).toISOString(),
      ...(session.transcriptPath !== undefined && { transcriptPath: session.transcriptPath }),
      permissionMode: session.permissionMode ?? 'default',
      ...(session.agentId !== undefined && { subagentId: session.agentId }),
      ...(session.agentType !== undefined && { subagentType: session.agentType }),
    }),
  call: { name: 'toolName', input: 'toolInput', id: 'toolUseId' },
}

/** MCP tools are `server__tool`; no tool of its own has two underscores. */
const spelling = {
  mcp(name: string): readonly [string, string] | undefined {
    if (toolKind(agent, name) !== 'other') return undefined
    const [, server, tool] = /^(.+?)__(.+)$/s.exec(name) ?? []
    return server === undefined || tool === undefined ? undefined : [server, tool]
  },
}

const call = aliased(toolCall(agent, spelling))
const result = aliased(toolResult(agent, outputIn('toolResult', 'durationMs'), spelling))
const failure = aliased(toolResult(agent, outputIn('toolResult', 'durationMs', 'error'), spelling))
const denied = aliased(toolCall(agent, spelling, 'after'))

const message = textIn('lastAssistantMessage', 'message')
const stopping = together(
  fixed({ stopHookActive: z.boolean().optional(), reason: z.string().optional() }, { stopHookActive: false }),
  message,
)
const subagent = textIn('subagentType', 'trigger')

/** The events of Grok 1.0.41, as its hooks received them; unobserved ones follow its source of August 2026. */
const rows = claudeRows({
  frame,
  form: { effects: ['ask'], alsoRefuses: ['block', 'deny'], alsoAsks: true, stopAtCall: 'void' },
  events: [
    ['PreToolUse', 'permission', call],
    ['PostToolUse', 'block', result],
    ['PostToolUseFailure', 'nothing', failure],
    ['PermissionDenied', 'nothing', denied],
    ['UserPromptSubmit', 'block', textIn('prompt', 'prompt')],
    ['SessionStart', 'nothing', sessionSource],
    ['SessionEnd', 'nothing', textIn('reason', 'trigger', 'other')],
    ['Stop', 'block', stopping],
    ['StopFailure', 'nothing', together(textIn('error', 'trigger', 'unknown'), message)],
    ['SubagentStart', 'nothing', subagent],
    ['SubagentStop', 'block', together(subagent, stopping)],
    ['PreCompact', 'nothing', textIn('source', 'trigger', 'auto')],
    ['PostCompact', 'nothing', textIn('source', 'trigger', 'auto')],
    ['Notification', 'nothing', together(textIn('notificationType', 'trigger'), textIn('message', 'message'))],
  ],
})

const rowOf = (wire: JsonObject, among: readonly EventRow<AnswerRow>[]) =>
  among.find(({ spelled }) => ownName(spelled) === wire['hookEventName'])

/** The hooks of Grok Build, as of 1.0.41. */
export const dialect = dialectBy(grokBuild, {
  namesProject: true,
  rows,
  rowOf,
  nameKey: 'hookEventName',
  // A refusal in JSON counts whatever the code, and code 2 is one whatever was printed.
  outcome: (exitCode) => (exitCode === 2 ? 'refuses' : 'reads'),
  runsIn: 'session',
  variables: (event, root) => ({
    GROK_HOOK_EVENT: ownName(event.name),
    GROK_SESSION_ID: event.session.id,
    GROK_WORKSPACE_ROOT: root,
    CLAUDE_PROJECT_DIR: root,
  }),
})
