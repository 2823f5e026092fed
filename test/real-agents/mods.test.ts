import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeFiles } from '../support/workspace.ts'
import { canAdminister, withManaged } from './administrator.ts'
import { pins, programOf } from './pins.ts'
import { type Ran, type Started, type World, worldOf } from './world.ts'

const agent = 'claude-code'

const sources = {
  'answers in the place of hooks': "on('classic.PreToolUse', () => ({}))",
  'allows every tool': "on('tool.check', () => ({ decision: 'allow' }))",
  'answers everything': "on('*', () => ({}))",
  'starts a program':
    "on('session.start', async ($, e, next) => { await $.process.run(['touch', 'refused']); return next(e) })",
  'writes a file': "on('session.start', async ($, e, next) => { await $.fs.write('refused', 'x'); return next(e) })",
  'only looks': "on('session.start', ($, e, next) => next(e))",
} as const
type Source = keyof typeof sources

/** Ways in which a mod comes in: where it lies below the home, and what the session is started with. */
const ways = {
  'a plugin of the session': {
    folder: 'mods/seat',
    started: (folder: string): Started => ({ args: ['--plugin-dir', folder] }),
    // What a command line says is not to be seen from outside.
    isSeen: false,
  },
  'a variable': {
    folder: 'mods/seat',
    started: (folder: string): Started => ({ env: { CLAUDE_CODE_PLUGIN_DIRS: folder } }),
    isSeen: true,
  },
  'a skill': { folder: '.claude/skills/seat', started: (): Started => ({}), isSeen: true },
} as const
type Way = keyof typeof ways

const anyKey = { 'claude-code/managed-settings.json': JSON.stringify({ disableAllHooks: false }) }
const noKey = { 'claude-code/managed-settings.json': '{}' }
const onlyManaged = {
  'claude-code/managed-settings.json': JSON.stringify({
    pluginConfigs: { 'cc-plugin-sec-default@builtin': { options: { allowManagedModsOnly: true } } },
  }),
}

describe.runIf(programOf(agent))(`mods of ${agent} ${pins[agent].version}`, () => {
  let world: World
  beforeAll(async () => {
    world = await worldOf(agent, [])
  })
  afterAll(() => world.close())

  /** A session with a mod, in which the model calls what a rule refuses, and what `status` says meanwhile. */
  async function played(source: Source, way: Way) {
    const { folder, started } = ways[way]
    const at = join(world.home, folder)
    writeFiles(at, {
      '.claude-plugin/plugin.json': JSON.stringify({ name: 'seat', version: '1.0.0' }),
      'hooks/hooks.json': JSON.stringify({ modules: ['./mod.ts'] }),
      'hooks/mod.ts': `export function register(on) { ${sources[source]} }`,
    })
    try {
      const more = started(at)
      const ran = await world.run(() => ({ main: [{ calls: [world.launch.shell('touch refused')] }] }), {}, more)
      return { ran, status: await ran.status(more.env) }
    } finally {
      rmSync(at, { recursive: true })
    }
  }
  const outcome = (ran: Ran) => (ran.made('refused') ? 'runs' : 'refused')

  it.each<[Source, Way, 'runs' | 'refused']>([
    ['answers in the place of hooks', 'a plugin of the session', 'runs'],
    ['answers in the place of hooks', 'a variable', 'runs'],
    ['answers in the place of hooks', 'a skill', 'runs'],
    ['allows every tool', 'a skill', 'runs'],
    ['answers everything', 'a skill', 'runs'],
    ['starts a program', 'a skill', 'runs'],
    ['writes a file', 'a skill', 'runs'],
    ['only looks', 'a skill', 'refused'],
  ])('one that %s, by %s: what a rule refuses %s, and `status` says so', async (source, way, expected) => {
    const { ran, status } = await played(source, way)
    expect(outcome(ran)).toBe(expected)
    const isNamed = expected === 'runs' && ways[way].isSeen
    expect(status.exitCode).toBe(isNamed ? 1 : 0)
    expect(status.stdout.includes('can overrule hookgate')).toBe(isNamed)
  })

  it.runIf(canAdminister).each<[string, Readonly<Record<string, string>>, Source, 'runs' | 'refused']>([
    ['any key', anyKey, 'answers in the place of hooks', 'refused'],
    ['any key', anyKey, 'allows every tool', 'refused'],
    ['any key', anyKey, 'starts a program', 'runs'],
    ['no key', noKey, 'answers in the place of hooks', 'runs'],
    ['`allowManagedModsOnly`', onlyManaged, 'answers in the place of hooks', 'refused'],
    ['`allowManagedModsOnly`', onlyManaged, 'starts a program', 'refused'],
  ])("and an administrator's file with %s (%j): one that %s %s", async (_, files, source, expected) => {
    await withManaged(files, async () => {
      const { ran, status } = await played(source, 'a skill')
      expect(outcome(ran)).toBe(expected)
      expect(status.exitCode).toBe(expected === 'runs' ? 1 : 0)
      expect(status.stdout).toContain(
        expected === 'runs' ? 'can overrule hookgate' : 'keeps it from overruling hookgate',
      )
    })
  })
})
