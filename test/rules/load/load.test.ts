import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { limits } from '../../../src/model/limits.ts'
import { isBuiltinRule, isCommandRule } from '../../../src/model/rule.ts'
import { makeDisk } from '../../../src/files/disk.ts'
import { isRule } from '../../../src/rules/load/draft.ts'
import { load } from '../../../src/rules/load/load.ts'
import { problemText } from '../../../src/model/errors.ts'
import type { Format } from '../../../src/rules/places.ts'
import { folderWith } from '../../support/workspace.ts'
import { rulesFileDepthMax } from '../../../src/files/parse-json.ts'

/** Loads a rules file of some format. */
function loaded(content: string | object, format: Format = 'hookgate', pluginRoot?: string) {
  const text = typeof content === 'string' ? content : JSON.stringify(content, undefined, 1)
  const file = join(folderWith({ 'hooks.json': text }), 'hooks.json')
  const source = { id: 'explicit:hooks.json', scope: 'explicit', file, workspaceRoot: undefined, pluginRoot } as const
  const { entries, ...rest } = load({ kind: 'file', source, format }, makeDisk(), '/home/someone')
  const all = entries.filter(isRule)
  return { ...rest, rules: all.filter(isCommandRule), builtins: all.filter(isBuiltinRule) }
}

const problems = (content: string | object, format?: Format, pluginRoot?: string) => {
  const result = loaded(content, format, pluginRoot)
  return result.problems.map((problem) => problemText({ ...problem, place: { ...problem.place, file: 'f' } }))
}

const hook = (more: object = {}) => ({ type: 'command', command: './guard.sh', ...more })
const withHook = (more: object, event = 'PreToolUse', matcher = 'Bash') => ({
  hooks: { [event]: [{ matcher, hooks: [hook(more)] }] },
})
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
const only = (content: object, format?: Format, pluginRoot?: string) => {
  const { rules, problems: found } = loaded(content, format, pluginRoot)
  expect(found).toEqual([])
  expect(rules).toHaveLength(1)
  return rules[0]
}

describe('the `id` of a hook', () => {
  it('names its rule', () => {
    const { id } = only(withHook({ id: 'no-force-push' })) ?? {}
    expect(id).toBe('explicit:hooks.json/no-force-push')
    expect(loaded(withHook({ id: 'no-force-push' })).places.get(id ?? '')).toMatchObject({ line: expect.any(Number) })
  })

  it('may be used once in a file, and must look like that of a policy', () => {
    const twice = { hooks: { PreToolUse: [{ hooks: [hook({ id: 'a' })] }], Stop: [{ hooks: [hook({ id: 'a' })] }] } }
    expect(problems(twice)).toEqual([
      expect.stringMatching(
        /^f:20:\d+: the hook `a` is defined twice: .*hooks\.json:6:\d+ has the same `id`; give one of them a different `id`$/,
      ),
    ])
    expect(problems(withHook({ id: 'No/Push' }))).toEqual([
      expect.stringMatching(/^f:\d+:\d+: `id` must look like `no-force-push`$/),
    ])
  })

  it.each(['settings', 'copy', 'plugin', 'cline'] as const)(
    'that has no effect in the format %s is an error',
    (format) => {
      for (const type of ['command', 'prompt']) {
        const { rules, problems: found } = loaded(withHook({ type, id: 'no-force-push' }), format, '/p')
        expect(rules).toEqual([])
        expect(found).toMatchObject([
          { severity: 'error', message: expect.stringContaining('`id` has no effect here') },
        ])
      }
    },
  )
})

describe('a hook in a rules file', () => {
  it('becomes a rule that knows its place', () => {
    const { rules, places } = loaded(
      '{"hooks": {"PreToolUse": [\n {"hooks": []},\n {"matcher": "Bash", "hooks": [\n  {"type": "command", "command": "x"},\n  {"type": "command", "command": "y"}]}]}}',
    )
    expect(rules.map(({ id }) => id)).toEqual([
      'explicit:hooks.json#PreToolUse[1].hooks[0]',
      'explicit:hooks.json#PreToolUse[1].hooks[1]',
    ])
    expect(places.get('explicit:hooks.json#PreToolUse[1].hooks[1]')).toMatchObject({ line: 5, column: 3 })
    expect(rules[1]).toMatchObject({
      match: {
        spelled: 'PreToolUse',
        events: ['PreToolUse'],
        triggers: undefined,
        matcher: { kind: 'names', names: ['Bash'] },
      },
      handler: {
        kind: 'command',
        dialect: 'claude-code',
        program: { form: 'shell', shell: 'sh', command: 'y' },
        env: {},
        plainTextEvents: [],
        async: false,
      },
      onFailure: 'continue',
      timeoutMs: undefined,
      sequence: undefined,
      untrustedReason: undefined,
    })
  })

  it('accepts every key of Claude Code, and those of hookgate', () => {
    const rule = only(
      withHook({
        shell: 'bash',
        timeout: 1.5,
        async: true,
        onFailure: 'ask',
        if: 'Bash(git *)',
        statusMessage: 'guarding',
        once: false,
        dialect: 'cline',
      }),
    )
    expect(rule).toMatchObject({ onFailure: 'ask', timeoutMs: 1500, handler: { async: true, dialect: 'cline' } })
    expect(rule?.match.condition).toEqual({ text: 'Bash(git *)', tool: 'Bash', pattern: 'git *' })
    expect(rule?.handler.program).toEqual({ form: 'shell', shell: 'sh', command: './guard.sh' })
  })

  it('may leave its variables to a shell, or have them expanded for each event without one', () => {
    const shell = only(withHook({ command: '"${CLAUDE_PROJECT_DIR}"/x', shell: 'powershell' }))
    expect(shell?.handler.program).toEqual({ form: 'shell', shell: 'powershell', command: '"${CLAUDE_PROJECT_DIR}"/x' })
    const exec = only(withHook({ command: 'node', args: ['${CLAUDE_PROJECT_DIR}/x.mjs', '$HOME'] }))
    expect(exec?.handler.program).toEqual({
      form: 'exec',
      file: 'node',
      args: ['${CLAUDE_PROJECT_DIR}/x.mjs', '$HOME'],
    })
  })

  it('may be registered under Cline’s names of events', () => {
    expect(only(withHook({}, 'TaskStart', ''))?.match).toMatchObject({
      events: ['SessionStart'],
      triggers: ['startup', 'clear'],
    })
    expect(only(withHook({}, 'TaskComplete', ''))?.match).toMatchObject({ events: ['Stop'] })
  })

  it('runs for failed tool calls at PostToolUse only if it is written for Cline, which has one event for both', () => {
    expect(only(withHook({}, 'PostToolUse'))?.match.events).toEqual(['PostToolUse'])
    expect(only(withHook({ dialect: 'cline' }, 'PostToolUse'))?.match.events).toEqual([
      'PostToolUse',
      'PostToolUseFailure',
    ])
  })

  it('that is `asyncRewake` is waited for, since hookgate cannot wake the agent', () => {
    const { rules, problems: found } = loaded(withHook({ async: true, asyncRewake: true }))
    expect(rules[0]).toMatchObject({ handler: { async: false } })
    expect(found).toMatchObject([
      { severity: 'warning', message: '`asyncRewake` has no effect here: hookgate waits for the hook' },
    ])
  })
})

describe('the plugin format', () => {
  const plugin = withHook({ command: 'bash ${CLAUDE_PLUGIN_ROOT}/scripts/guard.sh' }, 'PostToolUse', 'Write')

  it('runs in sequence with those of its group, or of its event, if that is said', () => {
    const group = { sequential: true, hooks: [hook(), hook()] }
    const sequences = (content: object) => loaded(content).rules.map(({ sequence }) => sequence)
    expect(sequences({ hooks: { Stop: [group, { hooks: [hook()] }] } })).toEqual([
      'explicit:hooks.json#Stop[0]',
      'explicit:hooks.json#Stop[0]',
      undefined,
    ])
    expect(sequences({ sequential: true, hooks: { Stop: [group, { hooks: [hook()] }] } })).toEqual(
      Array.from({ length: 3 }, () => 'explicit:hooks.json#Stop'),
    )
  })

  it('runs hooks in sequence with their plugin’s root, and reads plain text at PostToolUse as context', () => {
    expect(only(plugin, 'plugin', '/plugins/one')).toMatchObject({
      handler: {
        program: { command: 'bash ${CLAUDE_PLUGIN_ROOT}/scripts/guard.sh' },
        env: { CLAUDE_PLUGIN_ROOT: '/plugins/one' },
        plainTextEvents: ['PostToolUse'],
      },
      sequence: 'explicit:hooks.json#PostToolUse',
    })
  })

  it.each([
    ['bash ${CLAUDE_PLUGIN_ROOT}/x', undefined],
    ['bash $CLAUDE_PLUGIN_ROOT/x', undefined],
    ['bash', ['${CLAUDE_PLUGIN_ROOT}/x']],
  ])('has a variable that %j must not use elsewhere', (command, args) => {
    expect(problems(withHook({ command, args }))).toEqual([
      expect.stringMatching(/`\$\{CLAUDE_PLUGIN_ROOT\}` is only set in plugins; write `\$\{CLAUDE_PROJECT_DIR\}`/),
    ])
  })

  it('has a variable that may be used elsewhere with a default', () => {
    expect(problems(withHook({ command: '${CLAUDE_PLUGIN_ROOT:-.}/x' }))).toEqual([])
  })
})

describe('all mistakes in hookgate’s own file are reported at once, with place and remedy', () => {
  it.each([
    ['exeptions', 'exceptions'],
    ['sequental', 'sequential'],
    ['selfProtecton', 'selfProtection'],
    ['presets', 'preset'],
  ])('names the key that `%s` was meant to be', (key, meant) => {
    expect(problems({ hooks: {}, [key]: true })).toEqual([
      expect.stringContaining(`unknown key \`${key}\`; did you mean \`${meant}\`?`),
    ])
  })

  it('with a matcher that no tool can match is refused for a policy, and no more than told for a hook', () => {
    const group = (one: object) => ({ hooks: { PreToolUse: [{ matcher: 'git commit', hooks: [one] }] } })
    expect(loaded(group({ type: 'policy', policy: './a.policy.ts' })).problems[0]).toMatchObject({ severity: 'error' })
    const { rules, problems: found, builtins } = loaded(group({ type: 'command', command: 'true' }))
    expect(found).toMatchObject([{ severity: 'warning' }])
    expect(rules).toHaveLength(1)
    expect(builtins).toMatchObject([{ match: { events: ['SessionStart'] } }])
  })

  it('names each mistake', () => {
    const text = `{
  "hook": {},
  "hooks": {
    "PreToolUsage": [],
    "PreToolUse": [
      {"matcher": "BASH", "hooks": [
        {"type": "command", "comand": "x"},
        {"type": "command", "command": "x", "timeout": "5"},
        {"type": "http", "url": "https://example.com"},
        {"type": "comand", "command": "x"},
        {"command": "x"},
        {"type": "command", "command": "x", "onFailure": "blok", "args": ["a", 1]},
        "x"
      ]},
      {"matcher": {"tool": "Bash"}, "hooks": []},
      {"matcher": "Bash"}
    ],
    "Stop": [{"hooks": [{"type": "command", "command": "x", "if": "Bash(git *)"}]}]
  }
}`
    expect(problems(text)).toEqual([
      'f:2:3: unknown key `hook`; did you mean `hooks`?',
      'f:4:5: there is no event `PreToolUsage`; did you mean `PreToolUse`?',
      'f:6:19: there is no tool `BASH`; write `Bash`',
      'f:7:9: `command` is missing',
      'f:7:29: unknown key `comand`; did you mean `command`?',
      'f:8:56: `timeout` must be a number, not a string; give a number of seconds',
      "f:9:18: hookgate runs `command` and `policy` hooks, not `http` hooks; leave it in the agent's settings: the agent runs it itself",
      'f:10:18: `type` must be `command`, `policy` or `authzen`, not `comand`; did you mean `command`?',
      'f:11:9: `type` is missing; add `"type": "command"`',
      'f:12:80: `args[1]` must be a string, not a number',
      'f:12:58: `onFailure` must be `block`, `ask` or `continue`, not `blok`; did you mean `block`?',
      'f:13:9: `hooks[6]` must be an object, not a string',
      'f:15:19: `matcher` must be a string, not an object; write the tool names as one string: `"Edit|Write"`',
      expect.stringMatching(/^f:16:7: `hooks` is missing; a group looks like/),
      'f:18:67: `if` is about a tool call, and this event has none, so the hook would never run; remove it',
    ])
  })

  it.each([
    [withHook({ timeout: 0 }), '`timeout` must be above 0; give a number of seconds'],
    [withHook({ timeout: -1 }), '`timeout` must be above 0; give a number of seconds'],
    [withHook({ timeout: 86_401 }), '`timeout` must be at most 86400; give a number of seconds'],
    [withHook({ command: ' ' }), '`command` is empty'],
    [withHook({ command: 'a\0b' }), '`command` cannot contain a NUL character'],
    [withHook({ type: 'policy', policy: './x.ts' }), 'unknown key `command`; it is for `command` hooks: remove it'],
    [
      withHook({ type: 'prompt', prompt: 'x' }),
      "hookgate runs `command` and `policy` hooks, not `prompt` hooks; leave it in the agent's settings",
    ],
    [withHook({ if: 'Bash(git *' }), '`Bash(git *` is not a permission rule'],
    [{ hooks: [] }, '`hooks` must be an object, not an array; write `{"hooks": {"PreToolUse"'],
    [{ hooks: { PreToolUse: {} } }, '`PreToolUse` must be an array, not an object'],
    [{ hooks: { PreToolUse: [{ matcher: 'Bash', command: 'x' }] } }, '`hooks` is missing'],
    [[], 'the file must be an object, not an array'],
    [{}, 'there are no rules: `hooks` is missing; write `{"preset": "recommended"}`'],
    [{ hooks: {}, disableAllHooks: 'yes' }, '`disableAllHooks` must be a boolean, not a string'],
    [
      '{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "x", "timeout": 1e999}]}]}}',
      '`timeout` must be a number, not a non-finite number',
    ],
    ['{"hooks": {"__proto__": []}}', 'a key cannot be `__proto__`'],
    [withHook({}, 'constructor'), 'there is no event `constructor`'],
    [withHook({}, 'toString'), 'there is no event `toString`'],
  ])('%j', (content, message) => {
    const found = problems(content)
    expect(found[0]?.replace(/^f(:\d+)*: /, '').slice(0, message.length)).toBe(message)
    expect(loaded(content)).toMatchObject({ rules: [], problems: found.map(() => ({ severity: 'error' })) })
  })

  it('an error of a group or a hook hides no other in it', () => {
    const wrong = { type: 'command', command: 'x', timout: 5, onFailure: 'blok', if: 'Bash(git *' }
    const messages = problems({ hooks: { PreToolUse: [{ matchr: 'Bash', hooks: [wrong, { type: 'command' }] }] } })
    expect(messages.map((one) => one.replace(/^f(:\d+)*: /, ''))).toEqual([
      'unknown key `matchr`; did you mean `matcher`?',
      '`onFailure` must be `block`, `ask` or `continue`, not `blok`; did you mean `block`?',
      'unknown key `timout`; did you mean `timeout`?',
      expect.stringContaining('`Bash(git *` is not a permission rule'),
      '`command` is missing',
    ])
    const matcher = problems({ hooks: { PreToolUse: [{ matcher: 5, hooks: [{ type: 'command' }] }] } })
    expect(matcher).toEqual([expect.stringContaining('`matcher` must be'), expect.stringContaining('is missing')])
  })

  it('a matcher that may be meant is only a warning', () => {
    const { problems: found, rules } = loaded(withHook({}, 'SessionStart', 'warmup'))
    expect(found).toMatchObject([{ severity: 'warning', place: { line: 5 } }])
    expect(rules).toHaveLength(1)
  })

  it('an explicitly empty file has none', () => {
    expect(loaded({ hooks: {} })).toMatchObject({ rules: [], problems: [], disableAllHooks: false })
    expect(loaded({ disableAllHooks: false })).toMatchObject({ rules: [], problems: [], disableAllHooks: false })
    expect(loaded({ $schema: 'x', description: 'y', hooks: {} }).problems).toEqual([])
  })
})

describe('`disableAllHooks`', () => {
  it.each(['hookgate', 'settings', 'copy', 'cline', 'plugin'] as const)(
    'is warned about at its place, in the format %s',
    (format) => {
      const { problems: found, ...rest } = loaded({ ...withHook({}), disableAllHooks: true }, format)
      expect(rest.disableAllHooks).toBe(true)
      expect(found).toMatchObject([
        {
          severity: 'warning',
          place: { line: 15, column: 2 },
          message: expect.stringMatching(
            /^`disableAllHooks` switches off every rule in this file, and in every source/,
          ),
        },
      ])
    },
  )
})

describe('a key in the wrong place', () => {
  it.each([
    ['an event', { PreToolUse: [] }, ['f:2:2: unknown key `PreToolUse`; put it under `hooks`']],
    [
      'a hook where a group belongs',
      { hooks: { Stop: [{ type: 'command', command: 'x', hooks: [] }] } },
      [
        "f:5:5: unknown key `type`; put the hook into a group's `hooks` list",
        "f:6:5: unknown key `command`; put the hook into a group's `hooks` list",
      ],
    ],
    [
      'a matcher in a hook',
      withHook({ matcher: 'Bash' }),
      ['f:10:7: unknown key `matcher`; put it into a group, in the list of an event'],
    ],
  ])('is reported with the right place: %s', (_, content, expected) => {
    expect(problems(content)).toEqual(expected)
  })
})

describe('in a file of another program', () => {
  it.each(['settings', 'copy', 'cline', 'plugin'] as const)('of the format %s, unknown keys are ignored', (format) => {
    const content = { model: 'x', ...withHook({ rewakeMessage: 'x', cloud: 'skip' }) }
    expect(loaded(content, format)).toMatchObject({ problems: [], rules: [{}] })
  })

  it('an unknown event is skipped with a warning, as Claude Code skips it', () => {
    const { rules, problems: found } = loaded(
      { hooks: { BeforeSunrise: [{ hooks: [hook({ type: 'http' })] }], Stop: [{ hooks: [hook()] }] } },
      'settings',
    )
    expect(rules.map(({ match }) => match.spelled)).toEqual(['Stop'])
    expect(found).toMatchObject([{ severity: 'warning', message: 'there is no event `BeforeSunrise`' }])
  })

  it.each([
    [{ command: '' }, '`command` is empty'],
    [{ type: 'wasm' }, '`type` must be'],
  ])('a hook that runs nothing or is of a type that nobody knows is an error: %j', (wrong, message) => {
    for (const event of ['PreToolUse', 'Stop']) {
      const { rules, problems: found } = loaded({ hooks: { [event]: [{ hooks: [hook(wrong), hook()] }] } }, 'settings')
      expect(found).toMatchObject([{ severity: 'error', message: expect.stringContaining(message) }])
      expect(rules).toHaveLength(1)
    }
  })

  it('an event of an agent whose hook files are not read is refused, since its hooks would never run', () => {
    const { problems: found } = loaded({ hooks: { BeforeTool: [{ hooks: [hook()] }] } }, 'settings')
    expect(found).toMatchObject([{ severity: 'error', remedy: expect.stringMatching(/runs its own hook file/) }])
  })

  it('a misspelt event is an error in an explicit file, and a warning elsewhere, where it may be a newer one', () => {
    const content = { hooks: { PreToolUsage: [{ hooks: [hook()] }] } }
    const expected = { message: 'there is no event `PreToolUsage`', remedy: 'did you mean `PreToolUse`?' }
    expect(loaded(content, 'settings').problems).toMatchObject([{ severity: 'error', ...expected }])
    const file = join(folderWith({ 'hooks.json': JSON.stringify(content) }), 'hooks.json')
    const source = { id: 'user:plugin', scope: 'user', file, workspaceRoot: undefined, pluginRoot: undefined } as const
    const { problems: found } = load({ kind: 'file', source, format: 'plugin' }, makeDisk(), '/home/someone')
    expect(found).toMatchObject([{ severity: 'warning', ...expected }])
  })

  it.each(['http', 'mcp_tool', 'prompt', 'agent'])(
    'a hook of the type %s does not keep the others from running',
    (type) => {
      const content = { hooks: { PreToolUse: [{ hooks: [{ type, prompt: 'x' }, hook()] }] } }
      const { rules, problems: found, builtins } = loaded(content, 'settings')
      expect(rules).toMatchObject([{ handler: { kind: 'command' } }])
      expect(found).toMatchObject([{ severity: 'warning', remedy: 'the agent runs it itself if it reads this file' }])
      expect(found[0]?.message).toContain(`not \`${type}\` hooks`)
      expect(builtins).toMatchObject([
        { match: { events: ['SessionStart'] }, handler: { builtin: { what: `\`${type}\` hook` } } },
      ])
    },
  )

  it('a hook of such a type that must not fail counts as failed where it would run', () => {
    const { builtins } = loaded(withHook({ type: 'prompt', onFailure: 'block' }), 'settings')
    expect(builtins).toMatchObject([
      { match: { events: ['PreToolUse'], matcher: { names: ['Bash'] } }, onFailure: 'block' },
    ])
  })

  it.each(['settings', 'plugin', 'copy'] as const)(
    'a hook in the format %s has the timeouts of Claude Code',
    (format) => {
      const timeoutAt = (event: string, more: object = {}) =>
        loaded(withHook(more, event, ''), format, format === 'plugin' ? '/p' : undefined).rules[0]?.timeoutMs
      expect(timeoutAt('PreToolUse')).toBe(600_000)
      expect(timeoutAt('UserPromptSubmit')).toBe(30_000)
      expect(timeoutAt('SessionEnd')).toBe(600_000)
      expect(timeoutAt('MessageDisplay')).toBe(600_000)
      expect(timeoutAt('PreToolUse', { timeout: 5 })).toBe(5000)
    },
  )

  it('a hook in a plugin has the timeouts of Claude Code also beside a hook that must not fail', () => {
    const { rules } = loaded(withHook({ onFailure: 'block' }), 'plugin', '/p')
    expect(rules).toMatchObject([{ onFailure: 'block', timeoutMs: 600_000 }])
  })

  it.each(['hookgate', 'cline'] as const)('a hook in the format %s has the timeout of the gate', (format) => {
    expect(only(withHook({}), format)?.timeoutMs).toBeUndefined()
  })

  it('a hook that cannot be read is an error, since it may be a guard', () => {
    expect(problems(withHook({ timeout: '5' }), 'cline')).toEqual([
      expect.stringContaining('`timeout` must be a number'),
    ])
  })
})

describe('a misspelt key in a file that may have keys of other programs', () => {
  const reported = (content: object, format: Format) =>
    loaded(content, format).problems.map(({ severity, message, remedy }) => `${severity}: ${message}; ${remedy}`)
  const formats = ['settings', 'copy', 'cline', 'plugin'] as const
  const grouped = (more: object) => ({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [hook()], ...more }] } })

  it.each(formats)('is an error where only hookgate would read it, in the format %s', (format) => {
    const meant = (key: string) => `did you mean \`${key}\`?`
    expect(reported(withHook({ onfailure: 'block' }), format)).toEqual([
      `error: unknown key \`onfailure\`; ${meant('onFailure')}`,
    ])
    expect(reported(withHook({ dialct: 'cline' }), format)).toEqual([
      `error: unknown key \`dialct\`; ${meant('dialect')}`,
    ])
    expect(reported({ ...withHook({}), pakcs: [] }, format)).toEqual([
      `error: unknown key \`pakcs\`; ${meant('packs')}`,
    ])
    expect(reported({ ...withHook({}), pack: [] }, format)).toEqual([`error: unknown key \`pack\`; ${meant('packs')}`])
    expect(reported(grouped({ onFailure: 'block' }), format)).toEqual([
      "error: unknown key `onFailure`; put the hook into a group's `hooks` list",
    ])
  })

  it.each(formats)('is a warning elsewhere, in the format %s', (format) => {
    expect(reported(grouped({ matchr: 'Bash' }), format)).toEqual([
      'warning: unknown key `matchr`; did you mean `matcher`?',
    ])
    expect(reported(withHook({ timeot: 5, matcher: 'Bash' }), format)).toEqual([
      'warning: unknown key `timeot`; did you mean `timeout`?',
      'warning: unknown key `matcher`; put it into a group, in the list of an event',
    ])
    expect(reported({ ...withHook({}), disableAllHook: true, PreToolUse: [] }, format)).toEqual([
      'warning: unknown key `disableAllHook`; did you mean `disableAllHooks`?',
      'warning: unknown key `PreToolUse`; put it under `hooks`',
    ])
    expect(reported({ ...withHook({ description: 'x' }), name: 'y', timeout: 5 }, format)).toEqual([])
  })

  it('is named in a file without rules', () => {
    expect(reported({ pack: [] }, 'copy')).toEqual(['error: unknown key `pack`; did you mean `packs`?'])
    expect(reported({ hoooks: {} }, 'copy')).toEqual([
      'warning: unknown key `hoooks`; did you mean `hooks`?',
      'error: there are no rules: `hooks` is missing; write `{"hooks": {}}`',
    ])
  })
})

describe('an explicit file with keys of hookgate’s own', () => {
  const keys = (content: object, format: Format) => loaded(content, format).problems.map(({ message }) => message)
  const two = (first: object, more: object) => ({
    model: 'x',
    hooks: { PreToolUse: [{ matcher: 'Bash', note: 'x', hooks: [first, hook({ cloud: 'skip' })] }], ...more },
  })

  it.each(['copy', 'plugin'] as const)('is read in hookgate’s own format, in the format %s', (format) => {
    const all = ['unknown key `model`', 'unknown key `note`', 'unknown key `cloud`']
    expect(keys(two(hook(), {}), format)).toEqual([])
    expect(keys(two(hook({ dialect: 'cline' }), {}), format)).toEqual(all)
    expect(keys(two(hook({ onFailure: 'ask' }), {}), format)).toEqual(all)
    expect(keys(two({ type: 'policy', policy: 'hookgate/no-force-push' }, {}), format)).toEqual(all)
    expect(keys({ ...two(hook(), {}), packs: [] }, format)).toEqual(all)
  })

  it('may have other settings beside hooks with `onFailure`, as Claude Code’s may', () => {
    expect(keys(two(hook({ onFailure: 'block' }), {}), 'copy')).toEqual(['unknown key `note`', 'unknown key `cloud`'])
    expect(keys(two(hook({ onFailure: 'block' }), {}), 'settings')).toEqual([])
  })
})

describe('a file that cannot be read', () => {
  it('is a problem when it is too large', () => {
    expect(problems(' '.repeat(limits.rulesFileBytesMax + 1))).toEqual([
      `f: the rules file cannot be read: it is larger than ${limits.rulesFileBytesMax} bytes; fix or remove it`,
    ])
  })

  it('is a problem when it nests deeper than its format', () => {
    expect(problems(nested(rulesFileDepthMax + 1))).toEqual([
      `f:1:${rulesFileDepthMax + 1}: brackets are nested more than ${rulesFileDepthMax} levels deep`,
    ])
    expect(problems(nested(rulesFileDepthMax))).toEqual(['f:1:1: the file must be an object, not an array'])
  })
})
