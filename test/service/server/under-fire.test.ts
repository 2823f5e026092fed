import { describe, expect, it } from 'vitest'
import { decidedBy, descriptorsOf, type Outcome, outcomeOf, refusesAll, storm, tally } from '../../support/storm.ts'
import { commandLine, descendants, isAlive, kill, residentUser } from '../../support/resident.ts'
import { onlyPid } from '../../support/processes.ts'
import { runsOf } from '../../support/sample.ts'

const policies = (rounds: number) => ({ 'home/.config/hookgate/policies/refuses-all.policy.ts': refusesAll(rounds) })
type User = ReturnType<typeof residentUser>

async function gateOf(user: User): Promise<number> {
  expect(await user.cli(['up'])).toMatchObject({ exitCode: 0 })
  const pid = onlyPid(user.gates())
  // Wait until the policy itself answers.
  await expect.poll(() => outcomeOf(user.places, 'first'), { timeout: 120_000 }).toBe('refused')
  return pid
}

const startedBy = (gate: number, what: string) => descendants(gate).filter((pid) => commandLine(pid).includes(what))

/** Sends a thousand events at once, and strikes the gate after its first answers. */
async function underFire(user: User, strike: () => void): Promise<Outcome[]> {
  let answered = 0
  const outcomes = Array.from({ length: 1000 }, async (_, n) => {
    const outcome = await outcomeOf(user.places, `n${n}`)
    answered += 1
    if (answered === 20) strike()
    return outcome
  })
  return Promise.all(outcomes)
}

describe('with a thousand events in flight', () => {
  it('a killed gate allows none: each is refused or gets a broken connection', async () => {
    const user = residentUser(policies(100_000))
    const gate = await gateOf(user)
    const { refused = 0, failed = 0, broken = 0, ...others } = tally(await underFire(user, () => kill(gate)))
    expect(others).toEqual({})
    expect(refused + failed + broken).toBe(1000)
    expect(broken).toBeGreaterThan(0)
    await expect.poll(() => isAlive(gate)).toBe(false)
    const next = await gateOf(user)
    expect(next).not.toBe(gate)
    expect(user.gates()).toEqual([next])
  })

  it('a killed sandbox loses no answer, and policies decide the next events again', async () => {
    const user = residentUser(policies(100_000))
    const gate = await gateOf(user)
    const killed: number[] = []
    const outcomes = await underFire(user, () => {
      killed.push(...startedBy(gate, 'sandbox-main'))
      killed.forEach((pid) => kill(pid))
    })
    expect(killed.length).toBeGreaterThan(0)
    const { refused = 0, failed = 0, ...others } = tally(outcomes)
    expect(others).toEqual({})
    expect(refused + failed).toBe(1000)
    await expect.poll(() => outcomeOf(user.places, 'after'), { timeout: 120_000 }).toBe('refused')
    expect(user.gates()).toEqual([gate])
  })

  it('a gate that shuts down answers the events it has accepted', async () => {
    const user = residentUser(policies(20_000))
    const gate = await gateOf(user)
    let down: ReturnType<User['cli']> | undefined
    const outcomes = await underFire(user, () => {
      down = user.cli(['down'])
    })
    const { refused = 0, failed = 0, broken = 0, ...others } = tally(outcomes)
    expect(others).toEqual({})
    expect(refused + failed + broken).toBe(1000)
    expect(await down).toMatchObject({ exitCode: 0 })
    await expect.poll(() => isAlive(gate)).toBe(false)
  })
})

describe('thousands of events from 32 clients', () => {
  it('each get exactly one answer of their own, and leave no descriptor open', async () => {
    const user = residentUser(policies(0))
    const gate = await gateOf(user)
    const { places } = user
    const events = runsOf(10_000)
    await storm(places, 200, 32, 'warm')
    expect(startedBy(gate, 'sandbox-main')).toHaveLength(1)
    const before = {
      decided: await decidedBy(places),
      descriptors: descriptorsOf(gate),
      processes: descendants(gate).length,
    }
    expect(tally(await storm(places, events, 32))).toEqual({ refused: events })
    expect((await decidedBy(places)) - before.decided).toBe(events)
    // One more than before if the record was verified meanwhile: SQLite keeps a reader's descriptor, and takes it again
    // for the next reader, as long as the writer has the same file open.
    await expect.poll(() => descriptorsOf(gate), { timeout: 120_000 }).toBeLessThanOrEqual(before.descriptors + 1)
    expect(descendants(gate)).toHaveLength(before.processes)
    expect(await user.status()).toMatchObject({ inFlight: 0 })
  })
})
