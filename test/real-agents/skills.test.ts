import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { installStarter } from '../../src/install/managed/starter.ts'
import { canAdminister, withManaged } from './administrator.ts'
import { changedIn } from './changed.ts'
import type { Script } from './model/script.ts'
import { pins, programOf } from './pins.ts'
import { type World, worldOf } from './world.ts'

const agent = 'claude-code'
const starter = '/etc/claude-code/hookgate-start'
const Printed = z.array(z.looseObject({ file: z.string(), text: z.string() }))

/** Writes what an administrator registers, with the program that starts it, as `enable --managed` does. */
async function registered(world: World): Promise<void> {
  expect(await installStarter(starter)).toEqual([])
  const { stdout } = await world.cli(['enable', '--managed', agent, '--print', '--json'])
  for (const { file, text } of Printed.parse(JSON.parse(stdout))) {
    if (file.endsWith('.json')) expect(text).toContain(starter)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

describe.runIf(programOf(agent))(`${agent} ${pins[agent].version}`, () => {
  let world: World
  beforeAll(async () => {
    world = await worldOf(agent, [])
  })
  afterAll(() => world.close())

  const skill = (command: string) => ({
    '.claude/skills/deploy/SKILL.md': `---\nname: deploy\ndescription: deploys\nallowed-tools: Bash\n---\nNow: !\`${command}\`\n`,
  })
  const calling = (): Script => ({ main: [{ calls: [{ tool: 'Skill', input: { skill: 'deploy' } }] }] })
  const args = ['--allowedTools', 'Skill,Bash']

  it.each([
    ['does not run a command of a skill that a rule refuses', 'touch refused', 'refused', false],
    ['does not run one about which somebody would be asked', 'touch asked-about', 'asked-about', false],
    // Only the event knows what a script of the project does: the text that is called is harmless.
    ['runs what no rule objects to', 'touch allowed', 'allowed', true],
  ])('%s', async (_, command, file, runs) => {
    const ran = await world.run(calling, skill(command), { args })
    expect(ran.made(file)).toBe(runs)
  })

  it('does not run it where the model is asked to by a slash command of a person', async () => {
    const ran = await world.run(() => ({ main: [{ text: 'Done.' }] }), skill('touch refused'), {
      args: [...args, '/deploy'],
    })
    expect(ran.made('refused')).toBe(false)
  })

  describe.runIf(canAdminister)('registered by an administrator, with its starter', () => {
    const write = { tool: 'Write', input: { file_path: 'refused', content: 'x' } } as const
    it.each([
      ['nothing', {}],
      ['another program starts shells', { CLAUDE_CODE_SHELL_PREFIX: '/bin/true' }],
      ['the loader lists libraries', { LD_TRACE_LOADED_OBJECTS: '1' }],
      ['the loader has an auditor', { LD_AUDIT: '/nowhere.so' }],
      ['the loader prints its help', { LD_DEBUG: 'help' }],
    ])('refuses what a rule refuses, whatever the user sets: %s', async (_, env) => {
      await world.cli(['disable', agent])
      await withManaged({}, async () => {
        await registered(world)
        const restore = changedIn(world.home, { '.claude/settings.json': () => JSON.stringify({ env }) })
        try {
          const ran = await world.run(
            () => ({ main: [{ calls: [write] }] }),
            {},
            {
              args: ['--permission-mode', 'acceptEdits'],
            },
          )
          expect({ made: ran.made('refused'), said: ran.said }).toMatchObject({ made: false })
          const status = await world.cli(['status', '--managed', agent, '--json'])
          expect(JSON.parse(status.stdout)).toMatchObject({ agents: [{ class: 'enforced', holes: [] }] })
        } finally {
          restore()
        }
      })
    })
  })
})
