import { expect, it } from 'vitest'
import { limits } from '../../src/model/limits.ts'

it('a gate that still reads its rules says so before it is taken to be stuck', () => {
  expect(limits.statusRulesMs).toBeLessThan(limits.gateGlanceMs)
})
