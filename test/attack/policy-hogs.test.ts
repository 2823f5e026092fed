import { onBusyMachine } from '../policy/sandbox/attacked.ts'
import { expect, it } from 'vitest'
import type { PolicyRunner } from '../../src/policy/sandbox/host/runner.ts'
import { callsTo, policyOf, requestOf, runnerAt, echoesPrompt, outcomesOf } from '../policy/sandbox/written.ts'

/** Uses tens of milliseconds of its time limit, so that it never fails. */
const hog = policyOf('for (let at = 0, sum = 0; at < 2e7; at++) sum += at % 7')
const hogs = Array.from({ length: 100 }, () => hog)

/** Sends this many events to all hogs, and counts the pending ones. */
function hogged(runner: PolicyRunner, domain: number, events: number, isTrusted: boolean) {
  const calls = callsTo(domain, [...hogs.keys()])
  const waiting = { count: events }
  for (let event = 0; event < events; event += 1) {
    void runner.evaluate({ ...requestOf(calls), isTrusted }).then(() => (waiting.count -= 1))
  }
  return waiting
}

it.each([
  ['that is untrusted', 2, false],
  ['that is untrusted, on the only thread there is', 1, false],
  ['that is trusted, but has been slow before', 2, true],
])(
  'a source that takes all it may keeps no other source waiting for all of its events: one %s',
  onBusyMachine,
  async (_, threads, isTrusted) => {
    const runner = runnerAt('process', threads)
    const bad = await runner.load(hogs)
    const good = await runner.load([echoesPrompt])
    if (isTrusted) await runner.evaluate(requestOf(callsTo(bad.id, [...hogs.keys()])))
    const waiting = hogged(runner, bad.id, 40, isTrusted)
    const prompts = threads === 1 ? ['n0'] : Array.from({ length: 20 }, (_none, at) => `n${at}`)
    for (const prompt of prompts) {
      const ask = async () => outcomesOf(await runner.evaluate(requestOf(callsTo(good.id, [0]), prompt)))
      // oxlint-disable-next-line no-await-in-loop -- one at a time, beside the hogs
      let outcomes = await ask()
      // A thread that a busy machine gives no time is given up, and asked again.
      // oxlint-disable-next-line no-await-in-loop -- one at a time, beside the hogs
      while (outcomes.includes('workerLost') && waiting.count > 0) outcomes = await ask()
      expect(outcomes).toEqual([prompt])
    }
    expect(waiting.count).toBeGreaterThan(0)
  },
)
