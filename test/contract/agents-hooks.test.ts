import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createGate, type Evaluation } from '../../src/library/index.ts'
import type { KnownAgent } from '../../src/agents/registry.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { claudeShell, clineSdkTool } from '../support/wire.ts'
import { folderWith, writeFiles } from '../support/workspace.ts'

type Expected = object

const denied = (reason: unknown = 'no') => ({ kind: 'applicable', effect: 'deny', reason })
const refused = { kind: 'applicable', effect: 'deny' }
const abstained = { kind: 'notApplicable' }
const allowed = { kind: 'applicable', effect: 'allow' }
const asked = { kind: 'applicable', effect: 'ask' }
const broke = (code: string) => ({ kind: 'indeterminate', failure: { code } })
const failed = broke('nonzeroExit')
const badOutput = broke('badOutput')
const stopped = { kind: 'applicable', obligations: [{ kind: 'stop', reason: 'enough' }] }

/** The JSON with which each agent's hooks deny, allow and ask. */
interface HookAnswers {
  readonly deny: (reason: string) => object
  readonly allow: object
  readonly ask: object
}

const claudeAnswers = (): HookAnswers => {
  const say = (permissionDecision: string, reason?: string) => ({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision,
      ...(reason !== undefined && { permissionDecisionReason: reason }),
    },
  })
  return {
    deny: (reason) => say('deny', reason),
    allow: say('allow'),
    ask: say('ask', 'sure?'),
  }
}

type Name = Exclude<KnownAgent, 'claude-code' | 'cline' | 'opencode' | 'kilo' | 'pi' | 'openclaw'>

const answersOf: Readonly<Record<Name, HookAnswers>> = {
  'gemini-cli': {
    deny: (reason) => ({ decision: 'deny', reason }),
    allow: { decision: 'allow' },
    ask: { decision: 'ask', reason: 'sure?' },
  },
  codex: claudeAnswers(),
  'copilot-cli': claudeAnswers(),
  'qwen-code': claudeAnswers(),
  droid: claudeAnswers(),
  'grok-build': claudeAnswers(),
  'kimi-code': claudeAnswers(),
  cursor: {
    deny: (reason) => ({ permission: 'deny', user_message: reason, agent_message: reason }),
    allow: { permission: 'allow' },
    ask: { permission: 'ask', user_message: 'sure?' },
  },
  vscode: claudeAnswers(),
  windsurf: {
    deny: () => ({}),
    allow: {},
    ask: {},
  },
}

interface Program {
  readonly stdout?: string
  readonly stderr?: string
  readonly exit?: number
  readonly killed?: true
}

const json = (value: object) => JSON.stringify(value)

/** Programs by behaviour, with answers in one agent's format. */
function programs({ deny, allow, ask }: HookAnswers): Readonly<Record<string, Program>> {
  const no = json(deny('no'))
  return {
    silent: {},
    exit0_deny: { stdout: no },
    exit0_allow: { stdout: json(allow) },
    exit0_ask: { stdout: json(ask) },
    exit1_stderr: { stderr: 'no', exit: 1 },
    exit1_deny: { stdout: no, exit: 1 },
    exit2_stderr: { stderr: 'no', exit: 2 },
    exit2_silent: { exit: 2 },
    exit2_stdout_text: { stdout: 'no', exit: 2 },
    exit2_noise_and_stderr: { stdout: 'checking', stderr: 'no', exit: 2 },
    exit2_allow: { stdout: json(allow), exit: 2 },
    exit2_allow_stderr: { stdout: json(allow), stderr: 'no', exit: 2 },
    exit2_deny: { stdout: no, exit: 2 },
    exit3_stderr: { stderr: 'no', exit: 3 },
    killed: { killed: true },
    deny_then_killed: { stdout: no, killed: true },
    bad_json: { stdout: '{"decision": "de' },
    noise_then_deny: { stdout: `checking\n${no}` },
    plain_text: { stdout: 'all is well' },
    deny_unknown_key: { stdout: json({ ...deny('no'), note: 'x' }) },
    deny_empty_reason: { stdout: json(deny('')) },
    legacy_block: { stdout: json({ decision: 'block', reason: 'no' }) },
    top_deny: { stdout: json({ decision: 'deny', reason: 'no' }) },
    continue_false: { stdout: json({ continue: false, stopReason: 'enough' }) },
    claude_deny: { stdout: json(claudeAnswers().deny('no')) },
  }
}

function script({ stdout, stderr, exit = 0, killed }: Program) {
  const print = (text: string | undefined, to: string) => (text === undefined ? '' : `cat ${to}<<'EOF'\n${text}\nEOF\n`)
  const end = killed === true ? 'kill -KILL $$' : `exit ${exit}`
  return { script: `#!/bin/sh\ncat >/dev/null\n${print(stdout, '')}${print(stderr, '>&2 ')}${end}\n` }
}

/** The expected evaluations of agents without an entry below: codes 0 and 2 decide, any other is a failure. */
const usual: Readonly<Record<string, Expected>> = {
  silent: abstained,
  exit0_deny: denied(),
  exit0_allow: allowed,
  exit0_ask: asked,
  exit1_stderr: failed,
  exit1_deny: failed,
  exit2_stderr: denied(),
  exit2_silent: refused,
  exit2_stdout_text: refused,
  exit2_noise_and_stderr: refused,
  exit2_allow: refused,
  exit2_allow_stderr: refused,
  exit2_deny: denied(),
  exit3_stderr: failed,
  killed: broke('signalled'),
  deny_then_killed: broke('signalled'),
  bad_json: badOutput,
  noise_then_deny: badOutput,
  plain_text: abstained,
  deny_unknown_key: denied(),
  deny_empty_reason: refused,
  legacy_block: denied(),
  // A decision in another agent's format: the agent would go ahead and the author would not notice.
  top_deny: badOutput,
  continue_false: stopped,
  claude_deny: badOutput,
}

/** Agents that decode stdout whatever the exit code. */
const atAnyCode = { exit1_deny: denied(), deny_then_killed: denied() }

const copilot = {
  exit1_stderr: denied(),
  exit1_deny: denied(),
  exit3_stderr: denied(),
  killed: refused,
  deny_then_killed: denied(),
  legacy_block: badOutput,
  continue_false: badOutput,
}

/** The evaluations that differ, as measured on the agent's program or documented. */
const differing: Readonly<Record<Name, Readonly<Record<string, Expected>>>> = {
  'gemini-cli': {
    ...atAnyCode,
    exit0_allow: abstained,
    exit2_silent: failed,
    exit2_stdout_text: denied(),
    // Stdout is the reason, whatever it holds.
    exit2_noise_and_stderr: refused,
    exit2_allow: failed,
    exit2_allow_stderr: failed,
    exit3_stderr: denied(),
    top_deny: denied(),
  },
  codex: {
    // Codex rejects an `allow` without a change, an `ask`, unknown keys, and a refusal without a reason.
    exit0_allow: badOutput,
    exit0_ask: badOutput,
    deny_unknown_key: badOutput,
    deny_empty_reason: badOutput,
    top_deny: badOutput,
    continue_false: badOutput,
    // Code 2 refuses only with a reason on stderr.
    exit2_silent: failed,
    exit2_stdout_text: failed,
    exit2_allow: failed,
    exit2_deny: failed,
    claude_deny: denied(),
  },
  'copilot-cli': { ...copilot, claude_deny: denied() },
  'qwen-code': {
    ...atAnyCode,
    exit2_silent: failed,
    exit2_stdout_text: failed,
    exit2_allow: failed,
    exit2_deny: failed,
    top_deny: denied(),
    continue_false: denied('enough'),
    claude_deny: denied(),
  },
  'grok-build': {
    ...atAnyCode,
    // An `allow` skips no prompt of Grok's.
    exit0_allow: abstained,
    top_deny: denied(),
    // Grok ignores it before a call, and goes ahead.
    continue_false: badOutput,
    claude_deny: denied(),
  },
  'kimi-code': {
    exit0_allow: abstained,
    // Only a refusal is read: these are lost.
    exit0_ask: badOutput,
    legacy_block: badOutput,
    continue_false: badOutput,
    claude_deny: denied(),
    // With code 2 the reason is stderr, whatever was printed.
  },
  droid: { ...atAnyCode, exit3_stderr: denied(), legacy_block: badOutput, claude_deny: denied() },
  cursor: { exit0_allow: abstained, legacy_block: badOutput, continue_false: badOutput },
  vscode: { claude_deny: denied() },
  // Windsurf ignores stdout.
  windsurf: {
    exit0_deny: abstained,
    exit0_allow: abstained,
    exit0_ask: abstained,
    exit2_deny: refused,
    noise_then_deny: abstained,
    deny_unknown_key: abstained,
    deny_empty_reason: abstained,
    legacy_block: badOutput,
    continue_false: badOutput,
  },
}

function gateWith(root: string) {
  const gate = createGate({
    rules: [join(root, 'hooks.json')],
    discover: false,
    home: root,
    managedFolder: root,
    placement: 'caller',
    env: { PATH: process.env['PATH'] ?? '' },
  })
  onTestFinished(() => gate.close())
  return gate
}

describe.each(Object.entries(answersOf))('hooks of %s, behind Claude Code,', (name, own) => {
  const all = programs(own)

  it('have the same outcome as in their own agent', async () => {
    const scripts = Object.fromEntries(Object.entries(all).map(([what, program]) => [`${what}.sh`, script(program)]))
    const root = folderWith(scripts)
    const hooks = Object.keys(all).map((what) => ({
      type: 'command',
      dialect: name,
      command: `exec ${root}/${what}.sh`,
    }))
    writeFiles(root, { 'hooks.json': json({ hooks: { PreToolUse: [{ hooks }] } }) })
    const gate = gateWith(root)
    const verdict = await gate.decide(await gate.decode(claudeShell('ls', root), { agent: 'claude-code' }))
    const evaluations: Readonly<Record<string, Evaluation | undefined>> = Object.fromEntries(
      Object.keys(all).map((what, index) => [what, verdict.evaluations[index]]),
    )
    expect(evaluations).toMatchObject({ ...usual, ...Object.entries(differing).find(([one]) => one === name)?.[1] })
    expect(verdict.evaluations).toHaveLength(Object.keys(all).length)
  })
})

/** A hook that records its stdin, environment and folder, and prints the answer. */
const recordingHook = (answer: object) => ({
  script: `#!/bin/sh\nevent=$(cat)\nprintf '%s\\n' "$event" >>"$KEPT/stdin"\nenv >"$KEPT/env"\npwd >"$KEPT/pwd"\ncat <<'EOF'\n${json(answer)}\nEOF\n`,
})

interface HookRun {
  readonly stdin: readonly unknown[]
  readonly env: string
  readonly pwd: string
  readonly verdict: Awaited<ReturnType<ReturnType<typeof createGate>['decide']>>
}

/** Runs one hook at an event of another agent; returns its input and the verdict. */
async function runHookAt(
  dialect: KnownAgent,
  answer: object,
  wire: (root: string) => object,
  agent: KnownAgent = 'claude-code',
): Promise<HookRun & { root: string }> {
  const hook = { type: 'command', dialect, command: '"$KEPT/hook.sh"' }
  const settings = { hooks: { PreToolUse: [{ hooks: [hook] }] } }
  const root = folderWith({ 'hook.sh': recordingHook(answer), 'sub/x': '', 'hooks.json': { json: settings } })
  const gate = createGate({
    rules: [join(root, 'hooks.json')],
    discover: false,
    home: root,
    managedFolder: root,
    placement: 'caller',
    env: { PATH: process.env['PATH'] ?? '', KEPT: root },
  })
  onTestFinished(() => gate.close())
  const verdict = await gate.decide(await gate.decode(json(wire(root)), { agent }))
  const kept = (what: string) => readFileSync(join(root, what), 'utf8').trim()
  const stdin = kept('stdin')
    .split('\n')
    .map((line): unknown => JSON.parse(line))
  return { stdin, env: kept('env'), pwd: kept('pwd'), verdict, root }
}

describe('a rewrite by a hook of another agent', () => {
  it.each([
    ['gemini-cli', { hookSpecificOutput: { tool_input: { command: 'ls -l' } } }],
    [
      'codex',
      {
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: 'allow',
          updatedInput: { command: 'ls -l' },
        },
      },
    ],
    ['copilot-cli', { hookSpecificOutput: { updatedInput: { command: 'ls -l' } } }],
    ['droid', { hookSpecificOutput: { updatedInput: { command: 'ls -l' } } }],
    ['cursor', { permission: 'allow', updated_input: { command: 'ls -l' } }],
    ['vscode', { hookSpecificOutput: { updatedInput: { command: 'ls -l' } } }],
    ['grok-build', { hookSpecificOutput: { updatedInput: { command: 'ls -l' } } }],
  ] as const)('is translated to the calling agent’s keys: %s', async (agent, answer) => {
    const { verdict } = await runHookAt(agent, answer, (root) => claudeShell('ls', root))
    expect(verdict.obligations).toEqual([{ kind: 'replaceInput', input: { command: 'ls -l' } }])
  })

  const ls = { command: 'ls', args: ['a b'] }
  it.each<[string, JsonObject, string, JsonObject | undefined]>([
    ['one command', { commands: ['ls'] }, 'ls -l', { commands: ['ls -l'] }],
    ['one command of several lines', { commands: ['ls\npwd'] }, 'ls -l\npwd', { commands: ['ls -l\npwd'] }],
    ['one command as several lines', { commands: ['ls'] }, 'cd x\nls', { commands: ['cd x\nls'] }],
    ['a bare command', { commands: 'ls' }, 'ls -l', { commands: 'ls -l' }],
    ['one of several', { commands: ['ls', 'pwd'] }, 'ls -l\npwd', { commands: ['ls -l', 'pwd'] }],
    ['each of several', { commands: ['ls', 'pwd'] }, 'a\nb', { commands: ['a', 'b'] }],
    ['a single key', { command: 'ls' }, 'ls -l', { command: 'ls -l' }],
    ['fewer than were sent', { commands: ['ls', 'pwd'] }, 'ls -l', undefined],
    ['more than were sent', { commands: ['ls', 'pwd'] }, 'a\nb\nc', undefined],
    ['one of several with lines of its own', { commands: ['ls\nw', 'pwd'] }, 'a\nw\npwd', undefined],
    ['one of several keys', { commands: ['ls'], cmd: 'pwd' }, 'ls -l\npwd', undefined],
    ['a program without a shell', { commands: [ls] }, 'ls -l', { commands: ['ls -l'] }],
    ['a bare program', { commands: ls }, 'ls -l', { commands: 'ls -l' }],
    ['the one beside a program', { commands: [ls, 'pwd'] }, "ls 'a b'\npwd -P", { commands: [ls, 'pwd -P'] }],
    ['a program at the top', ls, 'ls -l', { command: 'ls -l' }],
    ['a program at the top, beside another key', { ...ls, cmd: 'pwd' }, 'ls -l\npwd', undefined],
  ])('of Cline’s commands is put into its list: %s', async (_, input, command, want) => {
    const answer = { hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { command } } }
    const { verdict } = await runHookAt(
      'claude-code',
      answer,
      (root) => clineSdkTool('run_commands', input, root),
      'cline',
    )
    if (want === undefined) expect(verdict).toMatchObject({ decision: 'deny', obligations: [] })
    else {
      expect(verdict.decision).toBe('abstain')
      expect(verdict.obligations).toEqual([{ kind: 'replaceInput', input: want }])
    }
  })

  it('of a path is translated to the calling agent’s own key', async () => {
    const answer = { hookSpecificOutput: { updatedInput: { path: '/tmp/safe', file_text: 'x' } } }
    const { verdict, stdin } = await runHookAt('copilot-cli', answer, (root) =>
      claudeShell('', root, { tool_name: 'Write', tool_input: { file_path: join(root, 'a'), content: 'x' } }),
    )
    expect(stdin).toMatchObject([{ tool_name: 'create', tool_input: { file_text: 'x' } }])
    expect(verdict.obligations).toEqual([{ kind: 'replaceInput', input: { file_path: '/tmp/safe', content: 'x' } }])
  })
})

describe('a hook of another agent', () => {
  const inSub = (root: string) => ({ ...claudeShell('ls', join(root, 'sub')) })
  it.each([
    ['gemini-cli', ['GEMINI_PROJECT_DIR', 'GEMINI_SESSION_ID', 'CLAUDE_PROJECT_DIR'], 'sub'],
    ['codex', [], 'sub'],
    ['copilot-cli', ['COPILOT_PROJECT_DIR', 'COPILOT_CLI', 'CLAUDE_PROJECT_DIR'], 'sub'],
    ['qwen-code', ['QWEN_PROJECT_DIR', 'GEMINI_PROJECT_DIR', 'CLAUDE_PROJECT_DIR'], 'sub'],
    ['droid', ['FACTORY_PROJECT_DIR', 'DROID_PROJECT_DIR'], 'sub'],
    ['cursor', ['CURSOR_PROJECT_DIR', 'CLAUDE_PROJECT_DIR'], 'sub'],
    ['kimi-code', [], 'sub'],
    ['grok-build', ['GROK_WORKSPACE_ROOT', 'GROK_HOOK_EVENT', 'CLAUDE_PROJECT_DIR'], 'sub'],
  ] as const)('has the variables and the working directory of its agent: %s', async (agent, names, folder) => {
    const { env, pwd, root } = await runHookAt(agent, {}, inSub)
    for (const name of names) expect(env).toMatch(new RegExp(`^${name}=.`, 'm'))
    if (names.length === 0) expect(env).not.toMatch(/PROJECT_DIR=/)
    expect(pwd).toBe(join(root, folder))
  })

  it('gets one event per file of a patch', async () => {
    const patch = [
      '*** Begin Patch',
      '*** Add File: new.txt',
      '+hello',
      '*** Update File: old.txt',
      '*** Move to: moved.txt',
      '@@',
      '-a',
      '+b',
      '*** End Patch',
    ].join('\n')
    const wire = (root: string) => ({
      session_id: 's',
      turn_id: 't',
      transcript_path: null,
      cwd: root,
      hook_event_name: 'PreToolUse',
      model: 'm',
      permission_mode: 'default',
      tool_name: 'apply_patch',
      tool_input: { command: patch },
      tool_use_id: 'c1',
    })
    const { stdin, root } = await runHookAt('gemini-cli', {}, wire, 'codex')
    const paths = stdin.map((one) => JSON.stringify(one))
    for (const path of ['new.txt', 'old.txt', 'moved.txt']) {
      expect(paths.filter((text) => text.includes(`"file_path":"${join(root, path)}"`))).toHaveLength(1)
    }
    expect(stdin).toHaveLength(3)
  })

  it.each([
    ['gemini-cli', { tool_name: 'mcp_notes_add', mcp_context: { server_name: 'notes' } }],
    ['codex', { tool_name: 'mcp__notes__add' }],
    ['copilot-cli', { tool_name: 'notes-add' }],
    ['qwen-code', { tool_name: 'mcp__notes__add' }],
    ['droid', { tool_name: 'notes___add' }],
    ['cursor', { tool_name: 'MCP:add' }],
    ['vscode', { tool_name: 'mcp_notes_add' }],
    ['kimi-code', { tool_name: 'mcp__notes__add', client_type: 'kimi_code_cli' }],
    ['grok-build', { toolName: 'notes__add', tool_name: 'notes__add' }],
    ['windsurf', { tool_info: { mcp_server_name: 'notes', mcp_tool_name: 'add' } }],
  ] as const)('gets an MCP tool under its own agent’s name for it: %s', async (agent, sent) => {
    const { stdin } = await runHookAt(agent, {}, (root) =>
      claudeShell('', root, { tool_name: 'mcp__notes__add', tool_input: { text: 'x' } }),
    )
    expect(stdin).toMatchObject([sent])
  })
})
