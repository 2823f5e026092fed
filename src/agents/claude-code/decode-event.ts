import { basename, isAbsolute } from 'node:path'
import { WireEvent } from './wire.ts'
import { malformed, mismatch } from '../mismatch.ts'
import { actionOf } from '../table/action.ts'
import { withCommand } from '../table/call-input.ts'
import type { Surroundings } from '../../model/dialect.ts'
import type { Action, HookEvent } from '../../model/event.ts'
import { deepFreeze } from '../../model/freeze.ts'
import type { JsonObject } from '../../model/json.ts'

/**
 * Decodes an event of Claude Code.
 *
 * @throws HookgateError `eventMalformed`, naming the fields that are not as Claude Code sends them
 */
export function decodeEvent(wire: JsonObject, surroundings: Surroundings): HookEvent {
  const parsed = WireEvent.safeParse(wire, { reportInput: true })
  if (!parsed.success) throw malformed('claude-code', mismatch(parsed.error.issues))
  const event = parsed.data
  return deepFreeze<HookEvent>({
    name: event.hook_event_name,
    agent: 'claude-code',
    session: sessionOf(event),
    workspaceRoots: [projectFolder(event, surroundings)],
    atMs: surroundings.nowMs,
    ...ownParts(event),
    raw: wire,
  })
}

/** Returns the project's folder: it is named only in the environment, and otherwise the working directory is used. */
function projectFolder(event: WireEvent, { env }: Surroundings): string {
  const named = env['CLAUDE_PROJECT_DIR']
  return named !== undefined && isAbsolute(named) ? named : event.cwd
}

function sessionOf(event: WireEvent): HookEvent['session'] {
  const { session_id: id, cwd, transcript_path: transcriptPath, permission_mode: permissionMode } = event
  const { agent_id: agentId, agent_type: agentType, effort } = event
  return {
    id,
    cwd,
    ...(transcriptPath !== '' && { transcriptPath }),
    ...(permissionMode !== undefined && { permissionMode }),
    ...(effort && { effort: effort.level }),
    ...(agentId !== undefined && { agentId }),
    ...(agentType !== undefined && { agentType }),
  }
}

/**
 * Returns the event-specific parts.
 *
 * The trigger of an event without a tool is the field that the hooks reference names as the matcher's subject.
 */
function ownParts(event: WireEvent): Pick<HookEvent, 'trigger' | 'action' | 'result' | 'prompt' | 'message'> {
  switch (event.hook_event_name) {
    case 'PreToolUse':
    case 'PermissionRequest':
      return { action: withCommand('claude-code', calledTool(event), ['tool_input']) }
    case 'PermissionDenied':
      return { action: calledTool(event) }
    case 'PostToolUse':
      return { action: calledTool(event), result: resultOf(event) }
    case 'PostToolUseFailure':
      return { action: calledTool(event), result: failureOf(event) }
    case 'UserPromptSubmit':
      return { prompt: event.prompt }
    case 'UserPromptExpansion':
      return { trigger: event.command_name, prompt: event.prompt }
    case 'SessionStart':
    case 'ConfigChange':
    case 'DirectoryAdded':
      return { trigger: event.source }
    case 'SessionEnd':
      return { trigger: event.reason }
    case 'Setup':
    case 'PreCompact':
    case 'PostCompact':
      return { trigger: event.trigger }
    case 'Notification':
      return { trigger: event.notification_type, message: event.message }
    case 'Stop':
      return lastMessage(event)
    case 'StopFailure':
      return { trigger: event.error, ...lastMessage(event) }
    case 'SubagentStart':
      return { trigger: event.agent_type }
    case 'SubagentStop':
      return { trigger: event.agent_type, ...lastMessage(event) }
    case 'PreModelSwitch':
    case 'PostModelSwitch':
      return { trigger: event.to_model }
    case 'Elicitation':
      return { trigger: event.mcp_server_name, message: event.message }
    case 'ElicitationResult':
      return { trigger: event.mcp_server_name }
    case 'InstructionsLoaded':
      return { trigger: event.load_reason }
    case 'FileChanged':
      return { trigger: basename(event.file_path) }
    case 'MessageDisplay':
      return { message: event.delta }
    case 'PostToolBatch':
    case 'TeammateIdle':
    case 'TaskCreated':
    case 'TaskCompleted':
    case 'WorktreeCreate':
    case 'WorktreeRemove':
    case 'CwdChanged':
      return {}
  }
}

type ToolEvent = Extract<WireEvent, { tool_name: string }>

function calledTool({ tool_name: name, tool_input: input, tool_use_id: id }: ToolEvent): Action {
  return actionOf('claude-code', name, input, id)
}

function resultOf(event: Extract<WireEvent, { hook_event_name: 'PostToolUse' }>): HookEvent['result'] {
  const { tool_response: output, duration_ms: durationMs } = event
  return {
    succeeded: true,
    ...(output !== undefined && { output }),
    ...(durationMs !== undefined && { durationMs }),
  }
}

function failureOf(event: Extract<WireEvent, { hook_event_name: 'PostToolUseFailure' }>): HookEvent['result'] {
  const { error, duration_ms: durationMs } = event
  return {
    succeeded: false,
    ...(error !== '' && { error }),
    ...(durationMs !== undefined && { durationMs }),
  }
}

function lastMessage({ last_assistant_message: message }: { readonly last_assistant_message?: string | undefined }) {
  return message === undefined ? {} : { message }
}
