import { afterAll, beforeAll, expect } from 'vitest'
import { type PolicyRunner, startPolicyRunner } from '../../../src/policy/sandbox/host/runner.ts'
import { callsTo, library, policyOf, requestOf, echoesPrompt, outcomesOf } from './written.ts'

/** An attack is the body of a policy's `decide`. */
export type Attack = readonly [name: string, decide: string]

/** The failures of a policy that exhausts a limit. Which limit it reaches first depends on the machine. */
export const tookTooMuch = ['policyTimeout', 'policyOutOfMemory']

/**
 * The watch over a sandbox counts seconds, so that on a machine that does ten other things a harmless call may be taken for
 * one that hangs. What is broken fails three times.
 */
export const onBusyMachine = { retry: 2 }

/** Opens one real sandbox for all attacks of a file, as a gate has one for all policies. */
export function attackedRunner(): (decide: string, codes: readonly string[]) => Promise<void> {
  let runner: PolicyRunner
  beforeAll(() => {
    runner = startPolicyRunner({ placement: 'process', library, threads: 2 })
  })
  afterAll(() => runner.close())
  return (decide, codes) => attack(runner, decide, codes)
}

/** Evaluates the culprit between harmless policies of its own domain and of another, among other requests. */
async function attack(runner: PolicyRunner, decide: string, codes: readonly string[]): Promise<void> {
  const own = await runner.load([echoesPrompt, policyOf(decide), echoesPrompt])
  const other = await runner.load([echoesPrompt, echoesPrompt])
  const mixed = [...callsTo(other.id, [0]), ...callsTo(own.id, [0, 1, 2]), ...callsTo(other.id, [1])]
  const harmless = [...callsTo(own.id, [2]), ...callsTo(other.id, [0])]
  const [attacked, ...others] = await Promise.all([
    runner.evaluate(requestOf(mixed, 'attacked')),
    ...Array.from({ length: 10 }, (_, index) => runner.evaluate(requestOf(harmless, String(index)))),
  ])
  // The test's own timeout would reveal a hang.
  const outcomes = outcomesOf(attacked)
  expect(codes).toContain(outcomes[2])
  expect(outcomes.toSpliced(2, 1)).toEqual(['attacked', 'attacked', 'attacked', 'attacked'])
  expect(others.map(outcomesOf)).toEqual(others.map((_, index) => [String(index), String(index)]))
  expect(outcomesOf(await runner.evaluate(requestOf(harmless, 'next')))).toEqual(['next', 'next'])
  own.release()
  other.release()
}
