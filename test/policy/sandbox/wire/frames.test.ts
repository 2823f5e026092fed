import fc from 'fast-check'
import { expect, it } from 'vitest'
import { lineReader } from '../../../../src/policy/sandbox/wire/frames.ts'

it('splits text into the same lines, whatever its chunks', () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'é', '😀', '\t', '\r') })
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat({ max: 20 })), (lines, cuts) => {
      const read: string[] = []
      const readChunk = lineReader((one) => read.push(one))
      let rest = lines.map((one) => `${one}\n`).join('')
      for (const cut of cuts) {
        readChunk(rest.slice(0, cut))
        rest = rest.slice(cut)
      }
      readChunk(rest)
      expect(read).toEqual(lines)
    }),
  )
})

it('reports how much of an unfinished line it buffers', () => {
  const held: number[] = []
  const readChunk = lineReader(
    () => {},
    (characters) => held.push(characters),
  )
  for (const text of ['abc', 'de', '\nf', 'gh\n', 'i']) readChunk(text)
  expect(held).toEqual([3, 5, 1, 1])
})
