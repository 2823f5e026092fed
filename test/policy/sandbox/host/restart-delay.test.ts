import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { RestartDelay, sandboxBackoffMsMax } from '../../../../src/policy/sandbox/host/sandbox-pool.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

function delayAfter(losses: number): RestartDelay {
  const delay = new RestartDelay()
  for (let loss = 0; loss < losses; loss += 1) delay.noteLoss()
  return delay
}

it('there is no delay after a few losses, then an increasing one, up to a limit', () => {
  const waits = [0, 1, 3, 4, 5, 6, 50].map((losses) => delayAfter(losses).ms)
  expect(waits).toEqual([0, 0, 0, 100, 200, 400, sandboxBackoffMsMax])
})

it('losses caused by a policy, or long ago, do not count', () => {
  const explained = delayAfter(10)
  explained.reset()
  expect(explained.ms).toBe(0)
  const old = delayAfter(10)
  vi.advanceTimersByTime(2 * sandboxBackoffMsMax + 1)
  old.noteLoss()
  expect(old.ms).toBe(0)
})
