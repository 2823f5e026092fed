import { describe, expect, it } from 'vitest'
import { callsTo, policyOf, requestOf, runnerAt, saysPrompt, toldBy } from '../policy/sandbox/written.ts'

/** Takes some tens of milliseconds of what it may take, so that nothing counts against it alone. */
const hog = policyOf('for (let at = 0, sum = 0; at < 2e7; at++) sum += at % 7')
const hogs = Array.from({ length: 100 }, () => hog)
const everyOne = hogs.map((_, index) => index)

describe('a source that nobody trusts and that takes all it may', () => {
  it('keeps nobody else waiting, however many of its events there are', async () => {
    const runner = runnerAt('process')
    const bad = await runner.load(hogs)
    const good = await runner.load([saysPrompt])
    let over = 0
    const asked = Array.from({ length: 40 }, async () => {
      await runner.evaluate({ ...requestOf(callsTo(bad.id, everyOne)), isTrusted: false })
      over += 1
    })
    for (let at = 0; at < 20; at += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other, beside all of those
      expect(toldBy(await runner.evaluate(requestOf(callsTo(good.id, [0]), `n${at}`)))).toEqual([`n${at}`])
    }
    expect(over).toBeLessThan(asked.length)
    await Promise.all(asked)
  })

  it('has nothing decided any more that nobody waits for, on the one thread that there is', async () => {
    const runner = runnerAt('process', 1)
    const bad = await runner.load(hogs)
    const good = await runner.load([saysPrompt])
    const asked = Array.from({ length: 12 }, () =>
      runner.evaluate({ ...requestOf(callsTo(bad.id, everyOne)), isTrusted: false }),
    )
    await Promise.all(asked)
    expect(toldBy(await runner.evaluate(requestOf(callsTo(good.id, [0]))))).toEqual(['hello'])
  }, 60_000)
})

it('policies that turn out slow are asked aside from then on, whoever vouches for them', async () => {
  const runner = runnerAt('process')
  const bad = await runner.load(hogs)
  const good = await runner.load([saysPrompt])
  await runner.evaluate(requestOf(callsTo(bad.id, everyOne)))
  let over = 0
  const asked = Array.from({ length: 10 }, async () => {
    await runner.evaluate(requestOf(callsTo(bad.id, everyOne)))
    over += 1
  })
  expect(toldBy(await runner.evaluate(requestOf(callsTo(good.id, [0]))))).toEqual(['hello'])
  expect(over).toBe(0)
  await Promise.all(asked)
}, 60_000)
