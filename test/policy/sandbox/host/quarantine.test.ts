import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Failure } from '../../../../src/model/failure.ts'
import { Quarantine, policyStrikesMax, policyQuarantineMs } from '../../../../src/policy/sandbox/host/runner.ts'

const policy = { domain: 1, policy: 2 }
const slow: Failure = { code: 'policyTimeout', message: 'took more than 100 ms of CPU time' }

function struck(times: number): Quarantine {
  const quarantine = new Quarantine()
  for (let strike = 0; strike < times; strike += 1) quarantine.record(policy, slow)
  return quarantine
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

describe('a policy that fails for time or memory', () => {
  it('is evaluated until enough failures in a row', () => {
    expect(struck(policyStrikesMax - 1).admit(policy)).toBeUndefined()
    expect(struck(policyStrikesMax).admit(policy)).toMatchObject({ code: 'policyTimeout' })
  })

  it('has a reason for not being evaluated, with a remedy', () => {
    expect(struck(3).admit(policy)?.message).toBe(
      'quarantined for 60 s after 3 failures in a row: took more than 100 ms of CPU time; fix it: a changed file is reloaded at once',
    )
  })

  it('starts over when it has answered, or thrown', () => {
    const quarantine = struck(policyStrikesMax - 1)
    quarantine.record(policy, { code: 'policyThrew', message: '' })
    quarantine.record(policy, slow)
    expect(quarantine.admit(policy)).toBeUndefined()
  })

  it.each([
    ['that was given up', 'cancelled'],
    ['that left it no room or time', 'exhausted'],
    ['over which its sandbox was lost', 'workerLost'],
  ] as const)('is no better and no worse for an event %s', (_, code) => {
    const quarantine = struck(policyStrikesMax - 1)
    quarantine.record(policy, { code, message: '' })
    expect(quarantine.admit(policy)).toBeUndefined()
    quarantine.record(policy, slow)
    expect(quarantine.admit(policy)).toBeDefined()
  })

  it('affects no other policy', () => {
    const quarantine = struck(policyStrikesMax)
    expect(quarantine.admit({ domain: 1, policy: 1 })).toBeUndefined()
    expect(quarantine.admit({ domain: 12, policy: 2 })).toBeUndefined()
  })

  it('is tried once more after its quarantine, and only once until that has finished', () => {
    const quarantine = struck(policyStrikesMax)
    vi.advanceTimersByTime(policyQuarantineMs)
    expect(quarantine.admit(policy)).toBeUndefined()
    expect(quarantine.admit(policy)).toBeDefined()
    expect(quarantine.quarantineFailure(policy)).toBeUndefined()
    quarantine.record(policy, slow)
    expect(quarantine.quarantineFailure(policy)).toBeDefined()
    vi.advanceTimersByTime(policyQuarantineMs - 1)
    expect(quarantine.admit(policy)).toBeDefined()
    vi.advanceTimersByTime(1)
    expect(quarantine.admit(policy)).toBeUndefined()
    quarantine.record(policy, undefined)
    expect(quarantine.admit(policy)).toBeUndefined()
  })

  it('is forgotten with its domain', () => {
    const quarantine = struck(policyStrikesMax)
    quarantine.forget(1)
    expect(quarantine.admit(policy)).toBeUndefined()
  })
})
