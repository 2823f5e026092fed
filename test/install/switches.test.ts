import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { SwitchVariable } from '../../src/agents/install/switch-variables.ts'
import { agents, type KnownAgent } from '../../src/agents/registry.ts'
import { enable, enableManaged, managedStatus } from '../../src/install/index.ts'
import type { InstallContext } from '../../src/install/install-context.ts'
import { isAtLeast, parseVersion, readOverrides, unloadable } from '../../src/install/http-groups/settings.ts'
import { switchesOf, switchNotes } from '../../src/install/status.ts'
import { installContextIn } from '../support/install-context.ts'

const contextWith = (files: Record<string, object>) =>
  installContextIn(Object.fromEntries(Object.entries(files).map(([name, json]) => [name, JSON.stringify(json)])))
const overridesOf = (files: Record<string, object>) => readOverrides(contextWith(files))

const managed = 'managed/etc/claude-code/managed-settings.json'
const dropIn = 'managed/etc/claude-code/managed-settings.d/10-hooks.json'
const user = 'home/.claude/settings.json'
const project = 'project/.claude/settings.json'

describe('settings that stop Claude Code from running hooks', () => {
  it.each([
    [{ [dropIn]: { allowManagedHooksOnly: true } }, '`allowManagedHooksOnly`'],
    [{ [managed]: { strictPluginOnlyCustomization: ['hooks'] } }, '`strictPluginOnlyCustomization`'],
    [{ [project]: { hooks: [] } }, '`hooks` is not an object'],
  ])('%j', (files, obstacle) => {
    expect(overridesOf(files as Record<string, object>).obstacles).toEqual([expect.stringContaining(obstacle)])
  })

  it.each([
    [{ [user]: { allowManagedHooksOnly: true, strictPluginOnlyCustomization: true } }],
    [{ [managed]: { strictPluginOnlyCustomization: ['skills'] } }],
    [{}],
  ])('but not: %j', (files) => {
    expect(overridesOf(files as Record<string, object>).obstacles).toEqual([])
  })

  it('lists the addresses that may be called', () => {
    const url = 'http://127.0.0.1:3043/claude-code'
    const allows = (...lists: string[][]) =>
      overridesOf(
        Object.fromEntries(
          [managed, user, project].flatMap((file, index) => {
            const list = lists[index]
            return list === undefined ? [] : [[file, { allowedHttpHookUrls: list }]]
          }),
        ),
      ).httpAllowed(url)
    expect(allows()).toBe(true)
    expect(allows([])).toBe(false)
    expect(allows(['http://127.0.0.1:*'])).toBe(true)
    expect(allows(['https://*'], [url])).toBe(true)
    expect(allows(['*:3043*code'])).toBe(true)
    expect(allows(['http://127.0.0.1:3043'], ['*/claude-code/*', '*x*'])).toBe(false)
    expect(allows(['*a'.repeat(2000)])).toBe(false)
  })
})

const local = 'project/.claude/settings.local.json'
const on = { disableAllHooks: false }
const off = { disableAllHooks: true }
const trusting = (value: object) => ({ ...value, 'home/.copilot/config.json': { trusted_folders: ['/'] } })
const copilot = 'project/.github/copilot/settings'
const gemini = {
  enabled: (enabled: boolean) => ({ hooksConfig: { enabled } }),
  without: { hooksConfig: { disabled: ['hookgate'] } },
}

/** Of each agent: files, and the one whose setting keeps hooks from running. What the programs do was measured. */
describe('the settings with which an agent runs no hook', () => {
  it.each<[KnownAgent, Record<string, object>, string | undefined]>([
    ['claude-code', { [project]: off }, project],
    ['claude-code', { [local]: off, [project]: on }, local],
    ['claude-code', { [user]: off }, user],
    ['claude-code', { [user]: off, [project]: on }, undefined],
    ['claude-code', { [managed]: off, [user]: on }, managed],
    ['claude-code', { [managed]: on, [local]: off }, undefined],
    ['claude-code', { [dropIn]: on, [managed]: off, [project]: off }, undefined],
    ['claude-code', { [user]: { disableAllHooks: 'yes' } }, undefined],
    [
      'qwen-code',
      { 'project/.qwen/settings.json': off, 'home/.qwen/settings.json': on },
      'project/.qwen/settings.json',
    ],
    ['qwen-code', { 'project/.qwen/settings.json': off, 'managed/etc/qwen-code/settings.json': on }, undefined],
    // Qwen Code does not read this key, which is Gemini CLI's.
    ['qwen-code', { 'project/.qwen/settings.json': gemini.enabled(false) }, undefined],
    ['gemini-cli', { 'project/.gemini/settings.json': gemini.enabled(false) }, 'project/.gemini/settings.json'],
    [
      'gemini-cli',
      {
        'project/.gemini/settings.json': gemini.enabled(false),
        'managed/etc/gemini-cli/settings.json': gemini.enabled(true),
      },
      undefined,
    ],
    // Gemini CLI joins the lists of all files: no other file takes a name out again.
    [
      'gemini-cli',
      {
        'project/.gemini/settings.json': { hooksConfig: { disabled: [] } },
        'home/.gemini/settings.json': gemini.without,
      },
      'home/.gemini/settings.json',
    ],
    ['copilot-cli', { 'home/.copilot/settings.json': off, 'home/.copilot/config.json': off }, undefined],
    ['copilot-cli', { [`${copilot}.json`]: off }, undefined],
    ['copilot-cli', trusting({ [`${copilot}.json`]: off }), `${copilot}.json`],
    ['copilot-cli', trusting({ [`${copilot}.json`]: off, [`${copilot}.local.json`]: on }), undefined],
    ['copilot-cli', trusting({ [project]: off }), project],
    ['copilot-cli', trusting({ [`${copilot}.json`]: on, [local]: off }), undefined],
    ['copilot-cli', trusting({ 'project/.github/hooks/theirs.json': { ...off, version: 1 } }), undefined],
    [
      'copilot-cli',
      trusting({ [project]: off, 'managed/etc/github-copilot/policy.d/50-hookgate.json': {} }),
      undefined,
    ],
    ['droid', { 'project/.factory/hooks.json': { hooksDisabled: true } }, 'project/.factory/hooks.json'],
    ['droid', { 'project/.factory/settings.json': { hooksDisabled: true } }, undefined],
  ])('of %s, given %j', (agent, files, deciding) => {
    const context = contextWith(files)
    const reasons = switchesOf(agent, context)
    expect(reasons).toHaveLength(deciding === undefined ? 0 : 1)
    if (deciding !== undefined) expect(reasons[0]).toContain(`${join(dirname(context.cwd), deciding)}: `)
  })

  it.each<[KnownAgent, string, object]>([
    ['claude-code', '/etc/claude-code/managed-settings.json', on],
    ['qwen-code', '/etc/qwen-code/settings.json', on],
    ['gemini-cli', '/etc/gemini-cli/settings.json', gemini.enabled(true)],
    ['copilot-cli', '/etc/github-copilot/policy.d/50-hookgate.json', {}],
  ])('of %s are named by `enable` until an administrator settles it in %s', (agent, file, settled) => {
    expect(switchNotes(agent, contextWith({}))).toEqual([expect.stringContaining(`hookgate enable --managed ${agent}`)])
    expect(switchNotes(agent, contextWith({ [`managed${file}`]: settled }))).toEqual([])
  })
})

describe('a file that Claude Code does not load', () => {
  it.each([
    [{ hooks: { PreToolUse: [{ hooks: [{ type: 'command' }] }] } }, 1],
    [{ hooks: { PreToolUse: [{ hooks: [{ type: 'shell', command: 'x' }] }] } }, 1],
    [{ hooks: { PermissionRequest: [{ hooks: [{ type: 'http', url: 'nowhere' }] }] } }, 1],
    [{ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'x', onFailure: 'ask' }] }] } }, 1],
    [{ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'x', timeout: '5' }] }] } }, 1],
    // In other events, only the entry that does not load is skipped.
    [{ hooks: { PostToolUse: [{ hooks: [{ type: 'command' }] }] } }, 0],
    [{ hooks: { PreToolUse: [{ matcher: 'x' }, 5], Unknown: 5 } }, 0],
    [{ hooks: { PreToolUse: [{ hooks: 'x' }] } }, 0],
    [{ hooks: { PreToolUse: [{ matcher: 3, hooks: [] }] } }, 0],
    [{ hooks: { PreToolUse: [{ matcher: { tools: ['Bash'] }, hooks: [{ type: 'command', command: 'x' }] }] } }, 0],
    [{ hooks: { PreToolUse: [{ hooks: [{ type: 'mcp_tool', server: 's', tool: 't', onFailure: 'never' }] }] } }, 0],
  ])('%j', (settings, count) => {
    expect(unloadable(settings)).toHaveLength(count)
  })
})

describe('versions', () => {
  it('are parsed as printed and compared by number', () => {
    expect(parseVersion('2.1.329 (Claude Code)\n')).toEqual([2, 1, 329])
    expect(parseVersion('Error: 2.1.329')).toBeUndefined()
    expect(isAtLeast([2, 1, 295], [2, 1, 295])).toBe(true)
    expect(isAtLeast([2, 1, 99], [2, 1, 295])).toBe(false)
    expect(isAtLeast([3, 0, 0], [2, 1, 295])).toBe(true)
    expect(isAtLeast([2, 0, 999], [2, 1, 0])).toBe(false)
  })
})

type Source = SwitchVariable['from'][number]
const lines = (name: string, value: string) => `OTHER=1\n${name}=${value}\n`
const inSettings = (name: string, value: string) => JSON.stringify({ env: { [name]: value } })

/** Of each agent: the files from which it takes variables, by who writes them. The programs themselves were tried. */
const variableFiles: Readonly<Record<string, Partial<Readonly<Record<Source, readonly string[]>>>>> = {
  'claude-code': { user: [user] },
  'gemini-cli': {
    project: ['project/.env', 'project/.gemini/.env', '.env', '.gemini/.env'],
    user: ['home/.gemini/.env', 'home/.env'],
  },
  'qwen-code': {
    project: ['project/.env', 'project/.qwen/.env', '.env', '.qwen/.env', 'project/.qwen/settings.json'],
    user: ['home/.qwen/.env', 'home/.env', 'home/.qwen/settings.json'],
    administrator: ['managed/etc/qwen-code/settings.json'],
  },
  cline: {
    project: ['project/.env', 'project/.env.local', 'project/.env.development', 'project/.env.development.local'],
  },
  codex: { user: ['home/.codex/.env'] },
}

/** A value with which a variable counts, and one with which it does not. */
const valuesOf = ({ name, when }: SwitchVariable) =>
  ({
    acting: { SHELLOPTS: 'braceexpand:noexec', XDG_CONFIG_HOME: '/var/empty', LD_DEBUG: 'libs,help' }[name] ?? '1',
    idle: when === undefined ? '' : name === 'SHELLOPTS' ? 'vi' : name === 'XDG_CONFIG_HOME' ? 'x' : '0',
  }) as const

const variableRows = agents.flatMap(({ name: agent, variables }) =>
  (variables?.rows ?? []).flatMap((row) =>
    row.from
      .flatMap((from): readonly (string | undefined)[] =>
        from === 'environment' ? [undefined] : (variableFiles[agent]?.[from] ?? [`no file of the ${from} is known`]),
      )
      .map((file) => ({ agent, row, file, where: file ?? 'the environment' })),
  ),
)

describe('an environment variable with which an agent does not ask hookgate', () => {
  const contextIn = ({ row, file }: (typeof variableRows)[number], value: string) =>
    file === undefined
      ? installContextIn({ 'project/x': '' }, { [row.name]: value })
      : installContextIn({
          'project/x': '',
          [file]: (file.endsWith('.json') ? inSettings : lines)(row.name, value),
        })
  const saidOf = async (one: (typeof variableRows)[number], value: string) => {
    const context = contextIn(one, value)
    const own = switchesOf(one.agent, context)
    if (one.row.passes.includes('own')) return own
    expect(own).toEqual([])
    const { registered, holes } = (await managedStatus([one.agent], await enabledByAdministrator(one.agent, context)))
      .agents[0] ?? { registered: false, holes: [] }
    expect(registered).toBe(true)
    return holes.filter(({ code }) => code === 'variable').map(({ message }) => message)
  }

  it.each(variableRows)('is found: $row.name of $agent, in $where', async (one) => {
    const { acting, idle } = valuesOf(one.row)
    const expected = one.file === undefined ? 'the environment' : `/${one.file}`
    expect(await saidOf(one, acting)).toEqual([expect.stringContaining(`${expected}: ${one.row.name} is `)])
    expect(await saidOf(one, idle)).toEqual([])
  })

  it('is no switch where a place that counts more has it otherwise', () => {
    const name = 'QWEN_CODE_SAFE_MODE'
    const said = (files: Record<string, string>, env = {}) =>
      switchesOf('qwen-code', installContextIn({ 'project/x': '', ...files }, env)).length
    const inProject = { 'project/.env': lines(name, '1') }
    expect(said(inProject)).toBe(1)
    expect(said(inProject, { [name]: '0' })).toBe(0)
    expect(said({ ...inProject, 'project/.qwen/.env': 'OTHER=1\n' })).toBe(0)
    const excluding = JSON.stringify({ advanced: { excludedEnvVars: [name] } })
    expect(said({ ...inProject, 'managed/etc/qwen-code/settings.json': excluding })).toBe(0)
    expect(said({ ...inProject, 'home/.qwen/settings.json': excluding })).toBe(0)
    expect(said({ 'project/.qwen/.env': lines(name, '1'), 'managed/etc/qwen-code/settings.json': excluding })).toBe(1)
    const pinned = 'managed/etc/qwen-code/settings.json'
    expect(said({ 'project/.qwen/settings.json': inSettings(name, '1'), [pinned]: inSettings(name, '0') })).toBe(0)
    const claudes = 'LD_PRELOAD'
    const ofClaude = { [user]: inSettings(claudes, '/x') }
    expect(switchesOf('claude-code', installContextIn({ ...ofClaude }))).toHaveLength(1)
    expect(switchesOf('claude-code', installContextIn({ ...ofClaude, [managed]: inSettings(claudes, '') }))).toEqual([])
  })

  it.each([
    ["export QWEN_CODE_SAFE_MODE='on'", 1],
    ['  QWEN_CODE_SAFE_MODE = "YES" # x', 1],
    ['QWEN_CODE_SAFE_MODE: true', 1],
    ['QWEN_CODE_SAFE_MODE=0\nQWEN_CODE_SAFE_MODE=1', 1],
    ['QWEN_CODE_SAFE_MODE=1\nQWEN_CODE_SAFE_MODE=0', 0],
    ['# QWEN_CODE_SAFE_MODE=1', 0],
    ['MY_QWEN_CODE_SAFE_MODE=1', 0],
    ['OTHER="\nQWEN_CODE_SAFE_MODE=1\n"', 0],
  ])('is read as the agents read a file of variables: %j', (text, count) => {
    expect(switchesOf('qwen-code', installContextIn({ 'project/.env': text }))).toHaveLength(count)
  })
})

describe('a variable of a file that a repository brings along', () => {
  const variables = ['LD_PRELOAD', 'LD_AUDIT', 'LD_LIBRARY_PATH', 'LD_DEBUG', 'SHELLOPTS', 'LD_TRACE_LOADED_OBJECTS']
  const text = variables.map((name) => `${name}=${name === 'LD_DEBUG' ? 'help' : 'noexec'}\n`).join('')
  const files = { 'project/.env': `${text}XDG_CONFIG_HOME=/var/empty\n` }
  const count = (agent: KnownAgent, context: InstallContext) =>
    switchesOf(agent, context).map((said) => /: (\w+) is /.exec(said)?.[1])

  it.each<[KnownAgent, readonly string[], readonly string[]]>([
    ['gemini-cli', [...variables, 'XDG_CONFIG_HOME'], ['LD_TRACE_LOADED_OBJECTS']],
    ['qwen-code', ['LD_LIBRARY_PATH', 'SHELLOPTS'], ['LD_LIBRARY_PATH']],
  ])('is nothing to %s where the entries of hookgate fix it', async (agent, before, after) => {
    const context = { ...installContextIn(files), platform: process.platform }
    expect(new Set(count(agent, context))).toEqual(new Set(before))
    await enable(agent, context)
    expect(count(agent, context)).toEqual(after)
    // An entry of an earlier hookgate has none.
    const file = join(context.home, agent === 'gemini-cli' ? '.gemini' : '.qwen', 'settings.json')
    writeFileSync(file, readFileSync(file, 'utf8').replace(/,\s*"env": \{[^\]]*?"\s*\}/, ''))
    expect(new Set(count(agent, context))).toEqual(new Set(before))
    await enable(agent, context)
    expect(count(agent, context)).toEqual(after)
  })

  it('is nothing to an agent that an administrator has registered', async () => {
    const context = await enabledByAdministrator('gemini-cli', installContextIn(files))
    const [agent] = (await managedStatus(['gemini-cli'], context)).agents
    const found = agent?.holes.filter(({ code }) => code === 'variable').map(({ message }) => message)
    expect(found).toEqual([expect.stringContaining('LD_TRACE_LOADED_OBJECTS is ')])
  })
})

describe('code of a project that Cline’s command line runs before everything else', () => {
  it.each([
    ['preload = ["./x.ts"]', 1],
    ['[test]\npreload = ["./x.ts"]', 0],
    ['# preload = ["./x.ts"]', 0],
  ])('is found in bunfig.toml: %s', (text, found) => {
    const said = switchesOf('cline', installContextIn({ 'project/bunfig.toml': text }))
    expect(said).toHaveLength(found)
    for (const one of said) expect(one).toContain('bunfig.toml uses `preload`, with which it can overrule hookgate')
  })
})

/** Registers an agent in an administrator's file of the context's machine. */
async function enabledByAdministrator(agent: KnownAgent, context: InstallContext): Promise<InstallContext> {
  await enableManaged([agent], context, { onlyManagedHooks: false })
  return context
}
