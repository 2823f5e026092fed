import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { launches } from './launch/index.ts'
import { pins, programOf } from './pins.ts'
import { type World, worldOf } from './world.ts'

/** The agents that load code of hookgate's into their own process, with the places of that code. */
const loading = {
  pi: '.pi/agent/extensions/zz-hookgate.js',
  openclaw: '.openclaw/extensions/hookgate',
} as const

const Replayed = z.looseObject({
  calls: z.number(),
  now: z.looseObject({ refused: z.number(), noOpinion: z.number() }),
  unreadable: z.array(z.unknown()),
})

describe.each((['pi', 'openclaw'] as const).filter((agent) => programOf(agent)))('%s', (agent) => {
  let world: World
  const own = () =>
    launches[agent].files?.({ origin: world.origin, home: world.home, project: join(world.home, '../projects') }) ?? {}
  const text = (name: string) => readFileSync(join(world.home, name), 'utf8')
  beforeAll(async () => {
    world = await worldOf(agent, [])
  })
  afterAll(() => world.close())

  it(`${pins[agent].version} is as it was, to the byte, once it is disabled, and asks again once it is enabled`, async () => {
    expect(existsSync(join(world.home, loading[agent]))).toBe(true)
    expect((await world.cli(['disable', agent])).exitCode).toBe(0)
    for (const [name, before] of Object.entries(own())) expect(text(name)).toBe(before)
    expect(existsSync(join(world.home, loading[agent]))).toBe(false)
    expect((await world.cli(['status', agent])).exitCode).toBe(1)
    await world.cli(['enable', agent])
    expect((await world.cli(['status', agent])).exitCode).toBe(0)
    expect((await world.cli(['doctor', agent])).stdout).toContain('asks hookgate')
  })

  it('has its sessions replayed, each call as it was decided', async () => {
    for (const name of ['one', 'two', 'three'])
      // oxlint-disable-next-line no-await-in-loop -- one program at a time
      await world.run(() => ({
        main: [{ calls: [world.launch.shell(`touch allowed-${name}`), world.launch.shell(`touch refused-${name}`)] }],
      }))
    const { stdout } = await world.cli(['replay', '--agent', agent, '--json'])
    const { calls, now, unreadable } = Replayed.parse(JSON.parse(stdout))
    expect({ calls, refused: now.refused, noOpinion: now.noOpinion, unreadable }).toEqual({
      calls: 6,
      refused: 3,
      noOpinion: 3,
      unreadable: [],
    })
  })
})
