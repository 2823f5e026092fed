/* oxlint-disable unicorn/no-thenable -- a word of the settings; nothing of it is awaited */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reportsShellFailure, tokensOf } from '../../src/agents/registry.ts'
import type { ProtocolSupport } from '../../src/model/dialect.ts'
import { dialects } from '../support/dialects.ts'
import { launches } from './launch/index.ts'
import { type Call, mark, type Turn } from './model/script.ts'
import { type Pinned, programOf } from './pins.ts'
import { until } from '../support/processes.ts'
import { shellEvent } from './shell-event.ts'
import { setups } from './setups.ts'
import { type Ran, type World, worldOf } from './world.ts'

/** Has the user's file set limits beside what it has. */
function setLimits({ home }: World, limits: object): void {
  const file = join(home, '.config/hookgate/hooks.json')
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), limits }))
}

const heard = ({ asked }: Ran, text: string | RegExp) => asked.slice(1).some((body) => body.search(text) >= 0)

// What the setups of one agent differ in is how it asks, which has no part in this.
const first = setups.filter(
  ({ agent }, at) => setups.findIndex((one) => one.agent === agent) === at && programOf(agent),
)

/** The agents whose session files or databases say how many tokens were spent. */
const countsTokens = new Set<string>()
for (const { agent } of first) if ((await tokensOf(agent)) !== undefined) countsTokens.add(agent)

describe.each(first)('$title, by what happened before', ({ agent, flags }) => {
  let world: World
  beforeAll(async () => {
    world = await worldOf(agent, flags)
    setLimits(world, {
      refused: { times: 2, then: 'stop' },
      failed: { times: 2 },
      calls: [{ command: 'mkdir', most: 2 }],
    })
  })
  afterAll(() => world.close())
  const shell = (command: string): Call => world.launch.shell(command)
  const turn = (...commands: readonly string[]): Turn => ({ calls: commands.map(shell) })
  const stops = () => supportOf(agent).stop === 'native'

  it('is stopped, or told to change its approach, when it repeats a refused call', async () => {
    const ran = await world.run(() => ({ main: Array.from({ length: 6 }, () => turn('touch refused')) }))
    expect(ran.made('refused')).toBe(false)
    if (world.launch.refusalEnds === true) return
    if (stops()) expect(ran.asked.length).toBeLessThanOrEqual(4)
    else expect(heard(ran, 'change your approach')).toBe(true)
  })

  it('may not try a failing command again and again unchanged, where it says that one has failed', async () => {
    const failing = 'test -e nothing-there && touch never'
    // Some report the end of a call while the next one is asked about already.
    const tries = Array.from({ length: 5 }, () => turn(failing))
    const ran = await world.run(() => ({ main: [...tries, turn('touch at-the-end')] }))
    const isHeld = world.launch.refusalEnds === true ? !ran.made('at-the-end') : heard(ran, 'failed 2 times in a row')
    expect(isHeld).toBe(reportsShellFailure(agent))
  })

  const { subagent } = launches[agent]
  it.runIf(subagent)(
    'has one number of calls together with its sub-agents, unless these are sessions of their own',
    async () => {
      const ran = await world.run((inside) => ({
        main: [
          turn('mkdir one'),
          { calls: subagent === undefined ? [] : [subagent(`${mark.sub}: do as the test says`)] },
          { text: 'Done.', before: () => inside.waitFor('at-the-end') },
        ],
        sub: [turn('mkdir two'), turn('mkdir three'), turn('touch at-the-end')],
      }))
      expect([ran.made('one'), ran.made('two'), ran.made('three')]).toEqual([true, true, apart.has(agent)])
    },
  )

  it.runIf(countsTokens.has(agent))('is stopped when the session has spent its tokens', async () => {
    // Each answer of the model is two tokens, and that of the call itself may be counted or not.
    setLimits(world, { tokens: { session: 7 } })
    const names = ['one', 'two', 'three', 'four', 'five', 'six']
    const ran = await world.run(() => ({ main: names.map((name) => turn(`touch ${name}`)) }))
    expect([ran.made('one'), ran.made('two'), ran.made('six')]).toEqual([true, true, false])
    expect(heard(ran, spentTokens)).toBe(true)
  })

  it.runIf(countsTokens.has(agent) && subagent && !apart.has(agent))(
    'counts the tokens of its sub-agents as its own',
    async () => {
      // An answer may be counted once its calls have ended: those of the sub-agent alone come to eight.
      setLimits(world, { tokens: { session: 9 } })
      const ran = await world.run((inside) => ({
        main: [
          turn('touch begun'),
          { calls: subagent === undefined ? [] : [subagent(`${mark.sub}: do as the test says`)] },
          {
            calls: [shell('touch after')],
            before: async () => void (await until(() => inside.heard().some(saysSpent))),
          },
        ],
        sub: ['one', 'two', 'three', 'four', 'five'].map((name) => turn(`touch sub-${name}`)),
      }))
      expect(['begun', 'sub-one', 'sub-five', 'after'].map(ran.made)).toEqual([true, true, false, false])
    },
  )
})

const spentTokens = /this session has spent \d+ tokens, of \d/
const saysSpent = (body: string) => spentTokens.test(body)

/** Those whose sub-agents are sessions of their own, of which no event says to which session they belong. Measured here. */
const apart = new Set<string>(['grok-build', 'pi'])

function supportOf(agent: Pinned): ProtocolSupport {
  return dialects[agent].support(shellEvent(agent))
}
