import type { AgentName } from '../../model/agents.ts'
import type { Action } from '../../model/event.ts'
import type { JsonObject } from '../../model/json.ts'
import { callsFor } from '../table/calls.ts'

/** A tool call as Claude Code writes it. */
export interface ToolCall {
  readonly tool_name: string
  readonly tool_input: JsonObject
}

/** A call by any agent as calls of Claude Code's tools. */
export function callsOf(agent: AgentName, action: Action, cwd: string): readonly ToolCall[] {
  return callsFor('claude-code', agent, action, cwd).map(({ name, input }) => ({
    tool_name: name,
    tool_input: agent !== 'claude-code' && name === 'Edit' ? { ...input, replace_all: false } : input,
  }))
}
