import { describe, expect, it } from 'vitest'
import { dialect } from '../../../src/agents/claude-code/wire.ts'
import { HookgateError } from '../../../src/model/errors.ts'
import { type ToolUse, EventName, type HookEvent } from '../../../src/model/event.ts'
import { parseJsonObject } from '../../../src/model/json.ts'
import { claudeHookEvent, claudeWire, nowMs } from '../../support/claude-wires.ts'

const surroundings = { nowMs, env: {}, cwd: '/elsewhere' }

const tool: ToolUse = {
  kind: 'shell',
  name: 'Bash',
  id: 'toolu_01',
  input: { command: 'npm test', description: 'Run the tests' },
  command: 'npm test',
}
const { id: _id, ...withoutId } = tool

/** The event-specific fields of each event in `claude-wires.ts`. */
const ownParts: Readonly<Record<EventName, Partial<HookEvent>>> = {
  PreToolUse: { tool },
  PostToolUse: {
    tool,
    result: {
      succeeded: true,
      output: { stdout: 'ok', stderr: '', interrupted: false, isImage: false, noOutputExpected: false },
      durationMs: 812,
    },
  },
  PostToolUseFailure: { tool, result: { succeeded: false, error: 'Exit code 2', durationMs: 40 } },
  PostToolBatch: {},
  PermissionRequest: { tool: withoutId },
  PermissionDenied: { tool },
  Notification: { trigger: 'permission_prompt', message: 'Claude needs your permission' },
  UserPromptSubmit: { prompt: 'fix the build' },
  UserPromptExpansion: { trigger: 'review', prompt: '/review src' },
  SessionStart: { trigger: 'resume' },
  SessionEnd: { trigger: 'prompt_input_exit' },
  Setup: { trigger: 'maintenance' },
  Stop: { message: 'All done.' },
  StopFailure: { trigger: 'rate_limit', message: 'I was about to' },
  SubagentStart: { trigger: 'Explore' },
  SubagentStop: { trigger: 'Explore', message: 'Found it.' },
  PreCompact: { trigger: 'manual' },
  PostCompact: { trigger: 'auto' },
  PreModelSwitch: { trigger: 'model-b' },
  PostModelSwitch: { trigger: 'model-b' },
  TeammateIdle: {},
  TaskCreated: {},
  TaskCompleted: {},
  Elicitation: { trigger: 'tracker', message: 'Which project?' },
  ElicitationResult: { trigger: 'tracker' },
  ConfigChange: { trigger: 'project_settings' },
  WorktreeCreate: {},
  WorktreeRemove: {},
  InstructionsLoaded: { trigger: 'session_start' },
  CwdChanged: {},
  FileChanged: { trigger: '.env' },
  DirectoryAdded: { trigger: 'slash_command' },
  MessageDisplay: { message: 'Hello.' },
}

describe.each(EventName.options)('%s', (name) => {
  it('decodes into the common fields', () => {
    const { trigger, tool: call, result, prompt, message, ...rest } = claudeHookEvent(name)
    const own = { trigger, tool: call, result, prompt, message }
    expect(Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined))).toEqual(ownParts[name])
    expect(rest).toMatchObject({ name, agent: 'claude-code', workspaceRoots: ['/home/someone/app'], atMs: nowMs })
  })

  it('keeps every field on its way to a hook, even unknown ones', () => {
    const wire = claudeWire(name, { field_of_tomorrow: { deep: [1, null] } })
    const event = dialect.decodeEvent(wire, surroundings)
    expect(event.raw).toBe(wire)
    expect(dialect.encodeEvent(event)).toEqual([claudeWire(name, { field_of_tomorrow: { deep: [1, null] } })])
  })

  it('is rejected without a common field, which the error names', () => {
    for (const field of ['session_id', 'transcript_path', 'cwd']) {
      expect(() => dialect.decodeEvent(claudeWire(name, { [field]: undefined }), surroundings)).toThrow(
        `\`${field}\` must be a string, but is missing`,
      )
    }
  })
})

/** The required fields. Others are optional because older versions omit them. */
const needed: Readonly<Record<EventName, readonly string[]>> = {
  PreToolUse: ['tool_name', 'tool_input'],
  PostToolUse: ['tool_name', 'tool_input'],
  PostToolUseFailure: ['tool_name', 'tool_input', 'error'],
  PostToolBatch: ['tool_calls'],
  PermissionRequest: ['tool_name', 'tool_input'],
  PermissionDenied: ['tool_name', 'tool_input', 'reason'],
  Notification: ['message', 'notification_type'],
  UserPromptSubmit: ['prompt'],
  UserPromptExpansion: ['expansion_type', 'command_name', 'command_args', 'prompt'],
  SessionStart: ['source'],
  SessionEnd: ['reason'],
  Setup: ['trigger'],
  Stop: ['stop_hook_active'],
  StopFailure: ['error'],
  SubagentStart: ['agent_id', 'agent_type'],
  SubagentStop: ['agent_id', 'agent_type', 'stop_hook_active'],
  PreCompact: ['trigger'],
  PostCompact: ['trigger', 'compact_summary'],
  PreModelSwitch: ['from_model', 'to_model', 'source'],
  PostModelSwitch: ['from_model', 'to_model', 'source'],
  TeammateIdle: ['teammate_name', 'team_name'],
  TaskCreated: ['task_id', 'task_subject'],
  TaskCompleted: ['task_id', 'task_subject'],
  Elicitation: ['mcp_server_name', 'message'],
  ElicitationResult: ['mcp_server_name', 'action'],
  ConfigChange: ['source'],
  WorktreeCreate: ['name'],
  WorktreeRemove: ['worktree_path'],
  InstructionsLoaded: ['file_path', 'memory_type', 'load_reason'],
  CwdChanged: ['old_cwd', 'new_cwd'],
  FileChanged: ['file_path', 'event'],
  DirectoryAdded: ['directory', 'source'],
  MessageDisplay: ['turn_id', 'message_id', 'index', 'final', 'delta'],
}

const common = ['session_id', 'transcript_path', 'cwd', 'hook_event_name']
/** Fields whose type no source documents. */
const untyped = new Set(['tool_response', 'error_details', 'context_tokens', 'prompt_cache_warm'])

it.each(EventName.options)('rejects a value of the wrong type and a missing required field in %s', (name) => {
  const decoding = (field: string, value: unknown) => () =>
    dialect.decodeEvent(claudeWire(name, { [field]: value }), surroundings)
  const fields = Object.entries(claudeWire(name))
  for (const [field, value] of fields.filter(([key]) => !untyped.has(key))) {
    expect(decoding(field, typeof value === 'number' ? 'x' : 7)).toThrow(`\`${field}\` must be `)
  }
  for (const field of [...common, ...needed[name]]) {
    expect(decoding(field, undefined)).toThrow(`\`${field}\` must be `)
  }
  for (const [field] of fields.filter(([key]) => !common.includes(key) && !needed[name].includes(key))) {
    expect(decoding(field, undefined)).not.toThrow()
  }
})

describe('the session', () => {
  it('has the fields that the event reports', () => {
    expect(claudeHookEvent('SubagentStop').session).toEqual({
      id: '5d0c1c52-7c1b-4f0e-9a53-6f2f3c1d8e77',
      cwd: '/home/someone/app',
      transcriptPath: '/home/someone/.claude/projects/-home-someone-app/5d0c1c52-7c1b-4f0e-9a53-6f2f3c1d8e77.jsonl',
      permissionMode: 'acceptEdits',
      effort: 'high',
      agentId: 'a1b2',
      agentType: 'Explore',
    })
  })

  it('has no transcript where its path is empty', () => {
    expect(claudeHookEvent('Setup', { transcript_path: '' }).session).not.toHaveProperty('transcriptPath')
  })
})

const rootWith = (env: Record<string, string>) =>
  dialect.decodeEvent(claudeWire('Stop'), { ...surroundings, env }).workspaceRoots

describe('the workspace root', () => {
  it('is the project folder that Claude Code names in the environment', () => {
    expect(rootWith({ CLAUDE_PROJECT_DIR: '/home/someone/project' })).toEqual(['/home/someone/project'])
  })

  it('is the working directory where the environment names none, or no absolute path', () => {
    expect(rootWith({})).toEqual(['/home/someone/app'])
    expect(rootWith({ CLAUDE_PROJECT_DIR: 'project' })).toEqual(['/home/someone/app'])
    expect(rootWith({ CLAUDE_PROJECT_DIR: '' })).toEqual(['/home/someone/app'])
  })
})

it('is deeply frozen', () => {
  const event = claudeHookEvent('PostToolUse')
  for (const part of [event, event.session, event.workspaceRoots, event.tool, event.result, event.raw]) {
    expect(Object.isFrozen(part)).toBe(true)
  }
  expect(Object.isFrozen(event.tool?.input)).toBe(true)
  expect(Object.isFrozen(event.result?.output)).toBe(true)
})

it('decodes an event nested deeper than the call stack', () => {
  const levels = 200_000
  const input = parseJsonObject(`{"command": "ls", "deep": ${'['.repeat(levels)}${']'.repeat(levels)}}`)
  const wire = { ...claudeWire('PreToolUse'), tool_input: input ?? {} }
  expect(dialect.decodeEvent(wire, surroundings).tool?.command).toBe('ls')
})

describe('an event that Claude Code would not send', () => {
  it.each<[string, EventName, Record<string, unknown>, string]>([
    ['an input that is a string', 'PreToolUse', { tool_input: 'ls' }, '`tool_input` must be an object, not a string'],
    ['an input that is a list', 'PreToolUse', { tool_input: [] }, '`tool_input` must be an object, not an array'],
    ['no tool', 'PermissionRequest', { tool_name: undefined }, '`tool_name` must be a string, but is missing'],
    ['no input', 'PostToolUse', { tool_input: undefined }, '`tool_input` must be an object, but is missing'],
    ['a tool without a name', 'PreToolUse', { tool_name: null }, '`tool_name` must be a string, not null'],
    ['a session that is a number', 'Stop', { session_id: 7 }, '`session_id` must be a string, not a number'],
    [
      'a flag that is a string',
      'Stop',
      { stop_hook_active: 'no' },
      '`stop_hook_active` must be a boolean, not a string',
    ],
    ['a level that is missing', 'PreToolUse', { effort: {} }, '`effort.level` must be a string, but is missing'],
    ['no prompt', 'UserPromptSubmit', { prompt: undefined }, '`prompt` must be a string, but is missing'],
    [
      'a call in a batch',
      'PostToolBatch',
      { tool_calls: [{ tool_name: 'Bash', tool_input: 3 }] },
      '`tool_calls[0].tool_input` must be an object, not a number',
    ],
    [
      'an event that does not exist',
      'Stop',
      { hook_event_name: 'BeforeTool' },
      '`hook_event_name` must be the name of a Claude Code event, not `BeforeTool`',
    ],
    [
      'no event at all',
      'Stop',
      { hook_event_name: undefined },
      '`hook_event_name` must be the name of a Claude Code event, but is missing',
    ],
    [
      'a name that every object inherits',
      'Stop',
      { hook_event_name: 'constructor' },
      '`hook_event_name` must be the name of a Claude Code event, not `constructor`',
    ],
    [
      'a name with an escape sequence',
      'Stop',
      { hook_event_name: '\u001b[2J\nStop' },
      '`hook_event_name` must be the name of a Claude Code event, not `\\x1b[2J\\nStop`',
    ],
  ])('is rejected with %s', (_what, name, changes, message) => {
    const decoding = () => dialect.decodeEvent(claudeWire(name, changes), surroundings)
    expect(decoding).toThrow(HookgateError)
    expect(decoding).toThrow(expect.objectContaining({ code: 'eventMalformed', message }))
  })
})

it.each([
  ['PreToolUse', 'permission_mode', 'a_mode_of_tomorrow'],
  ['SessionStart', 'source', 'a_source_of_tomorrow'],
  ['Notification', 'notification_type', 'a_type_of_tomorrow'],
] as const)('accepts unknown values in %s, so that a newer agent is not blocked', (name, field, unknownValue) => {
  expect(claudeHookEvent(name, { [field]: unknownValue }).raw[field]).toBe(unknownValue)
})
