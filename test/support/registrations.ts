import type { KnownAgent } from '../../src/agents/registry.ts'

/** The expected registration of an agent in a JSON file, written out rather than derived. */
export interface Registered {
  readonly agent: KnownAgent
  /** The file, relative to the home folder and to the project. */
  readonly files: Readonly<Record<'user' | 'project', string>>
  /** The agent's name of the event before a tool. */
  readonly event: string
  /** The path of that event's list. */
  readonly list: readonly string[]
  /** The entry in the list. */
  readonly entry: (command: unknown) => object
  /** The position of our entry among two. */
  readonly position: 'first' | 'last'
  /** What a new file contains beside the hooks. */
  readonly beside?: object
  /** Text that may precede the hooks in the file, where not everything may. */
  readonly ownKeys?: string
  /** Set if a project's list has another form. */
  readonly projectEntry?: (command: unknown) => object
  /** A shell command's event, as observed or documented. */
  readonly wire: (command: string, cwd: string) => object
  /** The expected answer where that is denied. */
  readonly refusal: (reason: unknown) => { readonly exitCode: number; readonly stdout: object }
  /** Files below the home folder without which the agent does not run its hooks. */
  readonly trust?: (file: string, cwd: string) => Readonly<Record<string, string>>
}

const group = (handler: object) => ({ hooks: [handler] })
const snake = (event: string, tool: string, more: object) => (command: string, cwd: string) => ({
  session_id: 's',
  transcript_path: '',
  cwd,
  hook_event_name: event,
  tool_name: tool,
  tool_input: { command },
  ...more,
})
const claudeRefusal = (reason: unknown) => ({
  exitCode: 2,
  stdout: {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: reason,
    },
  },
})

/** The variables that win over those of a repository's files. */
const ofQwen = { SHELLOPTS: '' }
const ofLoader = { LD_PRELOAD: '', LD_AUDIT: '', LD_LIBRARY_PATH: '', LD_DEBUG: '' }
const ofGemini = { ...ofQwen, ...ofLoader, XDG_CONFIG_HOME: '${XDG_CONFIG_HOME:-}' }

export const registered: readonly Registered[] = [
  {
    agent: 'gemini-cli',
    files: { user: '.gemini/settings.json', project: '.gemini/settings.json' },
    event: 'BeforeTool',
    list: ['hooks', 'BeforeTool'],
    entry: (command) => group({ type: 'command', name: 'hookgate', command, timeout: 600_000, env: ofGemini }),
    position: 'last',
    wire: snake('BeforeTool', 'run_shell_command', { timestamp: '2026-11-21T12:00:00.000Z' }),
    refusal: (reason) => ({ exitCode: 2, stdout: { decision: 'deny', reason } }),
  },
  {
    agent: 'codex',
    files: { user: '.codex/hooks.json', project: '.codex/hooks.json' },
    event: 'PreToolUse',
    list: ['hooks', 'PreToolUse'],
    entry: (command) => group({ type: 'command', command, timeout: 600 }),
    position: 'last',
    wire: snake('PreToolUse', 'Bash', { turn_id: 't', model: 'm', permission_mode: 'default', tool_use_id: 'c0' }),
    refusal: claudeRefusal,
    ownKeys: '"description"  : "theirs"',
    trust: (file, cwd) => ({
      '.codex/config.toml': [
        `[projects."${cwd}"]\ntrust_level = "trusted"\n`,
        ...[
          'pre_tool_use permission_request post_tool_use user_prompt_submit session_start session_end stop subagent_start',
          'subagent_stop pre_compact post_compact',
        ]
          .join(' ')
          .split(' ')
          .flatMap((event) =>
            [0, 1].map((entry) => `[hooks.state."${file}:${event}:${entry}:0"]\ntrusted_hash = "sha256:0"\n`),
          ),
      ].join('\n'),
    }),
  },
  {
    agent: 'copilot-cli',
    files: { user: '.copilot/hooks/hookgate.json', project: '.github/hooks/hookgate.json' },
    event: 'preToolUse',
    list: ['hooks', 'preToolUse'],
    entry: (command) => ({ type: 'command', bash: command, timeoutSec: 600 }),
    position: 'last',
    beside: { version: 1 },
    wire: (command, cwd) => ({
      sessionId: 's',
      timestamp: 1_795_179_377_369,
      cwd,
      toolName: 'bash',
      toolArgs: { command, description: 'a command' },
    }),
    refusal: (reason) => ({
      exitCode: 0,
      stdout: { permissionDecision: 'deny', permissionDecisionReason: reason },
    }),
    trust: (_file, cwd) => ({ '.copilot/config.json': JSON.stringify({ trusted_folders: [cwd] }) }),
  },
  {
    agent: 'qwen-code',
    files: { user: '.qwen/settings.json', project: '.qwen/settings.json' },
    event: 'PreToolUse',
    list: ['hooks', 'PreToolUse'],
    entry: (command) => group({ type: 'command', name: 'hookgate', command, timeout: 600, env: ofQwen }),
    position: 'last',
    wire: snake('PreToolUse', 'run_shell_command', {
      timestamp: '2026-11-21T12:00:00.000Z',
      permission_mode: 'yolo',
      tool_use_id: 'toolu_1',
      tool_call_id: 'call_0',
    }),
    refusal: claudeRefusal,
  },
  {
    agent: 'droid',
    files: { user: '.factory/hooks.json', project: '.factory/hooks.json' },
    event: 'PreToolUse',
    list: ['PreToolUse'],
    entry: (command) => group({ type: 'command', command, timeout: 600 }),
    position: 'first',
    wire: snake('PreToolUse', 'Execute', { permission_mode: 'auto-low' }),
    refusal: claudeRefusal,
  },
  {
    agent: 'grok-build',
    files: { user: '.grok/hooks/hookgate.json', project: '.grok/hooks/hookgate.json' },
    event: 'PreToolUse',
    list: ['hooks', 'PreToolUse'],
    entry: (command) => group({ type: 'command', command, timeout: 600 }),
    position: 'last',
    wire: (command, cwd) => ({
      ...snake('PreToolUse', 'run_terminal_command', { tool_use_id: 'call_0' })(command, cwd),
      hookEventName: 'pre_tool_use',
      sessionId: 's',
      workspaceRoot: `${cwd}/`,
      timestamp: '2026-11-23T12:09:14.525318211+00:00',
      permissionMode: 'bypassPermissions',
      toolName: 'run_terminal_command',
      toolUseId: 'call_0',
      toolInput: { command, description: 'a command' },
      toolInputTruncated: false,
    }),
    refusal: claudeRefusal,
    trust: (_file, cwd) => ({ '.grok/trusted_folders.toml': `[folders."${cwd}"]\ntrusted = true\n` }),
  },
  {
    agent: 'cursor',
    files: { user: '.cursor/hooks.json', project: '.cursor/hooks.json' },
    event: 'preToolUse',
    list: ['hooks', 'preToolUse'],
    entry: (command) => ({ command, timeout: 600, failClosed: true }),
    position: 'last',
    beside: { version: 1 },
    wire: (command, cwd) => ({
      conversation_id: 's',
      generation_id: 'g',
      hook_event_name: 'preToolUse',
      workspace_roots: [cwd],
      tool_name: 'Shell',
      tool_input: { command, working_directory: cwd },
      tool_use_id: 't',
      cwd,
    }),
    refusal: (reason) => ({
      exitCode: 0,
      stdout: { permission: 'deny', user_message: reason, agent_message: reason },
    }),
  },
  {
    agent: 'vscode',
    files: { user: '.claude/settings.json', project: '.github/hooks/hookgate-vscode.json' },
    event: 'PreToolUse',
    list: ['hooks', 'PreToolUse'],
    entry: (command) => group({ type: 'command', command, timeout: 600 }),
    projectEntry: (command) => ({ type: 'command', command, timeout: 600 }),
    position: 'last',
    wire: snake('PreToolUse', 'run_in_terminal', { timestamp: '2026-11-21T12:00:00.000Z', tool_use_id: 't' }),
    refusal: claudeRefusal,
  },
  {
    agent: 'windsurf',
    files: { user: '.codeium/windsurf/hooks.json', project: '.windsurf/hooks.json' },
    event: 'pre_run_command',
    list: ['hooks', 'pre_run_command'],
    entry: (command) => ({ command, show_output: true }),
    position: 'last',
    wire: (command, cwd) => ({
      agent_action_name: 'pre_run_command',
      trajectory_id: 's',
      execution_id: 'e',
      timestamp: '2026-11-21T12:00:00Z',
      model_name: 'm',
      tool_info: { command_line: command, cwd },
    }),
    refusal: () => ({ exitCode: 2, stdout: {} }),
  },
]
