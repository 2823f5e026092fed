import { resolve } from 'node:path'
import { callsFor } from '../table/calls.ts'
import type { Action, AgentName, EventName, HookEvent } from '../../model/event.ts'
import type { JsonObject } from '../../model/json.ts'

/**
 * Encodes an event for a Claude Code hook.
 *
 * An event of Claude Code itself is passed on untouched. A call by another agent becomes one event for each file that
 * it touches, since Claude Code's tools take one, and none if it cannot be translated.
 */
export function encodeEvent(event: HookEvent): readonly JsonObject[] {
  if (event.agent === 'claude-code' && 'hook_event_name' in event.raw) return [event.raw]
  const common = commonFields(event)
  const own = ownFields[event.name]
  const whole = (fields: JsonObject): JsonObject => ({ ...common, ...fields })
  if (own.of === 'event') return [whole(own.fields(event))]
  if (event.action === undefined) return []
  return callsOf(event.agent, event.action, event.session.cwd).map((call) => whole(own.fields(event, call)))
}

/** Excludes the events that Claude Code sends without `permission_mode`, measured or by its hooks reference. */
const withPermissionMode: ReadonlySet<EventName> = new Set<EventName>([
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

/** Returns the common fields in Claude Code's order. A mandatory field whose value is unknown is an empty string. */
function commonFields({ name, session }: HookEvent): JsonObject {
  return {
    session_id: session.id,
    transcript_path: session.transcriptPath ?? '',
    cwd: session.cwd,
    ...(withPermissionMode.has(name) && { permission_mode: session.permissionMode ?? 'default' }),
    ...(session.agentId !== undefined && { agent_id: session.agentId }),
    ...(session.agentType !== undefined && { agent_type: session.agentType }),
    ...(session.effort !== undefined && { effort: { level: session.effort } }),
    hook_event_name: name,
  }
}

type OwnFields =
  | { readonly of: 'event'; readonly fields: (event: HookEvent) => JsonObject }
  | { readonly of: 'call'; readonly fields: (event: HookEvent, call: ToolCall) => JsonObject }

const ofEvent = (fields: (event: HookEvent) => JsonObject): OwnFields => ({ of: 'event', fields })
const ofCall = (fields: (event: HookEvent, call: ToolCall) => JsonObject): OwnFields => ({ of: 'call', fields })

const id = ({ action }: HookEvent) => ({ tool_use_id: action?.id ?? '' })
const duration = ({ result }: HookEvent) => result?.durationMs !== undefined && { duration_ms: result.durationMs }
const lastMessage = ({ message }: HookEvent) => message !== undefined && { last_assistant_message: message }
const stopping = (event: HookEvent) => ({ stop_hook_active: false, ...lastMessage(event) })
const agentType = ({ session, trigger = '' }: HookEvent) => ({
  agent_id: session.agentId ?? '',
  agent_type: session.agentType ?? trigger,
})
const task = () => ({ task_id: '', task_subject: '' })
const modelSwitch = ({ trigger = '' }: HookEvent) => ({
  from_model: '',
  to_model: trigger,
  requested_model: null,
  source: 'command',
})

/** Returns the trigger if hooks know it, else the least specific word. */
function oneOf(words: readonly string[], trigger: string | undefined, otherwise: string): string {
  return trigger !== undefined && words.includes(trigger) ? trigger : otherwise
}
const startSources = ['startup', 'resume', 'clear', 'compact', 'fork']
const endReasons = ['clear', 'resume', 'logout', 'prompt_input_exit', 'other']

/**
 * The fields of each event, as far as a `HookEvent` of another agent can fill them.
 *
 * `tool_response` keeps the shape of the agent's own tool: the shapes of Claude Code's tools could only be made up.
 */
const ownFields: Readonly<Record<EventName, OwnFields>> = {
  PreToolUse: ofCall((event, call) => ({ ...call, ...id(event) })),
  PostToolUse: ofCall((event, call) => ({
    ...call,
    ...(event.result?.output !== undefined && { tool_response: event.result.output }),
    ...id(event),
    ...duration(event),
  })),
  PostToolUseFailure: ofCall((event, call) => ({
    ...call,
    ...id(event),
    error: event.result?.error ?? '',
    is_interrupt: false,
    ...duration(event),
  })),
  PostToolBatch: ofEvent(() => ({ tool_calls: [] })),
  PermissionRequest: ofCall((_event, call) => ({ ...call })),
  PermissionDenied: ofCall((event, call) => ({ ...call, ...id(event), reason: '' })),
  Notification: ofEvent(({ message = '', trigger = '' }) => ({ message, notification_type: trigger })),
  UserPromptSubmit: ofEvent(({ prompt = '' }) => ({ prompt })),
  UserPromptExpansion: ofEvent(({ trigger = '', prompt = '' }) => ({
    expansion_type: 'slash_command',
    command_name: trigger,
    command_args: '',
    prompt,
  })),
  SessionStart: ofEvent(({ trigger }) => ({ source: oneOf(startSources, trigger, 'startup') })),
  SessionEnd: ofEvent(({ trigger }) => ({ reason: oneOf(endReasons, trigger, 'other') })),
  Setup: ofEvent(({ trigger }) => ({ trigger: oneOf(['init', 'maintenance'], trigger, 'init') })),
  Stop: ofEvent(stopping),
  StopFailure: ofEvent((event) => ({ error: event.trigger ?? 'unknown', ...lastMessage(event) })),
  SubagentStart: ofEvent(agentType),
  SubagentStop: ofEvent((event) => ({ ...agentType(event), ...stopping(event) })),
  PreCompact: ofEvent(({ trigger }) => ({
    trigger: oneOf(['manual', 'auto'], trigger, 'auto'),
    custom_instructions: null,
  })),
  PostCompact: ofEvent(({ trigger }) => ({
    trigger: oneOf(['manual', 'auto'], trigger, 'auto'),
    compact_summary: '',
  })),
  PreModelSwitch: ofEvent(modelSwitch),
  PostModelSwitch: ofEvent(modelSwitch),
  TeammateIdle: ofEvent(() => ({ teammate_name: '', team_name: '' })),
  TaskCreated: ofEvent(task),
  TaskCompleted: ofEvent(task),
  Elicitation: ofEvent(({ trigger = '', message = '' }) => ({ mcp_server_name: trigger, message })),
  ElicitationResult: ofEvent(({ trigger = '' }) => ({ mcp_server_name: trigger, action: 'cancel' })),
  ConfigChange: ofEvent(({ trigger = '' }) => ({ source: trigger })),
  WorktreeCreate: ofEvent(() => ({ name: '' })),
  WorktreeRemove: ofEvent(() => ({ worktree_path: '' })),
  InstructionsLoaded: ofEvent(({ trigger = '' }) => ({ file_path: '', memory_type: '', load_reason: trigger })),
  CwdChanged: ofEvent(({ session }) => ({ old_cwd: '', new_cwd: session.cwd })),
  FileChanged: ofEvent(({ session, trigger = '' }) => ({ file_path: resolve(session.cwd, trigger), event: 'change' })),
  DirectoryAdded: ofEvent(({ trigger = '' }) => ({ directory: '', source: trigger })),
  MessageDisplay: ofEvent(({ message = '' }) => ({
    turn_id: '',
    message_id: '',
    index: 0,
    final: true,
    delta: message,
  })),
}

/** A tool call in Claude Code's format. */
export interface ToolCall {
  readonly tool_name: string
  readonly tool_input: JsonObject
}

/** Translates a call by any agent into calls of Claude Code's tools. */
export function callsOf(agent: AgentName, action: Action, cwd: string): readonly ToolCall[] {
  return callsFor('claude-code', agent, action, cwd).map(({ name, input }) => ({
    tool_name: name,
    tool_input: agent !== 'claude-code' && name === 'Edit' ? { ...input, replace_all: false } : input,
  }))
}
