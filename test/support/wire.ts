import type { JsonObject } from '../../src/library/index.ts'

/** Agents' events on the wire, with invented values. */
export function claudeShell(command: string, cwd: string, more: object = {}) {
  return {
    session_id: '0b8f6f0c-1f0e-4bb3-9a4e-3d7a0f4a9c11',
    transcript_path: '/home/someone/.claude/projects/p/0b8f6f0c.jsonl',
    cwd,
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command },
    tool_use_id: 'toolu_1',
    ...more,
  }
}

export function claudeEvent(name: string, cwd: string, fields: object = {}) {
  return { session_id: 's', transcript_path: '/t.jsonl', cwd, hook_event_name: name, ...fields }
}

export function clineTool(toolName: string, parameters: Readonly<Record<string, string>>, root: string) {
  return {
    clineVersion: '3.89.2',
    hookName: 'PreToolUse',
    timestamp: '1790000000000',
    taskId: 'task-1',
    workspaceRoots: [root],
    userId: 'someone',
    model: { provider: 'unknown', slug: 'unknown' },
    preToolUse: { toolName, parameters },
  }
}

export function clineSdkTool(name: string, input: JsonObject, root: string) {
  return {
    clineVersion: '',
    hookName: 'tool_call',
    timestamp: '2026-09-21T14:13:20.000Z',
    taskId: 'conv_1',
    workspaceRoots: [root],
    userId: 'someone',
    agent_id: 'agent_1',
    parent_agent_id: null,
    iteration: 1,
    tool_call: { id: 'call_1', name, input },
    preToolUse: { toolName: name, parameters: {} },
  }
}

/** An event of Grok Build 1.0.41, which runs the hooks of Claude Code's settings: both spellings of every field. */
export function grokTool(tool: string, input: JsonObject, root: string, more: object = {}) {
  const [session, call] = ['0198f5f2-6b7c-7d60-9c7b-3f1f5f3f2a10', 'call_0198f5f2']
  const transcript = `/home/someone/.grok/sessions/${session}/chat_history.jsonl`
  return {
    hookEventName: 'pre_tool_use',
    sessionId: session,
    cwd: root,
    workspaceRoot: `${root}/`,
    timestamp: '2026-11-22T09:14:03.221Z',
    transcriptPath: transcript,
    permissionMode: 'bypassPermissions',
    toolName: tool,
    toolUseId: call,
    toolInput: input,
    toolInputTruncated: false,
    hook_event_name: 'PreToolUse',
    session_id: session,
    transcript_path: transcript,
    permission_mode: 'bypassPermissions',
    tool_name: tool,
    tool_input: input,
    tool_use_id: call,
    ...more,
  }
}
