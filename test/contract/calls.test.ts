import { describe, expect, it, onTestFinished } from 'vitest'
import { createGate } from '../../src/library/index.ts'
import type { KnownAgent } from '../../src/agents/registry.ts'
import type { Json, JsonObject } from '../../src/model/json.ts'
import { decoded, root } from '../support/agent-verdicts.ts'
import { sdkWire } from '../support/cline-events.ts'
import { claudeShell } from '../support/wire.ts'
import { folderWith } from '../support/workspace.ts'

const push = 'git push --force'
const patch = '*** Begin Patch\n*** Update File: secret/key\n@@\n-a\n+b\n*** End Patch'

const snake = (name: string) => ({ session_id: 's-1', cwd: root, hook_event_name: name })
const cursorAt = (name: string) => ({ conversation_id: 'u-1', hook_event_name: name, workspace_roots: [root] })
const windsurfAt = (name: string) => ({ agent_action_name: name, trajectory_id: 'w-1' })

/** How an agent reports a call: its event, the keys of the tool's name and input, and its shell tool. */
interface CallFormat {
  readonly agent: KnownAgent
  readonly wire: JsonObject
  readonly name: string
  readonly input: string
  readonly shell: string
}

/** Grok sends its own keys and Claude Code's; only its own are read. */
const grokAt = (name: string) => ({ hookEventName: name, sessionId: 'g-1', cwd: root })
const copilot = { sessionId: 'c-1', timestamp: 1_790_000_000_123, cwd: root }
const formats: readonly CallFormat[] = [
  { agent: 'codex', wire: snake('PreToolUse'), name: 'tool_name', input: 'tool_input', shell: 'Bash' },
  { agent: 'codex', wire: snake('PermissionRequest'), name: 'tool_name', input: 'tool_input', shell: 'Bash' },
  {
    agent: 'gemini-cli',
    wire: snake('BeforeTool'),
    name: 'tool_name',
    input: 'tool_input',
    shell: 'run_shell_command',
  },
  { agent: 'qwen-code', wire: snake('PreToolUse'), name: 'tool_name', input: 'tool_input', shell: 'run_shell_command' },
  { agent: 'droid', wire: snake('PreToolUse'), name: 'tool_name', input: 'tool_input', shell: 'Execute' },
  { agent: 'kimi-code', wire: snake('PreToolUse'), name: 'tool_name', input: 'tool_input', shell: 'Bash' },
  { agent: 'vscode', wire: snake('PreToolUse'), name: 'tool_name', input: 'tool_input', shell: 'run_in_terminal' },
  { agent: 'copilot-cli', wire: copilot, name: 'toolName', input: 'toolArgs', shell: 'bash' },
  { agent: 'copilot-cli', wire: snake('PreToolUse'), name: 'tool_name', input: 'tool_input', shell: 'Bash' },
  {
    agent: 'copilot-cli',
    wire: { ...copilot, hookName: 'permissionRequest' },
    name: 'toolName',
    input: 'toolInput',
    shell: 'bash',
  },
  { agent: 'cursor', wire: cursorAt('preToolUse'), name: 'tool_name', input: 'tool_input', shell: 'Shell' },
  {
    agent: 'grok-build',
    wire: grokAt('pre_tool_use'),
    name: 'toolName',
    input: 'toolInput',
    shell: 'run_terminal_command',
  },
  {
    agent: 'opencode',
    wire: { event: 'tool.execute.before', sessionID: 'o-1', directory: root },
    name: 'tool',
    input: 'args',
    shell: 'bash',
  },
  {
    agent: 'kilo',
    wire: { event: 'tool.execute.before', sessionID: 'o-1', directory: root },
    name: 'tool',
    input: 'args',
    shell: 'bash',
  },
  {
    agent: 'pi',
    wire: { type: 'tool_call', agent: 'pi', piSession: 'p-1', cwd: root },
    name: 'toolName',
    input: 'input',
    shell: 'bash',
  },
  {
    agent: 'openclaw',
    wire: { type: 'before_tool_call', agent: 'openclaw', clawSession: 'c-1', cwd: root },
    name: 'toolName',
    input: 'params',
    shell: 'exec',
  },
]

const malformed = (what: string) =>
  expect.objectContaining({ code: 'eventMalformed', message: expect.stringContaining(what) as unknown }) as Error

describe.each(formats)('a call of $agent with its tool under `$name`', ({ agent, wire, name, input, shell }) => {
  const call = (fields: JsonObject) => () => decoded(agent, { ...wire, ...fields })

  it.each<[string, Json]>([
    ['a number', 3],
    ['null', null],
    ['an empty string', ''],
  ])('is rejected where the tool’s name is %s', (_what, value) => {
    expect(call({ [name]: value, [input]: { command: push } })).toThrow(malformed(`\`${name}\` must`))
  })

  it('is rejected without the name of its tool', () => {
    expect(call({ [input]: { command: push } })).toThrow(malformed(''))
  })

  it.each<[string, Json | undefined]>([
    ['is missing', undefined],
    ['is null', null],
    ['is a list', [push]],
    ['is a string', push],
    ['is the JSON of a list', JSON.stringify([push])],
    ['is doubly encoded JSON', JSON.stringify(JSON.stringify({ command: push }))],
  ])('is rejected where the input %s', (_what, value) => {
    const given = value === undefined ? {} : { [input]: value }
    expect(call({ [name]: shell, ...given })).toThrow(malformed(`\`${input}\` must be an object`))
  })

  it.each<[string, Json | undefined]>([
    ['missing', undefined],
    ['null', null],
    ['an object', { text: push }],
    ['a list with other values than strings', ['git', { text: 'push' }]],
  ])('is rejected where a shell’s command is %s', (_what, command) => {
    const given = command === undefined ? { description: 'push' } : { command }
    expect(call({ [name]: shell, [input]: given })).toThrow(malformed(`\`${input}.command\` must be a string`))
  })

  it('has its command as a string, as a list, and in JSON input', () => {
    for (const given of [
      { command: push },
      { command: ['git', 'push', '--force'] },
      JSON.stringify({ command: push }),
    ]) {
      expect(call({ [name]: shell, [input]: given })().tool).toMatchObject({ kind: 'shell', command: push })
    }
  })

  it('may have an empty input where its tool is not a shell', () => {
    expect(call({ [name]: 'some_tool_of_its_own', [input]: {} })().tool).toMatchObject({
      kind: expect.any(String) as unknown,
      input: {},
    })
  })
})

describe('a call of a tool whose only input is a patch', () => {
  it.each<[KnownAgent, JsonObject]>([
    ['copilot-cli', { ...copilot, toolName: 'apply_patch', toolArgs: patch }],
    ['copilot-cli', { ...copilot, toolName: 'apply_patch', toolArgs: JSON.stringify(patch) }],
    ['copilot-cli', { ...copilot, toolName: 'apply_patch', toolArgs: { input: patch } }],
    ['copilot-cli', { ...snake('PreToolUse'), tool_name: 'apply_patch', tool_input: patch }],
    ['vscode', { ...snake('PreToolUse'), tool_name: 'apply_patch', tool_input: patch }],
    ['codex', { ...snake('PreToolUse'), tool_name: 'apply_patch', tool_input: patch }],
    ['droid', { ...snake('PreToolUse'), tool_name: 'ApplyPatch', tool_input: patch }],
  ])('names its files, however %s wraps it (%#)', (agent, wire) => {
    expect(decoded(agent, wire).tool).toMatchObject({ kind: 'edit', paths: ['secret/key'], content: patch })
  })
})

describe('a call reported without a tool’s name', () => {
  it.each<[KnownAgent, JsonObject, string]>([
    ['cursor', cursorAt('beforeShellExecution'), '`command` must be a string'],
    ['cursor', { ...cursorAt('beforeShellExecution'), command: { c: push } }, '`command` must be a string'],
    ['cursor', cursorAt('beforeReadFile'), '`file_path` must be a string'],
    ['cursor', { ...cursorAt('beforeTabFileRead'), file_path: { path: '/a' } }, '`file_path` must be a string'],
    ['cursor', { ...cursorAt('beforeMCPExecution'), tool_input: '{}' }, '`tool_name` must be a string'],
    ['cursor', { ...cursorAt('beforeMCPExecution'), tool_name: 'add', tool_input: '["x"]' }, '`tool_input` must be'],
    ['windsurf', windsurfAt('pre_run_command'), '`tool_info` must be an object'],
    ['windsurf', { ...windsurfAt('pre_run_command'), tool_info: push }, '`tool_info` must be an object'],
    ['windsurf', { ...windsurfAt('pre_run_command'), tool_info: {} }, '`tool_info.command_line` must be a string'],
    ['windsurf', { ...windsurfAt('pre_read_code'), tool_info: {} }, '`tool_info.file_path` must be a string'],
    [
      'windsurf',
      { ...windsurfAt('pre_write_code'), tool_info: { edits: [] } },
      '`tool_info.file_path` must be a string',
    ],
    ['windsurf', { ...windsurfAt('pre_mcp_tool_use'), tool_info: {} }, '`tool_info.mcp_tool_name` must be a string'],
    [
      'windsurf',
      { ...windsurfAt('pre_mcp_tool_use'), tool_info: { mcp_tool_name: 'add', mcp_tool_arguments: 'x' } },
      '`tool_info.mcp_tool_arguments` must be an object',
    ],
  ])('is rejected from %s where it does not name a tool (%#)', (agent, wire, what) => {
    expect(() => decoded(agent, wire)).toThrow(malformed(what))
  })

  it.each<[KnownAgent, JsonObject]>([
    ['cursor', { ...cursorAt('beforeMCPExecution'), tool_name: 'list' }],
    ['cursor', { ...cursorAt('beforeMCPExecution'), tool_name: 'list', tool_input: '' }],
    ['windsurf', { ...windsurfAt('pre_mcp_tool_use'), tool_info: { mcp_tool_name: 'list', mcp_tool_arguments: null } }],
  ])('of an MCP tool may have no arguments: %s (%#)', (agent, wire) => {
    expect(decoded(agent, wire).tool).toMatchObject({ kind: 'mcp', input: {} })
  })
})

describe('a call of Claude Code or Cline', () => {
  it.each<[KnownAgent, JsonObject, string]>([
    ['claude-code', claudeShell('', root, { tool_name: '' }), '`tool_name` must not be empty'],
    ['claude-code', claudeShell('', root, { tool_input: { command: { x: push } } }), '`tool_input.command` must be'],
    ['claude-code', claudeShell('', root, { tool_name: 'PowerShell', tool_input: {} }), '`tool_input.command` must be'],
    [
      'claude-code',
      claudeShell('', root, { hook_event_name: 'PermissionRequest', tool_input: {} }),
      '`tool_input.command` must be',
    ],
    [
      'cline',
      sdkWire('tool_call', { tool_call: { name: 'run_commands', input: { command: { x: push } } } }),
      'no command',
    ],
  ])('is rejected from %s where a shell’s command is invalid (%#)', (agent, wire, what) => {
    expect(() => decoded(agent, wire)).toThrow(malformed(what))
  })
})

describe('a call of a shell tool whose command is optional', () => {
  const monitor = (input: JsonObject) => () =>
    decoded('claude-code', claudeShell('', root, { tool_name: 'Monitor', tool_input: input }))
  const ws = { url: 'wss://example.com/events' }

  it('may watch a socket instead, but must have one of the two', () => {
    expect(monitor({ description: 'events', ws })().tool).toMatchObject({ kind: 'shell', input: { ws } })
    expect(monitor({ command: 'tail -f a.log' })().tool).toMatchObject({ command: 'tail -f a.log' })
    expect(monitor({ description: 'events' })).toThrow(malformed('`tool_input.command` must be'))
    expect(monitor({ command: { x: push }, ws })).toThrow(malformed('`tool_input.command` must be'))
  })
})

describe('a finished call', () => {
  it.each<[KnownAgent, JsonObject]>([
    ['codex', { ...snake('PostToolUse'), tool_name: 'Bash', tool_response: 'a' }],
    ['gemini-cli', { ...snake('AfterTool'), tool_name: 'run_shell_command', tool_input: null, tool_response: {} }],
    ['copilot-cli', { ...copilot, toolName: 'bash', toolArgs: {}, toolResult: {} }],
    ['cursor', { ...cursorAt('afterShellExecution'), output: 'a' }],
    ['windsurf', windsurfAt('post_run_command')],
    ['claude-code', claudeShell('', root, { hook_event_name: 'PostToolUse', tool_input: {} })],
  ])('may lack its input, since it can no longer be blocked: %s', (agent, wire) => {
    expect(decoded(agent, wire)).toMatchObject({ name: 'PostToolUse', tool: { kind: 'shell' } })
  })

  it.each<[KnownAgent, JsonObject]>([
    ['claude-code', claudeShell('', root, { hook_event_name: 'PermissionDenied', tool_input: {}, reason: 'no' })],
    ['qwen-code', { ...snake('PermissionDenied'), tool_name: 'run_shell_command' }],
    ['grok-build', { ...grokAt('permission_denied'), toolName: 'run_terminal_command' }],
  ])('is decoded like one that was denied: %s', (agent, wire) => {
    expect(decoded(agent, wire)).toMatchObject({ name: 'PermissionDenied', tool: { kind: 'shell' } })
  })

  it('is rejected without the name of its tool', () => {
    expect(() => decoded('qwen-code', { ...snake('PostToolUse'), tool_input: {} })).toThrow(
      malformed('`tool_name` must'),
    )
  })
})

describe('a gate with a call whose input cannot be decoded', () => {
  it('denies it, although no rule does', async () => {
    const home = folderWith({})
    const gate = createGate({ discover: false, home, managedFolder: home, placement: 'caller' })
    onTestFinished(() => gate.close())
    const wire = JSON.stringify({ ...snake('PreToolUse'), tool_name: 'Bash', tool_input: push })
    const { exitCode, stderr } = await gate.answer(wire, { agent: 'codex' })
    expect(exitCode).toBe(2)
    expect(stderr).toContain('`tool_input` must be an object or the JSON of one, not a string')
  })
})
