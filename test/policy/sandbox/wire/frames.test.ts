import fc from 'fast-check'
import { expect, it } from 'vitest'
import { lineReader } from '../../../../src/policy/sandbox/wire/frames.ts'

it('cuts text into the same lines, in whatever pieces it comes', () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'é', '😀', '\t', '\r') })
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat({ max: 20 })), (lines, cuts) => {
      const read: string[] = []
      const hear = lineReader((one) => read.push(one))
      let rest = lines.map((one) => `${one}\n`).join('')
      for (const cut of cuts) {
        hear(rest.slice(0, cut))
        rest = rest.slice(cut)
      }
      hear(rest)
      expect(read).toEqual(lines)
    }),
  )
})

it('tells how much it holds of a line that does not end', () => {
  const held: number[] = []
  const hear = lineReader(
    () => {},
    (characters) => held.push(characters),
  )
  for (const text of ['abc', 'de', '\nf', 'gh\n', 'i']) hear(text)
  expect(held).toEqual([3, 5, 1, 1])
})
