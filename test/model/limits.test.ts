import { expect, it } from 'vitest'
import { limits } from '../../src/model/limits.ts'

it('a gate that still reads its rules reports that before it is considered stuck', () => {
  expect(limits.statusRulesMs).toBeLessThan(limits.gateGlanceMs)
})
