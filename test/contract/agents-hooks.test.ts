import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createGate, type Evaluation } from '../../src/index.ts'
import type { AgentName } from '../../src/model/agents.ts'
import { claudeShell } from '../support/wire.ts'
import { folderWith, writeFiles } from '../support/workspace.ts'

type Expected = object

const denied = (reason: unknown = 'no') => ({ kind: 'applicable', effect: 'deny', reason })
const refused = { kind: 'applicable', effect: 'deny' }
const silence = { kind: 'notApplicable' }
const allowed = { kind: 'applicable', effect: 'allow' }
const asked = { kind: 'applicable', effect: 'ask' }
const broke = (code: string) => ({ kind: 'indeterminate', failure: { code } })
const failed = broke('nonzeroExit')
const badOutput = broke('badOutput')
const stopped = { kind: 'applicable', obligations: [{ kind: 'stop', reason: 'enough' }] }

/** What each agent's hooks print to refuse, to allow and to ask, and where its files lie. */
interface Words {
  readonly file: string
  readonly event: string
  readonly deny: (reason: string) => object
  readonly allow: object
  readonly ask: object
}

const claudeWords = (file: string): Words => {
  const say = (permissionDecision: string, reason?: string) => ({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision,
      ...(reason !== undefined && { permissionDecisionReason: reason }),
    },
  })
  return {
    file,
    event: 'PreToolUse',
    deny: (reason) => say('deny', reason),
    allow: say('allow'),
    ask: say('ask', 'sure?'),
  }
}

type Name = Exclude<AgentName, 'claude-code' | 'cline' | 'opencode'> | 'copilot-cli, as Claude Code'

const words: Readonly<Record<Name, Words>> = {
  'gemini-cli': {
    file: '.gemini/settings.json',
    event: 'BeforeTool',
    deny: (reason) => ({ decision: 'deny', reason }),
    allow: { decision: 'allow' },
    ask: { decision: 'ask', reason: 'sure?' },
  },
  codex: claudeWords('.codex/hooks.json'),
  'copilot-cli': {
    file: '.copilot/hooks/guards.json',
    event: 'preToolUse',
    deny: (reason) => ({ permissionDecision: 'deny', permissionDecisionReason: reason }),
    allow: { permissionDecision: 'allow' },
    ask: { permissionDecision: 'ask', permissionDecisionReason: 'sure?' },
  },
  'copilot-cli, as Claude Code': claudeWords('.copilot/hooks/guards.json'),
  'qwen-code': claudeWords('.qwen/settings.json'),
  droid: claudeWords('.factory/settings.json'),
  cursor: {
    file: '.cursor/hooks.json',
    event: 'preToolUse',
    deny: (reason) => ({ permission: 'deny', user_message: reason, agent_message: reason }),
    allow: { permission: 'allow' },
    ask: { permission: 'ask', user_message: 'sure?' },
  },
  vscode: claudeWords('.github/hooks/guards.json'),
  windsurf: {
    file: '.windsurf/hooks.json',
    event: 'pre_run_command',
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

/** Programs by what they do, in the words of an agent. */
function programs({ deny, allow, ask }: Words): Readonly<Record<string, Program>> {
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
    claude_deny: { stdout: json(claudeWords('').deny('no')) },
  }
}

function script({ stdout, stderr, exit = 0, killed }: Program) {
  const print = (text: string | undefined, to: string) => (text === undefined ? '' : `cat ${to}<<'EOF'\n${text}\nEOF\n`)
  const end = killed === true ? 'kill -KILL $$' : `exit ${exit}`
  return { script: `#!/bin/sh\ncat >/dev/null\n${print(stdout, '')}${print(stderr, '>&2 ')}${end}\n` }
}

/** What holds where a table says nothing else: a refusal at 0 and 2, and everything else a hook that broke. */
const usual: Readonly<Record<string, Expected>> = {
  silent: silence,
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
  plain_text: silence,
  deny_unknown_key: denied(),
  deny_empty_reason: refused,
  legacy_block: denied(),
  // Decisions in another agent's words: it goes ahead without one, and the author believes in a guard.
  top_deny: badOutput,
  continue_false: stopped,
  claude_deny: badOutput,
}

/** JSON that counts whatever the exit code. */
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

/** What is different for each agent, as measured on its program or documented. */
const differing: Readonly<Record<Name, Readonly<Record<string, Expected>>>> = {
  'gemini-cli': {
    ...atAnyCode,
    exit0_allow: silence,
    exit2_silent: failed,
    exit2_stdout_text: denied(),
    // What is on stdout is the reason, however little it says.
    exit2_noise_and_stderr: refused,
    exit2_allow: failed,
    exit2_allow_stderr: failed,
    exit3_stderr: denied(),
    top_deny: denied(),
  },
  codex: {
    // An `allow` that changes nothing, a question, a key that it does not know, a refusal without a reason: all void.
    exit0_allow: badOutput,
    exit0_ask: badOutput,
    deny_unknown_key: badOutput,
    deny_empty_reason: badOutput,
    top_deny: badOutput,
    continue_false: badOutput,
    // Code 2 refuses by what stands on stderr, and by nothing else.
    exit2_silent: failed,
    exit2_stdout_text: failed,
    exit2_allow: failed,
    exit2_deny: failed,
    claude_deny: denied(),
  },
  'copilot-cli': copilot,
  'copilot-cli, as Claude Code': { ...copilot, claude_deny: denied() },
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
  droid: { ...atAnyCode, exit3_stderr: denied(), legacy_block: badOutput, claude_deny: denied() },
  cursor: { exit0_allow: silence, legacy_block: badOutput, continue_false: badOutput },
  vscode: { claude_deny: denied() },
  // Nothing that is printed on stdout counts.
  windsurf: {
    exit0_deny: silence,
    exit0_allow: silence,
    exit0_ask: silence,
    exit2_deny: refused,
    noise_then_deny: silence,
    deny_unknown_key: silence,
    deny_empty_reason: silence,
    legacy_block: badOutput,
    continue_false: badOutput,
  },
}

function gateWith(root: string, file: string) {
  const gate = createGate({
    rules: [join(root, file)],
    discover: false,
    home: root,
    managedFolder: root,
    placement: 'thread',
    env: { PATH: process.env['PATH'] ?? '' },
  })
  onTestFinished(() => gate.close())
  return gate
}

describe.each(Object.entries(words))('hooks of %s, behind Claude Code,', (name, own) => {
  const all = programs(own)

  it('mean what they mean there', { timeout: 60_000 }, async () => {
    const scripts = Object.fromEntries(Object.entries(all).map(([what, program]) => [`${what}.sh`, script(program)]))
    const root = folderWith(scripts)
    const hooks = Object.keys(all).map((what) => ({ type: 'command', command: `${root}/${what}.sh` }))
    const settings = { hooks: { [own.event]: own.file.includes('cursor') ? hooks : [{ hooks }] } }
    writeFiles(root, { [own.file]: json(settings) })
    const gate = gateWith(root, own.file)
    const verdict = await gate.decide(await gate.decode(claudeShell('ls', root), { agent: 'claude-code' }))
    const told: Readonly<Record<string, Evaluation | undefined>> = Object.fromEntries(
      Object.keys(all).map((what, index) => [what, verdict.evaluations[index]]),
    )
    expect(told).toMatchObject({ ...usual, ...Object.entries(differing).find(([one]) => one === name)?.[1] })
    expect(verdict.evaluations).toHaveLength(Object.keys(all).length)
  })
})

/** A hook that keeps what it was given, and answers. */
const keeping = (answer: object) => ({
  script: `#!/bin/sh\nevent=$(cat)\nprintf '%s\\n' "$event" >>"$KEPT/stdin"\nenv >"$KEPT/env"\npwd >"$KEPT/pwd"\ncat <<'EOF'\n${json(answer)}\nEOF\n`,
})

interface Told {
  readonly stdin: readonly unknown[]
  readonly env: string
  readonly pwd: string
  readonly verdict: Awaited<ReturnType<ReturnType<typeof createGate>['decide']>>
}

/** What one hook was told of an event of another agent, and what came of its answer. */
async function toldTo(
  file: string,
  event: string,
  answer: object,
  wire: (root: string) => object,
  agent: AgentName = 'claude-code',
): Promise<Told & { root: string }> {
  const flat = file.includes('cursor') || file.includes('windsurf')
  const hook = { type: 'command', command: '"$KEPT/hook.sh"' }
  const settings = { hooks: { [event]: flat ? [hook] : [{ hooks: [hook] }] } }
  const root = folderWith({ 'hook.sh': keeping(answer), 'sub/x': '', [file]: { json: settings } })
  const gate = createGate({
    rules: [join(root, file)],
    discover: false,
    home: root,
    managedFolder: root,
    placement: 'thread',
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
    ['.gemini/settings.json', 'BeforeTool', { hookSpecificOutput: { tool_input: { command: 'ls -l' } } }],
    [
      '.codex/hooks.json',
      'PreToolUse',
      {
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision: 'allow',
          updatedInput: { command: 'ls -l' },
        },
      },
    ],
    ['.copilot/hooks/x.json', 'preToolUse', { modifiedArgs: { command: 'ls -l' } }],
    ['.copilot/hooks/x.json', 'PreToolUse', { hookSpecificOutput: { updatedInput: { command: 'ls -l' } } }],
    ['.factory/settings.json', 'PreToolUse', { hookSpecificOutput: { updatedInput: { command: 'ls -l' } } }],
    ['.cursor/hooks.json', 'preToolUse', { permission: 'allow', updated_input: { command: 'ls -l' } }],
    ['.github/hooks/x.json', 'PreToolUse', { hookSpecificOutput: { updatedInput: { command: 'ls -l' } } }],
  ])('arrives in the keys of the agent that asks: %s %s', async (file, event, answer) => {
    const { verdict } = await toldTo(file, event, answer, (root) => claudeShell('ls', root))
    expect(verdict.obligations).toEqual([{ kind: 'replaceInput', input: { command: 'ls -l' } }])
  })

  it('of a path arrives under the asker’s own key', async () => {
    const answer = { modifiedArgs: { path: '/tmp/safe', file_text: 'x' } }
    const { verdict, stdin } = await toldTo('.copilot/hooks/x.json', 'preToolUse', answer, (root) =>
      claudeShell('', root, { tool_name: 'Write', tool_input: { file_path: join(root, 'a'), content: 'x' } }),
    )
    expect(stdin).toMatchObject([{ toolName: 'create', toolArgs: { file_text: 'x' } }])
    expect(verdict.obligations).toEqual([{ kind: 'replaceInput', input: { file_path: '/tmp/safe', content: 'x' } }])
  })
})

describe('a hook of another agent', () => {
  const inSub = (root: string) => ({ ...claudeShell('ls', join(root, 'sub')) })
  it.each([
    ['.gemini/settings.json', 'BeforeTool', ['GEMINI_PROJECT_DIR', 'GEMINI_SESSION_ID', 'CLAUDE_PROJECT_DIR'], 'sub'],
    ['.codex/hooks.json', 'PreToolUse', [], 'sub'],
    ['.copilot/hooks/x.json', 'preToolUse', ['COPILOT_PROJECT_DIR', 'COPILOT_CLI', 'CLAUDE_PROJECT_DIR'], 'sub'],
    ['.qwen/settings.json', 'PreToolUse', ['QWEN_PROJECT_DIR', 'GEMINI_PROJECT_DIR', 'CLAUDE_PROJECT_DIR'], 'sub'],
    ['.factory/settings.json', 'PreToolUse', ['FACTORY_PROJECT_DIR', 'DROID_PROJECT_DIR'], 'sub'],
    ['.cursor/hooks.json', 'preToolUse', ['CURSOR_PROJECT_DIR', 'CLAUDE_PROJECT_DIR'], ''],
  ] as const)('is given the variables and the folder of its agent: %s', async (file, event, names, folder) => {
    const { env, pwd, root } = await toldTo(file, event, {}, inSub)
    for (const name of names) expect(env).toMatch(new RegExp(`^${name}=.`, 'm'))
    if (names.length === 0) expect(env).not.toMatch(/PROJECT_DIR=/)
    // Only Cursor runs a user's own hooks beside their file; this home is the project as well.
    expect(pwd).toBe(folder === '' ? join(root, '.cursor') : join(root, folder))
  })

  it('is told of every file of a patch by an event of its own', async () => {
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
    const { stdin, root } = await toldTo('.gemini/settings.json', 'BeforeTool', {}, wire, 'codex')
    const paths = stdin.map((one) => JSON.stringify(one))
    for (const path of ['new.txt', 'old.txt', 'moved.txt']) {
      expect(paths.filter((text) => text.includes(`"file_path":"${join(root, path)}"`))).toHaveLength(1)
    }
    expect(stdin).toHaveLength(3)
  })

  it.each([
    ['.gemini/settings.json', 'BeforeTool', { tool_name: 'mcp_notes_add', mcp_context: { server_name: 'notes' } }],
    ['.codex/hooks.json', 'PreToolUse', { tool_name: 'mcp__notes__add' }],
    ['.copilot/hooks/x.json', 'preToolUse', { toolName: 'notes-add', toolArgs: { text: 'x' } }],
    ['.qwen/settings.json', 'PreToolUse', { tool_name: 'mcp__notes__add' }],
    ['.factory/settings.json', 'PreToolUse', { tool_name: 'mcp__notes__add' }],
    ['.cursor/hooks.json', 'preToolUse', { tool_name: 'MCP:add' }],
    ['.cursor/hooks.json', 'beforeMCPExecution', { tool_name: 'add', tool_input: '{"text":"x"}' }],
    ['.github/hooks/x.json', 'PreToolUse', { tool_name: 'mcp_notes_add' }],
    ['.windsurf/hooks.json', 'pre_mcp_tool_use', { tool_info: { mcp_server_name: 'notes', mcp_tool_name: 'add' } }],
  ])('is told of an MCP tool as its agent spells it: %s %s', async (file, event, sent) => {
    const { stdin } = await toldTo(file, event, {}, (root) =>
      claudeShell('', root, { tool_name: 'mcp__notes__add', tool_input: { text: 'x' } }),
    )
    expect(stdin).toMatchObject([sent])
  })

  it('that is registered under one of several names is told in the words of that one', async () => {
    const shell = (file: string, event: string) => toldTo(file, event, {}, (root) => claudeShell('ls', root))
    const cursor = await shell('.cursor/hooks.json', 'beforeShellExecution')
    expect(cursor.stdin).toMatchObject([{ hook_event_name: 'beforeShellExecution', command: 'ls' }])
    const pascal = await shell('.copilot/hooks/x.json', 'PreToolUse')
    expect(pascal.stdin).toMatchObject([{ hook_event_name: 'PreToolUse', tool_input: { command: 'ls' } }])
    const camel = await shell('.copilot/hooks/x.json', 'preToolUse')
    expect(camel.stdin).toMatchObject([{ toolName: 'bash', toolArgs: { command: 'ls' } }])
  })
})
