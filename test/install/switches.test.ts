import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { InstallContext } from '../../src/install/install-context.ts'
import { readOverrides, unloadable } from '../../src/install/http-groups/settings.ts'
import { isAtLeast, parseVersion } from '../../src/install/http-groups/version.ts'
import { placesOf } from '../../src/server/places.ts'
import { folderWith } from '../support/workspace.ts'

function overridesOf(files: Record<string, object>) {
  const folder = folderWith(Object.fromEntries(Object.entries(files).map(([name, json]) => [name, { json }])))
  const home = join(folder, 'home')
  const context: InstallContext = {
    scope: 'user',
    env: {},
    cwd: join(folder, 'project'),
    home,
    platform: 'linux',
    places: placesOf({ env: {}, platform: 'linux', uid: 0, home }),
    launcher: { node: process.execPath, bin: '/bin.js' },
    via: undefined,
    port: undefined,
    dryRun: false,
    claudeManagedFolder: join(folder, 'managed'),
  }
  return readOverrides(context)
}
const managed = 'managed/managed-settings.json'
const dropIn = 'managed/managed-settings.d/10-hooks.json'
const user = 'home/.claude/settings.json'
const project = 'project/.claude/settings.json'

describe('settings that stop Claude Code from running hooks', () => {
  it.each([
    [{ [managed]: { disableAllHooks: true }, [user]: { disableAllHooks: false } }, '`disableAllHooks`'],
    [{ [user]: { disableAllHooks: true } }, '`disableAllHooks`'],
    [{ [dropIn]: { allowManagedHooksOnly: true } }, '`allowManagedHooksOnly`'],
    [{ [managed]: { strictPluginOnlyCustomization: ['hooks'] } }, '`strictPluginOnlyCustomization`'],
    [{ [project]: { hooks: [] } }, '`hooks` is not an object'],
  ])('%j', (files, obstacle) => {
    expect(overridesOf(files as Record<string, object>).obstacles).toEqual([expect.stringContaining(obstacle)])
  })

  it.each([
    [{ [project]: { disableAllHooks: false }, [user]: { disableAllHooks: true } }],
    [{ [user]: { allowManagedHooksOnly: true, strictPluginOnlyCustomization: true } }],
    [{ [managed]: { strictPluginOnlyCustomization: ['skills'] } }],
    [{ [user]: { disableAllHooks: 'yes' } }],
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
