import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dialects } from '../support/dialects.ts'
import { type Pinned, programOf } from './pins.ts'
import { says } from './policy.ts'
import { shellEvent } from './shell-event.ts'
import { type Setup, setups } from './setups.ts'
import { requestsIn, whileAsked } from './waiting.ts'
import { type Inside, type Ran, type World, worldOf } from './world.ts'

/** The agents that wait for a person at hookgate: some instead of asking by themselves, which headless they cannot. */
const waiting: ReadonlySet<Pinned> = new Set<Pinned>([
  'claude-code',
  'cline',
  'codex',
  'copilot-cli',
  'gemini-cli',
  'openclaw',
  'opencode',
  'pi',
  'qwen-code',
])

const isHere = ({ agent, flags }: Setup) => flags.length === 0 && waiting.has(agent) && programOf(agent) !== undefined

describe.each(setups.filter(isHere))('a call of $title that waits for a person', ({ agent, flags }) => {
  let world: World
  beforeAll(async () => {
    world = await worldOf(agent, flags)
  })
  afterAll(() => world.close())

  /** Has the agent make a call that a rule asks about, and does something to it as soon as it waits. */
  const asked = (name: string, waitSeconds: number, meanwhile: (id: string, inside: Inside) => Promise<unknown>) =>
    whileAsked(world, agent, () => [{ calls: [world.launch.shell(`touch ${name}`)] }], { waitSeconds }, meanwhile)

  const told = ({ asked: bodies }: Ran, text: string) =>
    world.launch.refusalEnds === true || bodies.slice(1).some((body) => body.includes(text))

  it('runs once it is approved in a terminal', async () => {
    const ran = await asked('asked-about-1', 100, (id) => world.atTerminal(['approvals', 'approve', id]))
    expect(ran.made('asked-about-1')).toBe(true)
  })

  it('does not run once it is denied, and the model is told why', async () => {
    const reason = 'hookgate-says-that-a-person-said-no'
    const ran = await asked('asked-about-2', 100, (id) =>
      world.atTerminal(['approvals', 'deny', id, '--reason', reason]),
    )
    expect([ran.made('asked-about-2'), told(ran, reason)]).toEqual([false, true])
  })

  it('does not run if nobody answers', async () => {
    const ran = await asked('asked-about-3', 4, async () => {})
    expect(ran.made('asked-about-3')).toBe(false)
    if (dialects[agent].support(shellEvent(agent)).ask === 'asDeny') {
      expect(told(ran, says.ask)).toBe(true)
      expect(told(ran, 'did not answer within')).toBe(true)
    }
  })

  it('is taken from the list once its agent is killed, and whoever approves it is told so', async () => {
    let answer = ''
    const ran = await asked('asked-about-5', 100, async (id, inside) => {
      await inside.killAgent()
      // oxlint-disable-next-line no-await-in-loop -- the test's own time limit ends it
      while ((await requestsIn(world)).length > 0);
      answer = await world.atTerminal(['approvals', 'approve', id]).then(() => 'approved', String)
    })
    expect(answer).toMatch(/is over/)
    expect(ran.made('asked-about-5')).toBe(false)
  })

  it('does not run if the gate is killed while it waits', async () => {
    const ran = await asked('asked-about-4', 100, (_id, inside) => inside.killGates())
    expect(ran.made('asked-about-4')).toBe(false)
  })
})
