import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dialects } from '../support/dialects.ts'
import type { ProtocolSupport } from '../../src/model/dialect.ts'
import { titleOf } from '../../src/agents/registry.ts'
import { faults } from './faults.ts'
import { launches } from './launch/index.ts'
import { type Call, type Turn, mark } from './model/script.ts'
import { type Pinned, pins, programOf } from './pins.ts'
import { says } from './policy.ts'
import { shellEvent } from './shell-event.ts'
import { type Setup, setups } from './setups.ts'
import { type Inside, type Ran, type World, worldOf } from './world.ts'

const touch = (world: World, ...names: readonly string[]): readonly Call[] =>
  names.map((name) => world.launch.shell(`touch ${name}`))

const heardOf = ({ asked }: Ran, text: string) => asked.slice(1).some((body) => body.includes(text))

const isHere = ({ agent }: Setup) => programOf(agent) !== undefined
const absent = setups.filter((setup) => !isHere(setup)).map(({ agent }) => `${agent} ${pins[agent].version}`)

// oxlint-disable-next-line vitest/warn-todo -- what is to be done is to fetch them
for (const name of new Set(absent)) it.todo(`${name} is not here: run \`npm run agents:fetch\``)

describe.each(setups.filter(isHere))('$title', (setup) => {
  const { agent, flags, awaitsTrust } = setup
  let world: World
  beforeAll(async () => {
    world = await worldOf(agent, flags)
  })
  afterAll(() => world.close())

  const support = supportOf(agent)
  const played = (turns: (inside: Inside) => readonly Turn[]) => world.run((inside) => ({ main: turns(inside) }))
  const calls = (...names: readonly string[]): Turn => ({ calls: touch(world, ...names) })

  it('runs what no rule objects to', async () => {
    const ran = await played(() => [calls('allowed')])
    expect(ran.made('allowed')).toBe(true)
  })

  it('does not run what a rule refuses, and tells the model why', async () => {
    const ran = await played(() => [calls('refused')])
    expect(ran.made('refused')).toBe(false)
    expectTold(ran, says.no)
  })

  it('runs what a rule makes of a call, or nothing where the agent cannot be told', async () => {
    const ran = await played(() => [calls('as-it-was')])
    expect(ran.made('as-it-was')).toBe(false)
    expect(ran.made('as-it-is-now')).toBe(support.replaceInput === 'native')
    if (support.replaceInput === 'asDeny') expectTold(ran, 'a different input')
  })

  it('runs what a hook in the form of Claude Code makes of a call, or nothing where the agent cannot be told', async () => {
    const ran = await played(() => [calls('before-a-hook')])
    expect(ran.made('before-a-hook')).toBe(false)
    expect(ran.made('behind-a-hook')).toBe(support.replaceInput === 'native')
  })

  it('does not run what somebody would have to be asked about, with nobody there', async () => {
    const ran = await played(() => [calls('asked-about')])
    expect(ran.made('asked-about')).toBe(false)
    if (support.ask === 'asDeny') expectTold(ran, says.ask)
  })

  it('tells the model what a rule adds to a call, where it can be told', async () => {
    const ran = await played(() => [calls('with-context')])
    expect(ran.made('with-context')).toBe(true)
    expect(heardOf(ran, says.adds)).toBe(support.context === 'native')
  })

  it('ends the turn where a rule says so, or refuses', async () => {
    const ran = await played(() => [calls('the-last'), calls('after-that')])
    if (support.stop === 'native') expect(ran.made('after-that')).toBe(false)
    else {
      expect(ran.made('the-last')).toBe(false)
      expectTold(ran, says.stops)
    }
  })

  it('is asked about each of several calls of one turn', async () => {
    const ran = await played(() => [calls('refused-one', 'allowed-beside', 'refused-two')])
    expect([ran.made('refused-one'), ran.made('refused-two')]).toEqual([false, false])
    if (world.launch.refusalEnds !== true) expect(ran.made('allowed-beside')).toBe(true)
  })

  const { subagent } = launches[agent]
  it.runIf(subagent)('is asked about the calls of a sub-agent', async () => {
    const ran = await world.run((inside) => ({
      main: [
        { calls: subagent === undefined ? [] : [subagent(`${mark.sub}: do as the test says`)] },
        { text: 'Done.', before: () => inside.waitFor('allowed-last') },
      ],
      sub: [calls('allowed-first'), calls('refused-below'), calls('allowed-last')],
    }))
    expect([ran.made('allowed-first'), ran.made('refused-below')]).toEqual([true, false])
    expect(ran.made('allowed-last')).toBe(world.launch.refusalEnds !== true)
  })

  it.each(faults)(
    'is held as far as it can be, and `status` says so: $title',
    async ({ strike, inProject, outcome }) => {
      const expected = outcome(setup)
      if (expected === undefined) return
      const ran = await world.run(
        (inside) => ({
          main: [
            calls('allowed-before'),
            { ...calls('allowed-after'), before: () => strike?.(inside) },
            calls('refused-after'),
          ],
        }),
        inProject === undefined ? {} : launches[agent].switchesHooksOff,
      )
      const became = (name: string) => (ran.made(name) ? 'runs' : 'refused')
      const { exitCode, stdout } = await ran.status()
      const status = exitCode === 0 && stdout.startsWith(`${titleOf(agent)} asks`) ? 'asks' : 'does not ask'
      const { says: named = / /, givesReason, endsRun, ...outcomes } = expected
      expect({
        before: ran.made('allowed-before'),
        harmless: became('allowed-after'),
        danger: became('refused-after'),
        status,
      }).toEqual({ before: true, ...outcomes, ...(awaitsTrust && { status: 'does not ask' }) })
      expect(stdout).toMatch(named)
      if (givesReason && world.launch.refusalEnds !== true) expect(heardOf(ran, says.no)).toBe(true)
      expect(ran.exitCode).not.toBe(null)
      // One question for the call before, and one for the call that is refused.
      if (endsRun) expect([ran.asked.length, ran.exitCode]).toEqual([2, 0])
    },
  )

  function expectTold(ran: Ran, text: string): void {
    if (world.launch.refusalEnds === true) expect(ran.asked.length).toBe(1)
    else expect(heardOf(ran, text)).toBe(true)
  }
})

/** What the agent can be told of a shell command before it runs. */
function supportOf(agent: Pinned): ProtocolSupport {
  return dialects[agent].support(shellEvent(agent))
}

describe('this test', () => {
  const outside = Object.keys(networkInterfaces()).filter((name) => name !== 'lo')
  it.skipIf(outside.length > 0)('has no network but the loopback', () => {
    expect(outside).toEqual([])
  })
})
