import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contextBytesMax, joinContexts } from '../../../src/gate/combine/combine.ts'

const bytesOf = (text: string) => Buffer.byteLength(text)

describe('contexts', () => {
  it('are joined in order with a blank line between them, empty ones left out', () => {
    expect(joinContexts(['one', '  ', 'two\n', '']).context).toBe('one\n\ntwo')
  })

  it('of a single hook are trimmed, as those of several are', () => {
    expect(joinContexts([' \n  padded  \n']).context).toBe('padded')
  })

  it('of exactly the cap are kept whole', () => {
    const whole = 'x'.repeat(contextBytesMax)
    expect(joinContexts([whole])).toEqual({ context: whole, truncatedBytes: 0 })
  })

  it('over the cap are cut with a visible marker that shows how much is missing', () => {
    const { context, truncatedBytes } = joinContexts(['x'.repeat(contextBytesMax + 1)])
    expect(context).toMatch(new RegExp(`\\[hookgate: context cut, ${truncatedBytes} bytes left out\\]$`))
    expect(truncatedBytes).toBeGreaterThan(0)
  })

  it('count bytes of UTF-8, not characters: 20,000 characters of three bytes are over the cap', () => {
    expect(joinContexts(['語'.repeat(20_000)]).truncatedBytes).toBeGreaterThan(0)
  })

  it('never exceed the cap, never break a character, and account for every byte', () => {
    const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 60 }), { maxLength: 6 })
    fc.assert(
      fc.property(texts, fc.integer({ min: 80, max: 400 }), (parts, bytesMax) => {
        const { context, truncatedBytes } = joinContexts(parts, bytesMax)
        const whole = joinContexts(parts, Number.MAX_SAFE_INTEGER).context
        expect(bytesOf(context)).toBeLessThanOrEqual(bytesMax)
        expect(context.isWellFormed()).toBe(true)
        // What decoding a broken character gives, which a text may also hold itself.
        if (!whole.includes('\ufffd')) expect(context).not.toContain('\ufffd')
        const kept = context.replace(/\n\n\[hookgate: context cut, \d+ bytes left out\]$/, '')
        if (truncatedBytes === 0) expect(context).toBe(whole)
        else expect(whole.startsWith(kept) && bytesOf(whole) - bytesOf(kept) === truncatedBytes).toBe(true)
      }),
    )
  })
})
