import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { KnownAgent } from '../../src/agents/registry.ts'
import { readOverrides, unloadable } from '../../src/install/http-groups/settings.ts'
import { switchesOf, switchNotes } from '../../src/install/switches.ts'
import { isAtLeast, parseVersion } from '../../src/install/http-groups/version.ts'
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
