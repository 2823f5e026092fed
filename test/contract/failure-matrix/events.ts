import { shellCall } from '../../../src/agents/neutral-call.ts'
import type { KnownAgent } from '../../../src/agents/registry.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../src/model/json.ts'
import { limits } from '../../../src/model/limits.ts'
import { type Cause, commandOf, type Row, type Way } from './row.ts'

/** Builds a row's event as the agent would send it. */
export async function eventOf(row: Row, agent: KnownAgent, way: Way, cwd: string): Promise<string> {
  const { cause } = row
  const padding = cause.kind === 'policy' ? (cause.paddingCharacters ?? 0) : 0
  const event = await shellEvent(agent, commandOf(row, agent, way), cwd, 'x'.repeat(padding))
  return spoilt(JSON.stringify(event), cause)
}

/** A `PreToolUse` event for a shell command. */
export async function shellEvent(
  agent: KnownAgent,
  command: string,
  cwd: string,
  description = '',
): Promise<JsonObject> {
  return shellEvents[agent]?.({ command, description }, cwd) ?? translated(agent, { command, description }, cwd)
}

type ShellInput = Readonly<Record<'command' | 'description', string>>
const shellEvents: { readonly [Agent in KnownAgent]?: (input: ShellInput, cwd: string) => JsonObject } = {
  'claude-code': (input, cwd) => ({
    session_id: 'hookgate-doctor',
    transcript_path: '',
    cwd,
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: input,
    tool_use_id: 'hookgate-doctor',
  }),
  cline: (parameters, cwd) => ({
    clineVersion: 'hookgate-doctor',
    hookName: 'PreToolUse',
    timestamp: `${Date.now()}`,
    taskId: 'hookgate-doctor',
    workspaceRoots: [cwd],
    userId: 'hookgate-doctor',
    preToolUse: { toolName: 'execute_command', parameters },
  }),
}

/** Encodes the call for the agent, and adds the description beside the command. */
async function translated(agent: KnownAgent, input: ShellInput, cwd: string): Promise<JsonObject> {
  const { command, description } = input
  const wire = await shellCall(agent, command, cwd, 'hookgate-doctor')
  const entries = Object.entries(wire).map(([key, value]): [string, Json] =>
    isJsonObject(value) && Object.values(value).includes(command) ? [key, { ...value, description }] : [key, value],
  )
  return Object.fromEntries(entries)
}

function spoilt(event: string, cause: Cause): string {
  if (cause.kind !== 'event') return event
  switch (cause.event) {
    case 'malformed':
      return event.slice(0, -1)
    case 'tooLarge':
      return event + ' '.repeat(limits.eventBytesMax)
  }
}
