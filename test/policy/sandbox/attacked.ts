import { afterAll, beforeAll, expect } from 'vitest'
import { type PolicyRunner, startPolicyRunner } from '../../../src/policy/sandbox/index.ts'
import { callsTo, library, policyOf, requestOf, saysPrompt, toldBy } from './written.ts'

/** An attack is the body of a policy's `decide`. */
export type Attack = readonly [name: string, decide: string]

/** How a policy fails that took too much. Which limit it meets first depends on the machine. */
export const tookTooMuch = ['policyTimeout', 'policyOutOfMemory']

/** One real sandbox for all attacks of a file, as a gate has one for all policies. */
export function attackedRunner(): (decide: string, codes: readonly string[]) => Promise<void> {
  let runner: PolicyRunner
  beforeAll(() => {
    runner = startPolicyRunner({ placement: 'process', library, threads: 2 })
  })
  afterAll(() => runner.close())
  return (decide, codes) => attack(runner, decide, codes)
}

/** The culprit stands between harmless policies of its own domain and of another, among other requests. */
async function attack(runner: PolicyRunner, decide: string, codes: readonly string[]): Promise<void> {
  const own = await runner.load([saysPrompt, policyOf(decide), saysPrompt])
  const other = await runner.load([saysPrompt, saysPrompt])
  const mixed = [...callsTo(other.id, [0]), ...callsTo(own.id, [0, 1, 2]), ...callsTo(other.id, [1])]
  const harmless = [...callsTo(own.id, [2]), ...callsTo(other.id, [0])]
  const [attacked, ...others] = await Promise.all([
    runner.evaluate(requestOf(mixed, 'attacked')),
    ...Array.from({ length: 10 }, (_, index) => runner.evaluate(requestOf(harmless, String(index)))),
  ])
  // That it hangs, the test's own timeout would show.
  const told = toldBy(attacked)
  expect(codes).toContain(told[2])
  expect(told.toSpliced(2, 1)).toEqual(['attacked', 'attacked', 'attacked', 'attacked'])
  expect(others.map(toldBy)).toEqual(others.map((_, index) => [String(index), String(index)]))
  expect(toldBy(await runner.evaluate(requestOf(harmless, 'next')))).toEqual(['next', 'next'])
  own.release()
  other.release()
}
