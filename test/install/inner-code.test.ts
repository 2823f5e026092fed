import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { heldCodeOf, switchesOf } from '../../src/install/status.ts'
import { installContextIn } from '../support/install-context.ts'

const manifest = JSON.stringify({ name: 'x', version: '1.0.0' })
/** A plugin with a module, below a folder. */
const mod = (folder: string, source: string) => ({
  [`${folder}/.claude-plugin/plugin.json`]: manifest,
  [`${folder}/hooks/hooks.json`]: JSON.stringify({ modules: ['./mod.ts'] }),
  [`${folder}/hooks/mod.ts`]: `export function register(on) {\n${source}\n}\n`,
})
const inHome = (source: string) => mod('home/.claude/skills/x', source)
const skips = "on('classic.PreToolUse', () => ({}))"
const runs = "on('session.start', async ($) => { await $.process.run(['ls']) })"
const harmless = "on('ui.render', ($, e, next) => next(e)); on('classic.Stop2', 1) // or not"

const foundIn = (files: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = {}) => {
  const context = installContextIn(files, env)
  return { overruling: switchesOf('claude-code', context), held: heldCodeOf('claude-code', context) }
}
const usesIn = (source: string) =>
  foundIn(inHome(source))
    .overruling.flatMap((line) => /uses (.*), with which/.exec(line)?.[1] ?? [])
    .join()

describe('a mod of Claude Code is said to overrule hookgate if it', () => {
  it.each([
    ['answers in the place of hooks', skips, '`classic.PreToolUse`'],
    ['answers permissions', 'on("tool.check", () => ({ decision: "allow" }))', '`tool.check`'],
    ['answers calls', 'on(`tool.call`, ($, e, next) => next(e))', '`tool.call`'],
    ['answers everything', "on('*', ($, e, next) => next(e))", '`*`'],
    ['answers everything about tools', "on('tool.*', ($, e, next) => next(e))", '`tool.*`'],
    ['answers every check', "on('*.check', () => ({}))", '`*.check`'],
    [
      'answers the question for a permission',
      "on('classic.PermissionRequest', () => ({}))",
      '`classic.PermissionRequest`',
    ],
    ['listens to the events after a call', "on('classic.PostToolUse', () => ({}))", '`classic.PostToolUse`'],
    ['starts programs', runs, '`process.run`'],
    ['starts programs that go on', "on('a.b', ($) => $.process\n  .spawn(['x']))", '`process.spawn`'],
    ['writes files', "on('a.b', ($) => $.fs.write('/x', 'y'))", '`fs.write`'],
    ['spells an event otherwise', String.raw`on('tool\u002echeck', () => ({}))`, '`tool.check`'],
    ['spells it in still another way', String.raw`on('\x74ool\u{2e}c\heck', () => ({}))`, '`tool.check`'],
    ['spells a call otherwise', String.raw`on('a.b', ($) => $.pr\u006fcess.run(['x']))`, '`process.run`'],
    ['hides a call behind comments', "on('a.b', ($) => $./* x */process. // y\n run(['x']))", '`process.run`'],
    ['hides an event behind a comment', "on(/* x */ '*', () => ({}))", '`*`'],
  ])('%s', (_, source, uses) => {
    expect(usesIn(source)).toBe(uses)
  })

  it.each([
    ['only draws', harmless.replace("on('classic.Stop2', 1)", '')],
    ['writes escapes to a terminal', String.raw`on('ui.render', () => '\x1b[31m \u2713 * \u{1f600}')`],
    ['has a star in a text', "on('ui.render', () => ['*', '**'])"],
    ['listens to other events', "on('session.*', ($, e, next) => next(e))"],
    ['reads files', "on('a.b', ($) => $.fs.read('/x'))"],
  ])('and not if it %s', (_, source) => {
    expect(foundIn(inHome(source))).toEqual({ overruling: [], held: [] })
  })
})

describe('mods are found', () => {
  const plugin = 'home/.claude/plugins/cache/m/x/1.0.0'
  const installed = (more: object = {}) => ({
    ...mod(plugin, skips),
    'home/.claude/plugins/installed_plugins.json': JSON.stringify({
      version: 2,
      plugins: { 'x@m': [{ scope: 'user', installPath: `FOLDER/${plugin}`, version: '1.0.0', ...more }] },
    }),
  })
  const settings = (value: object) => JSON.stringify(value)
  const elsewhere = { ...mod('elsewhere/x', skips) }

  it.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, string>>?]>([
    ['of an installed plugin', installed()],
    ['of one for this project', installed({ projectPath: 'FOLDER/project' })],
    ['of a session', mod('home/.claude/dev-mods/0a1b/x', skips)],
    ["of a person's skills", inHome(skips)],
    ["of a project's skills", mod('project/.claude/skills/x', skips)],
    ['in a folder that a variable names', elsewhere, { CLAUDE_CODE_PLUGIN_DIRS: 'FOLDER/elsewhere/x' }],
    ['in a folder of plugins that one names', elsewhere, { CLAUDE_CODE_PLUGIN_DIRS: '/nowhere:FOLDER/elsewhere' }],
    [
      'in a folder that settings name',
      {
        ...elsewhere,
        'home/.claude/settings.json': settings({ env: { CLAUDE_CODE_PLUGIN_DIRS: 'FOLDER/elsewhere' } }),
      },
    ],
    ['below another folder of settings', mod('elsewhere/skills/x', skips), { CLAUDE_CONFIG_DIR: 'FOLDER/elsewhere' }],
    [
      'in a file that the module imports',
      { ...inHome("import { y } from './y/y.ts'\ny(on)"), 'home/.claude/skills/x/hooks/y/y.ts': skips },
    ],
    [
      'of a module that the manifest names',
      {
        ...inHome(harmless.slice(0, 0)),
        'home/.claude/skills/x/.claude-plugin/plugin.json': settings({ name: 'x', hooks: ['./more.json'] }),
        'home/.claude/skills/x/more.json': settings({ modules: ['./lib/m.js'] }),
        'home/.claude/skills/x/lib/m.js': skips,
      },
    ],
    [
      'of a module that the manifest holds',
      {
        'home/.claude/skills/x/.claude-plugin/plugin.json': settings({ name: 'x', hooks: { modules: ['./m.js'] } }),
        'home/.claude/skills/x/m.js': skips,
      },
    ],
  ])('%s', (_, files, env) => {
    const { overruling } = foundIn(files, env)
    expect(overruling).toEqual([
      expect.stringMatching(/^the mod \/.*\/x[^ ]* uses `classic\.PreToolUse`, with which it can/),
    ])
  })

  it.each<[string, Readonly<Record<string, string>>]>([
    [
      'that settings turn off',
      { ...installed(), 'home/.claude/settings.json': settings({ enabledPlugins: { 'x@m': false } }) },
    ],
    ['of another project', installed({ projectPath: 'FOLDER/other' })],
    [
      'of a plugin that is no longer there',
      {
        'home/.claude/plugins/installed_plugins.json': installed()['home/.claude/plugins/installed_plugins.json'] ?? '',
      },
    ],
    ['with hooks of settings alone', { 'home/.claude/skills/x/hooks/hooks.json': settings({ hooks: { Stop: [] } }) }],
    [
      'in broken files',
      { 'home/.claude/skills/x/hooks/hooks.json': '{', 'home/.claude/plugins/installed_plugins.json': '[]' },
    ],
  ])('and not: %s', (_, files) => {
    expect(foundIn(files)).toEqual({ overruling: [], held: [] })
  })
})

describe("an administrator's file", () => {
  const managed = 'managed/etc/claude-code/managed-settings.json'
  const only = { pluginConfigs: { 'cc-plugin-sec-default@builtin': { options: { allowManagedModsOnly: true } } } }
  it.each<[string, Readonly<Record<string, object>>, string, 'holds' | 'does not hold']>([
    ['with any key', { [managed]: { disableAllHooks: false } }, skips, 'holds'],
    ['beside the first one', { [managed.replace('.json', '.d/1.json')]: { model: 'x' } }, skips, 'holds'],
    ['without a key', { [managed]: {} }, skips, 'does not hold'],
    ['that is a list', { [managed]: [1] }, skips, 'does not hold'],
    ['with any key', { [managed]: { disableAllHooks: false } }, runs, 'does not hold'],
    ['with any key', { [managed]: { disableAllHooks: false } }, `${skips}; ${runs}`, 'does not hold'],
    ['that allows only its own mods', { [managed]: only }, runs, 'holds'],
    ['that allows only its own mods', { [managed]: only }, `${skips}; ${runs}`, 'holds'],
    ["of the user's own", { 'home/.claude/settings.json': only }, runs, 'does not hold'],
  ])('%s: %j, and %s: %s', (_, files, source, outcome) => {
    const texts = Object.fromEntries(Object.entries(files).map(([name, value]) => [name, JSON.stringify(value)]))
    const { overruling, held } = foundIn({ ...inHome(source), ...texts })
    expect([overruling.length, held.length]).toEqual(outcome === 'holds' ? [0, 1] : [1, 0])
    const [line = ''] = [...overruling, ...held]
    if (outcome === 'holds') expect(line).toMatch(/managed-settings\S* keeps it from overruling hookgate$/)
    else expect(line).toContain(`${join('etc', 'claude-code', 'managed-settings.json')} holds mods back`)
  })
})
