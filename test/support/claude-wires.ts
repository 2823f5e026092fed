import { dialect as claudeCode } from '../../src/agents/claude-code/wire.ts'
import type { EventName, HookEvent } from '../../src/model/event.ts'
import { type JsonObject, parseJsonObject } from '../../src/model/json.ts'

const session = '5d0c1c52-7c1b-4f0e-9a53-6f2f3c1d8e77'

/** The fields before `hook_event_name`, as Claude Code orders them. */
const outside = {
  session_id: session,
  transcript_path: `/home/someone/.claude/projects/-home-someone-app/${session}.jsonl`,
  cwd: '/home/someone/app',
}
const prompted = { ...outside, prompt_id: '0e1f5a52-51a9-4c1c-8ad4-0b1c3a2f6f10' }
const permitted = { ...prompted, permission_mode: 'acceptEdits' }
const calling = { ...permitted, effort: { level: 'high' } }
const bash = { tool_name: 'Bash', tool_input: { command: 'npm test', description: 'Run the tests' } }

/** One event of each kind in the shape in which Claude Code 2.1.329 sends it, with invented values. */
const claudeWires = {
  PreToolUse: { ...calling, hook_event_name: 'PreToolUse', ...bash, tool_use_id: 'toolu_01' },
  PostToolUse: {
    ...calling,
    hook_event_name: 'PostToolUse',
    ...bash,
    tool_response: { stdout: 'ok', stderr: '', interrupted: false, isImage: false, noOutputExpected: false },
    tool_use_id: 'toolu_01',
    duration_ms: 812,
  },
  PostToolUseFailure: {
    ...calling,
    hook_event_name: 'PostToolUseFailure',
    ...bash,
    tool_use_id: 'toolu_01',
    error: 'Exit code 2',
    is_interrupt: false,
    duration_ms: 40,
  },
  PostToolBatch: {
    ...calling,
    hook_event_name: 'PostToolBatch',
    tool_calls: [{ ...bash, tool_use_id: 'toolu_01', tool_response: 'ok' }],
  },
  PermissionRequest: {
    ...calling,
    hook_event_name: 'PermissionRequest',
    ...bash,
    permission_suggestions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
  },
  PermissionDenied: {
    ...calling,
    hook_event_name: 'PermissionDenied',
    ...bash,
    tool_use_id: 'toolu_01',
    reason: 'not in auto mode',
  },
  Notification: {
    ...prompted,
    hook_event_name: 'Notification',
    message: 'Claude needs your permission',
    title: 'Claude Code',
    notification_type: 'permission_prompt',
  },
  UserPromptSubmit: { ...permitted, hook_event_name: 'UserPromptSubmit', prompt: 'fix the build', source: 'user' },
  UserPromptExpansion: {
    ...permitted,
    hook_event_name: 'UserPromptExpansion',
    expansion_type: 'slash_command',
    command_name: 'review',
    command_args: 'src',
    command_source: 'projectSettings',
    prompt: '/review src',
  },
  SessionStart: { ...outside, hook_event_name: 'SessionStart', source: 'resume', model: 'some-model' },
  SessionEnd: { ...prompted, hook_event_name: 'SessionEnd', reason: 'prompt_input_exit' },
  Setup: { ...outside, hook_event_name: 'Setup', trigger: 'maintenance' },
  Stop: {
    ...calling,
    hook_event_name: 'Stop',
    stop_hook_active: false,
    last_assistant_message: 'All done.',
    background_tasks: [],
    session_crons: [],
  },
  StopFailure: {
    ...prompted,
    hook_event_name: 'StopFailure',
    error: 'rate_limit',
    error_details: 'try again later',
    last_assistant_message: 'I was about to',
  },
  SubagentStart: { ...prompted, agent_id: 'a1b2', agent_type: 'Explore', hook_event_name: 'SubagentStart' },
  SubagentStop: {
    ...permitted,
    agent_id: 'a1b2',
    agent_type: 'Explore',
    effort: { level: 'high' },
    hook_event_name: 'SubagentStop',
    stop_hook_active: true,
    agent_transcript_path: '/home/someone/.claude/projects/-home-someone-app/subagents/agent-a1b2.jsonl',
    last_assistant_message: 'Found it.',
    background_tasks: [],
    session_crons: [],
  },
  PreCompact: { ...prompted, hook_event_name: 'PreCompact', trigger: 'manual', custom_instructions: 'keep the plan' },
  PostCompact: { ...prompted, hook_event_name: 'PostCompact', trigger: 'auto', compact_summary: 'we fixed it' },
  PreModelSwitch: {
    ...prompted,
    hook_event_name: 'PreModelSwitch',
    from_model: 'model-a',
    to_model: 'model-b',
    requested_model: null,
    source: 'picker',
    context_tokens: 1200,
    prompt_cache_warm: true,
  },
  PostModelSwitch: {
    ...prompted,
    hook_event_name: 'PostModelSwitch',
    from_model: 'model-a',
    to_model: 'model-b',
    requested_model: 'b',
    source: 'auto',
  },
  TeammateIdle: { ...prompted, hook_event_name: 'TeammateIdle', teammate_name: 'scout', team_name: 'blue' },
  TaskCreated: { ...prompted, hook_event_name: 'TaskCreated', task_id: '3', task_subject: 'Write tests' },
  TaskCompleted: {
    ...prompted,
    hook_event_name: 'TaskCompleted',
    task_id: '3',
    task_subject: 'Write tests',
    task_description: 'for all of it',
  },
  Elicitation: {
    ...prompted,
    hook_event_name: 'Elicitation',
    mcp_server_name: 'tracker',
    message: 'Which project?',
    requested_schema: { type: 'object' },
  },
  ElicitationResult: {
    ...prompted,
    hook_event_name: 'ElicitationResult',
    mcp_server_name: 'tracker',
    action: 'accept',
    content: { project: 'app' },
  },
  ConfigChange: {
    ...prompted,
    hook_event_name: 'ConfigChange',
    source: 'project_settings',
    file_path: '/home/someone/app/.claude/settings.json',
  },
  WorktreeCreate: { ...outside, hook_event_name: 'WorktreeCreate', name: 'feature-x' },
  WorktreeRemove: { ...outside, hook_event_name: 'WorktreeRemove', worktree_path: '/home/someone/app/.worktrees/x' },
  InstructionsLoaded: {
    ...outside,
    hook_event_name: 'InstructionsLoaded',
    file_path: '/home/someone/app/CLAUDE.md',
    memory_type: 'Project',
    load_reason: 'session_start',
    globs: ['src/**'],
  },
  CwdChanged: {
    ...prompted,
    hook_event_name: 'CwdChanged',
    old_cwd: '/home/someone',
    new_cwd: '/home/someone/app',
  },
  FileChanged: {
    ...prompted,
    hook_event_name: 'FileChanged',
    file_path: '/home/someone/app/.env',
    event: 'change',
  },
  DirectoryAdded: {
    ...prompted,
    hook_event_name: 'DirectoryAdded',
    directory: '/home/someone/lib',
    source: 'slash_command',
  },
  MessageDisplay: {
    ...prompted,
    hook_event_name: 'MessageDisplay',
    turn_id: 't-1',
    message_id: 'm-1',
    index: 0,
    final: true,
    delta: 'Hello.',
  },
} satisfies Readonly<Record<EventName, JsonObject>>

export const nowMs = 1_790_000_000_000

/** Copies an event with some fields changed; `undefined` removes one. */
export function claudeWire(name: EventName, changes: Readonly<Record<string, unknown>> = {}): JsonObject {
  return parseJsonObject(JSON.stringify({ ...claudeWires[name], ...changes })) ?? {}
}

export function claudeHookEvent(name: EventName, changes: Readonly<Record<string, unknown>> = {}): HookEvent {
  return claudeCode.decodeEvent(claudeWire(name, changes), { nowMs, env: {}, cwd: '/' })
}
