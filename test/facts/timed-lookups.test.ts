import { describe, expect, it } from 'vitest'
import { stuckRoots } from '../../src/facts/timed-lookups.ts'

describe('a root', () => {
  it('is stuck until all overdue look-ups have returned', async () => {
    const [one, two] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const stuck = stuckRoots()
    stuck.hold('/a', one.promise)
    stuck.hold('/a', two.promise)
    one.resolve()
    await one.promise
    await Promise.resolve()
    expect([stuck.has('/a'), stuck.has('/b')]).toEqual([true, false])
    two.resolve()
    await expect.poll(() => stuck.has('/a')).toBe(false)
  })
})
