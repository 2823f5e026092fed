import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bytesOfFrames, frameReader } from '../../../../src/policy/sandbox/wire/frame-bytes.ts'
import type { SandboxFrame } from '../../../../src/policy/sandbox/wire/frames.ts'

const text = fc.string({ unit: fc.constantFrom('a', ' ', ',', 'é', '€', '😀', '\ud800', '\t', '\n', '\0') })
const line = fc.string({ unit: fc.constantFrom('a', ' ', ',', '-', 'é', '😀', '\t') })
const frame = fc.oneof(fc.tuple(line), fc.tuple(line, text), fc.tuple(line, text, text))

it('bytes are read as the same frames, whatever their pieces, even with half a character in a text', () => {
  fc.assert(
    fc.property(fc.array(frame), fc.array(fc.integer({ min: 1, max: 20 })), (frames, cuts) => {
      const bytes = bytesOfFrames(frames)
      const read = frameReader()
      const found: SandboxFrame[] = []
      // One room for all pieces, as the thread has.
      const room = Buffer.alloc(Math.max(1, bytes.length))
      let start = 0
      for (const size of [...cuts, bytes.length]) {
        const piece = bytes.subarray(start, start + size)
        found.push(...read(room.subarray(0, piece.copy(room))))
        start += piece.length
      }
      expect(found).toEqual(frames)
    }),
  )
})
