import { z } from 'zod'
import type { EventName } from '../../model/event.ts'
import { anObject, anything } from '../json-schemas.ts'

/**
 * The fields common to all events, in the order in which Claude Code 2.1.329 writes them.
 *
 * Modes, effort levels and the subjects of matchers are plain strings: later versions add values, and an unknown one
 * must not stop an agent.
 */
const common = {
  session_id: z.string(),
  transcript_path: z.string(),
  cwd: z.string(),
  prompt_id: z.string().optional(),
  permission_mode: z.string().optional(),
  agent_id: z.string().optional(),
  agent_type: z.string().optional(),
  effort: z.looseObject({ level: z.string() }).optional(),
  scratchpad_dir: z.string().optional(),
}

/** Allows unknown fields: later versions add some, and hooks must receive them all. */
function event<const Name extends EventName, Fields extends z.ZodRawShape>(name: Name, fields: Fields) {
  return z.looseObject({ ...common, hook_event_name: z.literal(name), ...fields })
}

const toolCall = {
  tool_name: z.string().min(1),
  tool_input: anObject,
  // Absent in versions of 2025.
  tool_use_id: z.string().optional(),
  mcp_server: z.looseObject({ name: z.string().optional(), source: z.string().optional() }).optional(),
}
const stopping = {
  stop_hook_active: z.boolean(),
  last_assistant_message: z.string().optional(),
  background_tasks: z.array(anything).optional(),
  session_crons: z.array(anything).optional(),
}
const task = {
  task_id: z.string(),
  task_subject: z.string(),
  task_description: z.string().optional(),
  teammate_name: z.string().optional(),
  team_name: z.string().optional(),
}
const modelSwitch = {
  from_model: z.string(),
  to_model: z.string(),
  requested_model: z.string().nullable().optional(),
  source: z.string(),
}
const elicitation = {
  mcp_server_name: z.string(),
  mode: z.string().optional(),
  elicitation_id: z.string().optional(),
}

/** The 33 events of the hooks reference and of the published types, each with its own fields. */
const eventSchemas = [
  event('PreToolUse', toolCall),
  event('PostToolUse', { ...toolCall, tool_response: anything.optional(), duration_ms: z.number().optional() }),
  event('PostToolUseFailure', {
    ...toolCall,
    error: z.string(),
    is_interrupt: z.boolean().optional(),
    duration_ms: z.number().optional(),
  }),
  event('PostToolBatch', {
    tool_calls: z.array(z.looseObject({ ...toolCall, tool_response: anything.optional() })),
  }),
  event('PermissionRequest', { ...toolCall, permission_suggestions: z.array(anything).optional() }),
  event('PermissionDenied', { ...toolCall, reason: z.string() }),
  event('Notification', { message: z.string(), title: z.string().optional(), notification_type: z.string() }),
  event('UserPromptSubmit', {
    prompt: z.string(),
    source: z.string().optional(),
    session_title: z.string().optional(),
  }),
  event('UserPromptExpansion', {
    expansion_type: z.string(),
    command_name: z.string(),
    command_args: z.string(),
    command_source: z.string().optional(),
    prompt: z.string(),
  }),
  event('SessionStart', {
    source: z.string(),
    model: z.string().optional(),
    session_title: z.string().optional(),
  }),
  event('SessionEnd', { reason: z.string() }),
  event('Setup', { trigger: z.string() }),
  event('Stop', stopping),
  event('StopFailure', { error: z.string(), last_assistant_message: z.string().optional() }),
  event('SubagentStart', { agent_id: z.string(), agent_type: z.string() }),
  event('SubagentStop', {
    ...stopping,
    agent_id: z.string(),
    agent_type: z.string(),
    agent_transcript_path: z.string().optional(),
  }),
  event('PreCompact', { trigger: z.string(), custom_instructions: z.string().nullable().optional() }),
  event('PostCompact', { trigger: z.string(), compact_summary: z.string() }),
  event('PreModelSwitch', modelSwitch),
  event('PostModelSwitch', modelSwitch),
  event('TeammateIdle', { teammate_name: z.string(), team_name: z.string() }),
  event('TaskCreated', task),
  event('TaskCompleted', task),
  event('Elicitation', {
    ...elicitation,
    message: z.string(),
    url: z.string().optional(),
    requested_schema: anObject.optional(),
  }),
  event('ElicitationResult', { ...elicitation, action: z.string(), content: anObject.optional() }),
  event('ConfigChange', { source: z.string(), file_path: z.string().optional() }),
  event('WorktreeCreate', { name: z.string() }),
  event('WorktreeRemove', { worktree_path: z.string() }),
  event('InstructionsLoaded', {
    file_path: z.string(),
    memory_type: z.string(),
    load_reason: z.string(),
    globs: z.array(z.string()).optional(),
    trigger_file_path: z.string().optional(),
    parent_file_path: z.string().optional(),
  }),
  event('CwdChanged', { old_cwd: z.string(), new_cwd: z.string() }),
  event('FileChanged', { file_path: z.string(), event: z.string() }),
  event('DirectoryAdded', { directory: z.string(), source: z.string() }),
  event('MessageDisplay', {
    turn_id: z.string(),
    message_id: z.string(),
    index: z.number(),
    final: z.boolean(),
    delta: z.string(),
  }),
] as const

/** The JSON that Claude Code writes to a hook's stdin. */
export const WireEvent = z.discriminatedUnion('hook_event_name', eventSchemas, 'the name of a Claude Code event')
export type WireEvent = z.infer<typeof WireEvent>
