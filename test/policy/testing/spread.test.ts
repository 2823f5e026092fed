import { describe, expect, it } from 'vitest'
import { spreadOf, timesOf } from '../../../src/policy/testing/bench-policies.ts'

describe('a spread', () => {
  it.each([
    ['a hundred, in any order', Array.from({ length: 100 }, (_, at) => ((at * 37) % 100) + 1), [50, 95, 99]],
    ['two, of which the lesser is the median', [7, 3], [3, 7, 7]],
    ['one', [5], [5, 5, 5]],
    ['none', [], [0, 0, 0]],
  ] as const)('of %s is figures that were measured', (_, measured, [p50, p95, p99]) => {
    expect(spreadOf(measured)).toEqual({ p50, p95, p99 })
  })

  it('is compared with another by their medians, whatever their extremes', () => {
    expect(timesOf(spreadOf([6, 6, 900]), spreadOf([1, 4, 4]))).toBe(1.5)
  })
})
