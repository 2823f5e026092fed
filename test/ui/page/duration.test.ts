import { expect, it } from 'vitest'
import { durationText } from '../../../src/ui/page/parts/text-parts.ts'

it.each([
  [0.04, '0.04 ms'],
  [0.4, '0.4 ms'],
  [32.4, '32 ms'],
  [1300, '1.3 s'],
  [150_000, '2.5 min'],
])('%d ms are shown as %s', (ms, text) => {
  expect(durationText(ms)).toBe(text)
})
