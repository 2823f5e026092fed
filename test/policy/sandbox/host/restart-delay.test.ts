import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { limits } from '../../../../src/model/limits.ts'
import { Starter } from '../../../../src/policy/sandbox/host/restart-delay.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** How long the start after so many losses in a row has to wait. */
function waitAfter(losses: number): number {
  let starts = 0
  const starter = new Starter(() => void (starts += 1))
  for (let loss = 0; loss < losses; loss += 1) starter.lost()
  starter.start()
  let waitedMs = 0
  for (; starter.isWaiting; waitedMs += 100) vi.advanceTimersByTime(100)
  expect(starts).toBe(1)
  return waitedMs
}

it('starts the next sandbox at once after a few losses, then ever later, up to a limit', () => {
  expect([0, 1, 3, 4, 5, 6, 50].map(waitAfter)).toEqual([0, 0, 0, 100, 200, 400, limits.sandboxBackoffMsMax])
})

it('does not count losses that a policy was found guilty of, nor those of long ago', () => {
  let starts = 0
  const starter = new Starter(() => void (starts += 1))
  for (let loss = 0; loss < 10; loss += 1) starter.lost()
  starter.explained()
  starter.start()
  expect(starts).toBe(1)
  for (let loss = 0; loss < 10; loss += 1) starter.lost()
  vi.advanceTimersByTime(2 * limits.sandboxBackoffMsMax + 1)
  starter.lost()
  starter.start()
  expect(starts).toBe(2)
})

it('starts nothing any more when it is stopped', () => {
  const starter = new Starter(() => expect.unreachable())
  for (let loss = 0; loss < 5; loss += 1) starter.lost()
  starter.start()
  expect(starter.isWaiting).toBe(true)
  starter.stop()
  vi.advanceTimersByTime(limits.sandboxBackoffMsMax)
  expect(starter.isWaiting).toBe(false)
})
