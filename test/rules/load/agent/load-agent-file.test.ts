import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AgentName } from '../../../../src/model/agents.ts'
import type { HookEvent } from '../../../../src/model/event.ts'
import { toolKind } from '../../../../src/model/tool-names.ts'
import { isCommandRule } from '../../../../src/model/rule.ts'
import { makeDisk } from '../../../../src/files/disk.ts'
import { findGiven } from '../../../../src/rules/find/given.ts'
import { isRule } from '../../../../src/rules/load/bind/draft.ts'
import { load } from '../../../../src/rules/load/load.ts'
import { matchRule } from '../../../../src/rules/match/match.ts'
import { placesFor } from '../../../../src/rules/places.ts'
import { folderWith } from '../../../support/workspace.ts'

/** What is loaded of a file that was named, by where it lies and what it holds. */
function loaded(name: string, json: object | string) {
  const home = folderWith({ [name]: typeof json === 'string' ? json : { json } })
  const places = placesFor({ given: [], cwd: home, home, env: {} })
  const disk = makeDisk()
  const { found, problems } = findGiven(join(home, name), places, disk)
  const drafts = found.map((one) => load(one, disk, home))
  return {
    home,
    rules: drafts.flatMap(({ entries }) => entries.filter(isRule).filter(isCommandRule)),
    notes: drafts.flatMap(({ notes }) => notes),
    asking: drafts.flatMap(({ asking }) => asking),
    problems: [...problems, ...drafts.flatMap((draft) => draft.problems)],
  }
}

const group = (hook: object, more: object = {}) => [{ ...more, hooks: [{ type: 'command', command: './g', ...hook }] }]

/** Each agent's file with one hook, and what it becomes. */
const files = [
  ['gemini-cli', '.gemini/settings.json', { hooks: { BeforeTool: group({ timeout: 5000 }) } }, 5000],
  ['gemini-cli', '.gemini/settings.json', { hooks: { BeforeTool: group({}) } }, 60_000],
  ['codex', '.codex/hooks.json', { hooks: { PreToolUse: group({ timeout: 5 }) } }, 5000],
  ['codex', '.codex/hooks.json', { hooks: { PreToolUse: group({}) } }, 600_000],
  ['codex', '.codex/hooks.json', { hooks: { SessionEnd: group({}) } }, 1000],
  [
    'copilot-cli',
    '.github/hooks/x.json',
    { version: 1, hooks: { preToolUse: [{ bash: './g', timeoutSec: 5 }] } },
    5000,
  ],
  ['copilot-cli', '.copilot/hooks/x.json', { hooks: { preToolUse: [{ bash: './g' }] } }, 30_000],
  ['copilot-cli', '.copilot/hooks/hooks.json', { hooks: { PreToolUse: [{ command: './g' }] } }, 30_000],
  ['copilot-cli', '.github/copilot/settings.json', { hooks: { agentStop: [{ command: './g' }] } }, 30_000],
  [
    'vscode',
    '.github/hooks/x.json',
    { hooks: { PreToolUse: [{ type: 'command', command: './g', timeout: 5 }] } },
    5000,
  ],
  ['vscode', '.github/hooks/x.json', { hooks: { PreToolUse: group({}) } }, 30_000],
  ['qwen-code', '.qwen/settings.json', { hooks: { PreToolUse: group({ timeout: 999 }) } }, 999_000],
  ['qwen-code', '.qwen/settings.json', { hooks: { PreToolUse: group({ timeout: 1000 }) } }, 1000],
  ['droid', '.factory/hooks.json', { PreToolUse: group({ timeout: 5 }) }, 5000],
  ['droid', '.factory/settings.json', { hooks: { PreToolUse: group({}) } }, 60_000],
  ['cursor', '.cursor/hooks.json', { version: 1, hooks: { preToolUse: [{ command: './g', timeout: 5 }] } }, 5000],
  ['cursor', '.cursor/hooks.json', { version: 1, hooks: { stop: [{ command: './g' }] } }, undefined],
  ['windsurf', '.windsurf/hooks.json', { hooks: { pre_run_command: [{ command: './g' }] } }, undefined],
  ['windsurf', '.codeium/windsurf/hooks.json', { hooks: { post_read_code: [{ command: './g' }] } }, undefined],
] as const

describe('a file of another agent', () => {
  it.each(files)('is known as one of %s by its place, %s (%#)', (agent, name, json, timeoutMs) => {
    const { rules, problems } = loaded(name, json)
    expect(problems).toEqual([])
    expect(rules).toMatchObject([{ handler: { dialect: agent, program: { command: './g' } }, timeoutMs }])
  })

  it.each([
    ['gemini-cli', { hooks: { BeforeTool: group({}) } }],
    ['windsurf', { hooks: { pre_read_code: [{ command: './g' }] } }],
    ['cursor', { version: 1, hooks: { beforeShellExecution: [{ command: './g' }] } }],
    ['copilot-cli', { version: 1, hooks: { userPromptSubmitted: [{ command: './g' }] } }],
    ['copilot-cli', { version: 1, hooks: { preToolUse: [{ bash: './g', timeoutSec: 2 }] } }],
    ['cursor', { version: 1, hooks: { preToolUse: [{ command: './g', failClosed: true }] } }],
  ])('is known as one of %s by its shape, wherever it lies (%#)', (agent, json) => {
    expect(loaded('rules.json', json).rules).toMatchObject([{ handler: { dialect: agent } }])
    expect(loaded('hooks.json', json).rules).toMatchObject([{ handler: { dialect: agent } }])
  })

  it('is read as before where it may be anybody’s', () => {
    expect(loaded('settings.json', { hooks: { PreToolUse: group({}) } }).rules).toMatchObject([
      { handler: { dialect: 'claude-code' } },
    ])
    const { rules, problems } = loaded('hooks.json', { version: 1, hooks: { preToolUse: [{ command: './g' }] } })
    expect([rules, problems.map(({ severity }) => severity)]).toEqual([[], ['error', 'error']])
  })

  it('may have comments where the agent lets them pass, and nowhere else', () => {
    const text =
      '{ // mine\n /* "hooks" */ "hooks": {"BeforeTool": [{"hooks": [{"command": "echo //x"}]}]},\n "x": tru }'
    const { problems } = loaded('.gemini/settings.json', text)
    expect(problems).toMatchObject([{ place: { line: 3, column: 7 } }])
    const whole = loaded('.gemini/settings.json', text.replace('tru', 'true'))
    expect(whole.problems).toEqual([])
    expect(whole.rules).toMatchObject([{ handler: { program: { command: 'echo //x' } } }])
    expect(loaded('.codex/hooks.json', text.replace('tru', 'true')).problems).toMatchObject([
      { remedy: 'JSON has no comments: remove it' },
    ])
  })

  it('is found in the folder that is named', () => {
    const { home } = loaded('.github/hooks/a.json', { version: 1, hooks: { preToolUse: [{ bash: './g' }] } })
    const places = placesFor({ given: [], cwd: home, home, env: {} })
    for (const folder of ['.github/hooks', join(home, '.github/hooks')]) {
      const { found } = findGiven(folder, places, makeDisk())
      expect(found.map(({ source }) => dirname(source.file))).toEqual([join(home, '.github/hooks')])
    }
  })
})

describe('what a file says of its hooks', () => {
  it('is heeded: program, arguments, variables, folder', () => {
    const hook = { exec: 'node', args: ['a b.mjs'], env: { LEVEL: '2' }, cwd: 'tools' }
    const { rules } = loaded('.copilot/hooks/x.json', { version: 1, hooks: { preToolUse: [hook] } })
    const program = { form: 'exec', file: 'node', args: ['a b.mjs'] }
    expect(rules).toMatchObject([{ handler: { program, env: { LEVEL: '2' }, folder: 'tools' } }])
  })

  it('runs in the shell of its agent', () => {
    const shellOf = (name: string, json: object) => loaded(name, json).rules[0]?.handler.program
    expect(shellOf('.gemini/settings.json', { hooks: { BeforeTool: group({}) } })).toMatchObject({ shell: 'bash' })
    expect(shellOf('.factory/hooks.json', { PreToolUse: group({}) })).toMatchObject({ shell: 'sh' })
  })

  it.each([
    ['preToolUse', 'block'],
    ['PreToolUse', 'block'],
    ['postToolUse', 'continue'],
  ])('fails as Copilot says, at %s: %s', (event, onFailure) => {
    const { rules } = loaded('.copilot/hooks/x.json', { version: 1, hooks: { [event]: [{ bash: './g' }] } })
    expect(rules).toMatchObject([{ onFailure }])
  })

  it('fails as Cursor’s `failClosed` says', () => {
    const { rules } = loaded('.cursor/hooks.json', {
      version: 1,
      hooks: { preToolUse: [{ command: './a', failClosed: true }, { command: './b' }] },
    })
    expect(rules.map(({ onFailure }) => onFailure)).toEqual(['block', 'continue'])
  })

  it('runs one after the other where the agent does', () => {
    const two = (more: object) => [...group({}, more), ...group({ command: './h' })]
    const sequences = (name: string, json: object) =>
      new Set(loaded(name, json).rules.map(({ sequence }) => sequence !== undefined))
    expect(sequences('.gemini/settings.json', { hooks: { BeforeTool: two({ sequential: true }) } })).toEqual(
      new Set([true]),
    )
    expect(sequences('.gemini/settings.json', { hooks: { BeforeTool: two({}) } })).toEqual(new Set([false]))
    expect(sequences('.copilot/settings.json', { hooks: { preToolUse: two({}) } })).toEqual(new Set([true]))
  })

  it.each([
    ['.gemini/settings.json', { hooksConfig: { enabled: false }, hooks: { BeforeTool: group({}) } }],
    ['.gemini/settings.json', { hooksConfig: { disabled: ['./g'] }, hooks: { BeforeTool: group({}) } }],
    ['.gemini/settings.json', { hooksConfig: { disabled: ['x'] }, hooks: { BeforeTool: group({ name: 'x' }) } }],
    ['.qwen/settings.json', { disableAllHooks: true, hooks: { PreToolUse: group({}) } }],
    ['.copilot/settings.json', { disableAllHooks: true, hooks: { preToolUse: [{ bash: './g' }] } }],
    ['.factory/settings.json', { hooksDisabled: true, hooks: { PreToolUse: group({}) } }],
  ])('is switched off as there, and says so (%#)', (name, json) => {
    const { rules, notes, problems } = loaded(name, json)
    expect([rules, problems]).toEqual([[], []])
    expect(notes).toEqual([expect.stringContaining('is switched off')])
  })

  it('leaves out what only asks hookgate, which would ask itself without end', () => {
    const { rules, asking } = loaded('.gemini/settings.json', {
      hooks: { BeforeTool: group({ command: 'hookgate run --agent gemini-cli' }) },
    })
    expect([rules, asking]).toEqual([[], [expect.stringMatching(/#BeforeTool\[0\]/)]])
  })

  it.each([
    [{ hooks: { BeforeTool: group({ type: 'http', url: 'x' }) } }, 'error', 'not `http` hooks'],
    [{ hooks: { BeforeTool: [{ hooks: [{ type: 'command' }] }] } }, 'error', 'it has nothing to run'],
    [{ hooks: { PreToolUse: group({}) } }, 'warning', 'hookgate knows no event'],
    [{ hooks: { BeforeTool: group({ timeout: 60 }) } }, 'warning', 'as milliseconds: this hook has 60 ms'],
    [{ hooks: { BeforeTool: 'x' } }, 'error', 'must be a list'],
    [{ other: 1 }, 'error', '`hooks` is missing'],
  ])('is told where it is wrong (%#)', (json, severity, message) => {
    expect(loaded('.gemini/settings.json', json).problems).toMatchObject([
      { severity, message: expect.stringContaining(message) },
    ])
  })

  it('names the event’s own word for one that the agent does not have', () => {
    expect(loaded('.gemini/settings.json', { hooks: { PreToolUse: group({}) } }).problems).toMatchObject([
      { remedy: 'write `BeforeTool`' },
    ])
  })

  it('is no file for Codex with a key at its top that Codex does not know', () => {
    expect(loaded('.codex/hooks.json', { version: 1, hooks: {} }).problems).toMatchObject([
      { severity: 'error', message: expect.stringContaining('ignores the whole file') },
    ])
  })
})

/** The event of a tool call of some agent, as far as matchers look at it. */
function call(agent: AgentName, name: string, more: object = {}): HookEvent {
  return {
    name: 'PreToolUse',
    agent,
    session: { id: 's', cwd: '/' },
    workspaceRoots: ['/'],
    atMs: 0,
    action: { tool: toolKind(agent, name), name, input: {}, ...more },
    raw: {},
  }
}

const gemini = ['.gemini/settings.json', 'BeforeTool'] as const
const codex = ['.codex/hooks.json', 'PreToolUse'] as const
const camel = ['.copilot/hooks/x.json', 'preToolUse'] as const
const pascal = ['.copilot/hooks/x.json', 'PreToolUse'] as const
const qwen = ['.qwen/settings.json', 'PreToolUse'] as const
const droid = ['.factory/settings.json', 'PreToolUse'] as const
const vscode = ['.github/hooks/x.json', 'PreToolUse'] as const
const cursor = ['.cursor/hooks.json', 'preToolUse'] as const
const cursorShell = ['.cursor/hooks.json', 'beforeShellExecution'] as const
const windsurf = ['.windsurf/hooks.json', 'pre_run_command'] as const

/** Whether a hook with a matcher hears Claude Code's shell. */
const matchers = [
  [gemini, 'run_shell_command', true],
  [gemini, 'shell', true],
  [gemini, 'Shell_', false],
  [gemini, '*', true],
  [gemini, '', true],
  [gemini, 'write_file|run_.*', true],
  [gemini, '^run', true],
  [gemini, '[', false],
  [codex, 'Bash', true],
  [codex, 'Bas', false],
  [codex, 'Edit|Bash', true],
  [codex, '^Ba', true],
  [codex, '(?i)^bash$', true],
  [camel, 'bash', true],
  [camel, 'ba', false],
  [camel, '.*', true],
  [camel, 'view|bash', true],
  [pascal, 'Bash', true],
  [pascal, 'bash', true],
  [pascal, 'Edit|Bash', true],
  [pascal, '*', true],
  [qwen, 'run_shell_command', true],
  [qwen, 'Bash', true],
  [qwen, 'Edit|Bash', true],
  [qwen, 'shell', true],
  [droid, 'Execute', true],
  [droid, 'Exec', true],
  [droid, 'Edit', false],
  [vscode, 'anything', true],
  [cursor, 'Shell', true],
  [cursor, 'Read|Shell', true],
  [cursor, 'Write', false],
  [cursorShell, 'git push', true],
  [cursorShell, 'git pull', false],
  [windsurf, 'x', true],
] as const

describe('a matcher', () => {
  it.each(matchers)('by the rules of its agent: %j with %j hears the shell: %s', ([name, event], matcher, heard) => {
    const { rules, problems } = loaded(name, { hooks: { [event]: [{ matcher, command: './g' }] } })
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
    const [rule] = rules
    if (rule === undefined) throw new Error('no rule')
    expect(matchRule(rule, call('claude-code', 'Bash', { command: 'git push' })).applies).toBe(heard)
  })

  it.each([
    [camel, '*', 'write `.*`'],
    [camel, '', 'write `.*`'],
    [pascal, '', 'write `.*`'],
    [droid, 'Bash', 'write `Execute`'],
    [droid, 'Bash|Write', 'write `Execute|Create`'],
    [droid, 'execute', 'write `Execute`'],
    [gemini, 'Bash', 'write `run_shell_command`'],
    [codex, 'bash', 'write `Bash`'],
    [camel, 'Bash', 'write `bash`'],
    [cursor, 'Bash', 'write `Shell`'],
    [codex, '[', undefined],
    [droid, '(', undefined],
  ] as const)('that can never match is refused, with a remedy: %j with %j', ([name, event], matcher, remedy) => {
    const { rules, problems } = loaded(name, { hooks: { [event]: [{ matcher, command: './g' }] } })
    expect(rules).toEqual([])
    expect(problems).toMatchObject([
      { severity: 'error', ...(remedy !== undefined && { remedy: expect.stringContaining(remedy) }) },
    ])
  })

  it.each([
    [gemini, '^mcp_notes_add$', true],
    [codex, 'mcp__notes__add', true],
    [camel, 'notes-add', true],
    [cursor, '^MCP:add$', true],
    [droid, 'mcp__notes__.*', true],
    [gemini, '^mcp__', false],
  ] as const)('holds against an MCP tool as its agent spells it: %j with %j, %s', ([name, event], matcher, heard) => {
    const [rule] = loaded(name, { hooks: { [event]: [{ matcher, command: './g' }] } }).rules
    if (rule === undefined) throw new Error('no rule')
    expect(matchRule(rule, call('claude-code', 'mcp__notes__add')).applies).toBe(heard)
  })

  it('of Codex hears a new file under the names that it has for a patch', () => {
    for (const matcher of ['apply_patch', 'Write', 'Edit']) {
      const [rule] = loaded(codex[0], { hooks: { PreToolUse: [{ matcher, command: './g' }] } }).rules
      if (rule === undefined) throw new Error('no rule')
      expect(matchRule(rule, call('codex', 'apply_patch')).applies).toBe(true)
      expect(matchRule(rule, call('claude-code', 'Write')).applies).toBe(true)
    }
  })

  it('of an event for one kind of tool hears no other', () => {
    const [rule] = loaded(cursorShell[0], { hooks: { beforeShellExecution: [{ command: './g' }] } }).rules
    if (rule === undefined) throw new Error('no rule')
    expect(matchRule(rule, call('claude-code', 'Read'))).toEqual({
      applies: false,
      why: 'beforeShellExecution is for shell, not for read',
    })
  })
})

describe('a key of a hook that its agent does not have', () => {
  const told = (name: string, event: string, hook: object) =>
    loaded(name, { hooks: { [event]: [hook] } }).problems.map(
      ({ severity, message, remedy }) => `${severity}: ${message}; ${remedy}`,
    )
  const elsewhere = 'put the hook into a hooks.json of hookgate, with its `dialect`'

  it('is told where it is all but one that it has, or one that hookgate alone has', () => {
    expect(told('.cursor/hooks.json', 'stop', { command: './g', failclosed: true })).toEqual([
      'warning: unknown key `failclosed`; did you mean `failClosed`?',
    ])
    expect(told('.cursor/hooks.json', 'stop', { command: './g', onFailure: 'block' })).toEqual([
      `warning: a file of Cursor has no \`onFailure\`; write \`"failClosed": true\`, or ${elsewhere}`,
    ])
    const grouped = { matchr: 'x', hooks: [{ type: 'command', command: './g', onfailure: 'block' }] }
    expect(told('.gemini/settings.json', 'BeforeTool', grouped)).toEqual([
      'warning: unknown key `matchr`; did you mean `matcher`?',
      `warning: a file of Gemini CLI has no \`onFailure\`; ${elsewhere}`,
    ])
  })

  it('may be newer than what is known of the agent', () => {
    expect(told('.cursor/hooks.json', 'stop', { command: './g', note: 'x', loop_limit: 3 })).toEqual([])
  })
})
