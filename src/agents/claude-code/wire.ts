import { basename, isAbsolute, resolve } from 'node:path'
import { z } from 'zod'
import { decodeAnswer } from './decode-answer.ts'
import { encodeVerdict } from './encode-verdict.ts'
import { claudeCode, skillCommand, skillTrigger, support } from './index.ts'
import { anObject, anything } from '../codec/mismatch.ts'
import { eventCodec } from '../table/event-codec.ts'
import { fixed, outputIn, snakeFrame, textIn, together, toolCall, toolResult } from '../table/event-fields.ts'
import type { EventFields, EventFrame } from '../table/table.ts'
import type { Dialect } from '../../model/dialect.ts'
import { EventName } from '../../model/event.ts'
import { isJsonObject, type JsonObject, merged, picked, textAt } from '../../model/json.ts'
import { agents } from '../registry.ts'

/**
 * Returns whether an event is unmistakably Claude Code's.
 *
 * Codex, Qwen Code, Gemini CLI, Copilot, droid and Cursor copied its protocol, with the same event names and common
 * fields, but other tool names, input keys and answers: decoded as Claude Code's, their calls would slip past the
 * rules. So the four common fields must be present, the event must be one of the 34, and no field may be present that
 * one of the others writes and Claude Code does not, as seen in events captured from each of them:
 *
 * - `timestamp` (Qwen, Gemini, Copilot, VS Code), `tool_call_id` (Qwen, VS Code), `conversation_id` (Cursor),
 *   `hookName`, `hook_name` and `taskId` (Cline);
 * - `turn_id` (Codex) and `message_id` (droid), which Claude Code has only on `MessageDisplay`;
 * - `model` (Codex), which Claude Code has only on `SessionStart`, where Codex adds a `permission_mode`;
 * - a permission mode that Claude Code does not have (`yolo`, `auto_edit`, `off`, `auto-low`);
 * - a transcript in another agent's folder, the only mark on some events of Codex and droid.
 */
export function recognises(wire: JsonObject): boolean {
  const spelled = wire['hook_event_name']
  const name = spelled === skillCommand ? 'PreToolUse' : EventName.safeParse(spelled).data
  const transcript = textAt(wire, 'transcript_path')
  if (name === undefined || transcript === undefined) return false
  if (textAt(wire, 'session_id') === undefined || textAt(wire, 'cwd') === undefined) return false
  if (
    transcript.split(/[/\\]/).some((folder) => foreignFolders.has(folder)) ||
    foreignFields.some((field) => field in wire)
  )
    return false
  if (name !== 'MessageDisplay' && ('turn_id' in wire || 'message_id' in wire)) return false
  if ('model' in wire && (name !== 'SessionStart' || 'permission_mode' in wire)) return false
  return !('permission_mode' in wire) || permissionModes.has(wire['permission_mode'])
}

const foreignFields = ['timestamp', 'tool_call_id', 'conversation_id', 'hookName', 'hook_name', 'taskId']
const foreignFolders = new Set<string>(agents.flatMap(({ name, folders }) => (name === 'claude-code' ? [] : folders)))
const permissionModes: ReadonlySet<unknown> = new Set([
  'default',
  'plan',
  'acceptEdits',
  'auto',
  'dontAsk',
  'bypassPermissions',
])

const agent = claudeCode.name
const text = z.string()

/** Excludes the events that Claude Code sends without `permission_mode`, measured or by its hooks reference. */
const withPermissionMode: ReadonlySet<string> = new Set<EventName>([
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'PermissionRequest',
  'PermissionDenied',
  'UserPromptSubmit',
  'UserPromptExpansion',
  'Stop',
  'SubagentStop',
])

/**
 * The fields common to all events.
 *
 * Modes, effort levels and the subjects of matchers are plain strings: later versions add values, and an unknown one
 * must not stop an agent.
 */
const snake = snakeFrame({
  // The project's folder is named only in the environment.
  projectVariables: ['CLAUDE_PROJECT_DIR'],
  extraFields: {
    transcript_path: text,
    prompt_id: text.optional(),
    agent_id: text.optional(),
    agent_type: text.optional(),
    effort: z.looseObject({ level: text }).optional(),
    scratchpad_dir: text.optional(),
  },
})
const frame: EventFrame = {
  ...snake,
  read(wire, around) {
    const { session, workspaceRoots } = snake.read(wire, around)
    const effort = isJsonObject(wire['effort']) ? textAt(wire['effort'], 'level') : undefined
    return { session: { ...session, ...(effort !== undefined && { effort }) }, workspaceRoots, atMs: around.nowMs }
  },
  // In Claude Code's order. A mandatory field whose value is unknown is an empty string.
  write: ({ session }, { spelled }) => ({
    session_id: session.id,
    transcript_path: session.transcriptPath ?? '',
    cwd: session.cwd,
    ...(withPermissionMode.has(spelled) && { permission_mode: session.permissionMode ?? 'default' }),
    ...(session.agentId !== undefined && { agent_id: session.agentId }),
    ...(session.agentType !== undefined && { agent_type: session.agentType }),
    ...(session.effort !== undefined && { effort: { level: session.effort } }),
    hook_event_name: spelled,
  }),
}

/** Another agent's edit replaces one text, as Claude Code's does without `replace_all`. */
const spelling = { added: (name: string): JsonObject => (name === 'Edit' ? { replace_all: false } : {}) }

/** The fields of a call in the order in which Claude Code writes them. A permission request has no id. */
const callOrder = ['tool_name', 'tool_input', 'tool_response', 'tool_use_id', 'error', 'is_interrupt', 'duration_ms']

/** Narrows a call to what Claude Code sends, with more fields of its own, and the values that a hook gets for them. */
function called(call: EventFields, fields: z.ZodRawShape = {}, values: JsonObject = {}): EventFields {
  const server = z.looseObject({ name: text.optional(), source: text.optional() })
  // `tool_use_id` is absent in versions of 2025.
  const common = { tool_input: anObject, tool_use_id: text.optional(), mcp_server: server.optional() }
  return {
    ...call,
    fields: { ...common, ...call.fields, ...fields },
    write(event, around) {
      const keys = callOrder.filter((key) => key !== 'tool_use_id' || event.name !== 'PermissionRequest')
      return call.write(event, around).map((wire) => merged(picked(wire, keys), values))
    },
  }
}

const failed = toolResult(
  agent,
  {
    ...outputIn('tool_response', 'duration_ms'),
    fields: { error: text, is_interrupt: z.boolean().optional(), duration_ms: z.number().optional() },
    read: ({ error, duration_ms: durationMs }) => ({
      succeeded: false,
      ...(typeof error === 'string' && error !== '' && { error }),
      ...(typeof durationMs === 'number' && { durationMs }),
    }),
    write: ({ error = '', durationMs }) => ({
      error,
      is_interrupt: false,
      ...(durationMs !== undefined && { duration_ms: durationMs }),
    }),
  },
  spelling,
)

const lastMessage = textIn('last_assistant_message', 'message')
const stopping = together(
  fixed(
    {
      stop_hook_active: z.boolean(),
      background_tasks: z.array(anything).optional(),
      session_crons: z.array(anything).optional(),
    },
    { stop_hook_active: false },
  ),
  lastMessage,
)
const subagent: EventFields = {
  ...textIn('agent_type', 'trigger'),
  fields: { agent_id: text, agent_type: text },
  write: ({ session, trigger = '' }) => [{ agent_id: session.agentId ?? '', agent_type: session.agentType ?? trigger }],
}
const task = fixed(
  {
    task_id: text,
    task_subject: text,
    task_description: text.optional(),
    teammate_name: text.optional(),
    team_name: text.optional(),
  },
  { task_id: '', task_subject: '' },
)
const modelSwitch = together(
  fixed({ from_model: text }, { from_model: '' }),
  textIn('to_model', 'trigger'),
  fixed({ requested_model: text.nullish(), source: text }, { requested_model: null, source: 'command' }),
)
const elicitation = together(
  textIn('mcp_server_name', 'trigger'),
  fixed({ mode: text.optional(), elicitation_id: text.optional() }, {}),
)
/** Maps a trigger that hooks know, and any other to the least specific word. */
const triggerIn = (key: string, words: readonly string[], otherwise: string): EventFields => ({
  ...textIn(key, 'trigger'),
  write: ({ trigger }) => [{ [key]: trigger !== undefined && words.includes(trigger) ? trigger : otherwise }],
})
const messageIn = (key: string): EventFields => ({
  ...textIn(key, 'message'),
  fields: { [key]: text },
  write: ({ message = '' }) => [{ [key]: message }],
})
const compaction = triggerIn('trigger', ['manual', 'auto'], 'auto')

/** Declares texts that the gate ignores, and that a hook gets empty. */
const texts = (...keys: readonly string[]): EventFields =>
  fixed(Object.fromEntries(keys.map((key) => [key, text])), Object.fromEntries(keys.map((key) => [key, ''])))
const optionalTexts = (...keys: readonly string[]): EventFields =>
  fixed(Object.fromEntries(keys.map((key) => [key, text.optional()])), {})

const fieldsOfSkill = { command_name: text.optional(), command_source: text.optional(), invoked_by: text.optional() }

/**
 * The 33 events of the hooks reference and of the published types, as of 2.1.329, each with its own fields; `ofSkill` is that of 2.1.332.
 *
 * The trigger of an event without a tool is the field that the hooks reference names as the matcher's subject.
 * `tool_response` keeps the shape of the calling agent's own tool: the shapes of Claude Code's could only be made up.
 */
const events: Readonly<Record<EventName, EventFields>> = {
  PreToolUse: called(toolCall(agent, spelling)),
  PostToolUse: called(toolResult(agent, outputIn('tool_response', 'duration_ms'), spelling)),
  PostToolUseFailure: called(failed),
  PostToolBatch: fixed(
    {
      tool_calls: z.array(
        z.looseObject({ tool_name: text.min(1), tool_input: anObject, tool_use_id: text.optional() }),
      ),
    },
    { tool_calls: [] },
  ),
  PermissionRequest: called(toolCall(agent, spelling), { permission_suggestions: z.array(anything).optional() }),
  PermissionDenied: called(toolCall(agent, spelling, 'after'), { reason: text }, { reason: '' }),
  Notification: together(messageIn('message'), optionalTexts('title'), textIn('notification_type', 'trigger')),
  UserPromptSubmit: together(textIn('prompt', 'prompt'), optionalTexts('source', 'session_title')),
  UserPromptExpansion: together(
    fixed({ expansion_type: text }, { expansion_type: 'slash_command' }),
    textIn('command_name', 'trigger'),
    texts('command_args'),
    optionalTexts('command_source'),
    textIn('prompt', 'prompt'),
  ),
  SessionStart: together(
    triggerIn('source', ['startup', 'resume', 'clear', 'compact', 'fork'], 'startup'),
    optionalTexts('model', 'session_title'),
  ),
  SessionEnd: triggerIn('reason', ['clear', 'resume', 'logout', 'prompt_input_exit', 'other'], 'other'),
  Setup: triggerIn('trigger', ['init', 'maintenance'], 'init'),
  Stop: stopping,
  StopFailure: together(textIn('error', 'trigger', 'unknown'), lastMessage),
  SubagentStart: subagent,
  SubagentStop: together(subagent, stopping, optionalTexts('agent_transcript_path')),
  PreCompact: together(compaction, fixed({ custom_instructions: text.nullish() }, { custom_instructions: null })),
  PostCompact: together(compaction, texts('compact_summary')),
  PreModelSwitch: modelSwitch,
  PostModelSwitch: modelSwitch,
  TeammateIdle: texts('teammate_name', 'team_name'),
  TaskCreated: task,
  TaskCompleted: task,
  Elicitation: together(
    elicitation,
    messageIn('message'),
    fixed({ url: text.optional(), requested_schema: anObject.optional() }, {}),
  ),
  ElicitationResult: together(elicitation, fixed({ action: text, content: anObject.optional() }, { action: 'cancel' })),
  ConfigChange: together(textIn('source', 'trigger'), optionalTexts('file_path')),
  WorktreeCreate: texts('name'),
  WorktreeRemove: texts('worktree_path'),
  InstructionsLoaded: together(
    texts('file_path', 'memory_type'),
    textIn('load_reason', 'trigger'),
    fixed({ globs: z.array(text).optional() }, {}),
    optionalTexts('trigger_file_path', 'parent_file_path'),
  ),
  CwdChanged: {
    ...texts('old_cwd', 'new_cwd'),
    write: ({ session }) => [{ old_cwd: '', new_cwd: session.cwd }],
  },
  FileChanged: {
    fields: { file_path: text, event: text },
    read: (wire) => ({ trigger: basename(textAt(wire, 'file_path') ?? '') }),
    write: ({ session, trigger = '' }) => [{ file_path: resolve(session.cwd, trigger), event: 'change' }],
  },
  DirectoryAdded: together(texts('directory'), textIn('source', 'trigger')),
  MessageDisplay: together(
    texts('turn_id', 'message_id'),
    fixed({ index: z.number(), final: z.boolean() }, { index: 0, final: true }),
    messageIn('delta'),
  ),
}

/** A command in the text of a skill or slash command, filled in as it would run. No tool call of the model names its id. */
const ofSkill: EventFields = {
  ...events.PreToolUse,
  fields: { ...events.PreToolUse.fields, ...fixed(fieldsOfSkill, {}).fields },
  read: (wire, around) => ({ ...events.PreToolUse.read(wire, around), trigger: skillTrigger }),
  write: (event, around) =>
    events.PreToolUse.write(event, around).map((call) =>
      merged(call, { command_name: '', command_source: '', invoked_by: 'other' }),
    ),
}

/**
 * The events, and the environment of a hook.
 *
 * It is the agent's own without the telemetry settings, so that a hook does not report as the agent, and with the
 * session's variables.
 */
const codec = eventCodec(claudeCode, {
  rows: [
    ...EventName.options.map((name) => ({ spelled: name, frame, own: events[name] })),
    { spelled: skillCommand, frame, own: ofSkill },
  ],
  recognises,
  runsIn: 'session',
  withholds: (name) => name.startsWith('OTEL_') || name === 'CLAUDE_EFFORT',
  variables({ agent: caller, session }, root, { CLAUDE_PROJECT_DIR: named }) {
    // Beside another agent, the variable is ignored: five agents export it, and it may be a parent session's.
    const isOwn = caller === agent && named !== undefined && isAbsolute(named)
    return {
      CLAUDECODE: '1',
      CLAUDE_PROJECT_DIR: isOwn ? named : root,
      CLAUDE_CODE_SESSION_ID: session.id,
      ...(session.effort !== undefined && { CLAUDE_EFFORT: session.effort }),
    }
  },
})

/** The hooks of Claude Code, as of 2.1.329. */
export const dialect: Dialect = { ...codec.dialect, support, encodeVerdict, decodeAnswer }
