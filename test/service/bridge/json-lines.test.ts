import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arrayOf, elementsOf, linesIn, newestLines, onOneLine } from '../../../src/service/bridge/event-file.ts'

const textOf = (pieces: readonly Uint8Array[]) => Buffer.concat(pieces).toString()
const bytesOf = (lines: readonly string[]) => Buffer.from(lines.join(',\n'))

describe('an event file', () => {
  it('is an array of exactly the appended events, oldest first', () => {
    fc.assert(
      fc.property(fc.array(fc.json()), fc.array(fc.json(), { minLength: 1 }), (older, newer) => {
        const file = textOf(arrayOf(bytesOf(older), newer))
        expect(JSON.parse(file)).toEqual([...older, ...newer].map((text) => JSON.parse(text) as unknown))
        expect(Buffer.from(linesIn(Buffer.from(file))).toString()).toBe([...older, ...newer].join(',\n'))
      }),
    )
  })

  it('drops whole entries from its front, only as many as needed, and reports how many', () => {
    fc.assert(
      fc.property(fc.array(fc.json(), { minLength: 1 }), fc.nat(200), (lines, bytesMax) => {
        const { kept, dropped } = newestLines(bytesOf(lines), bytesMax)
        expect(Buffer.from(kept).toString()).toBe(lines.slice(dropped).join(',\n'))
        expect(kept.length).toBeLessThanOrEqual(bytesMax)
        if (dropped > 0) expect(bytesOf(lines.slice(dropped - 1)).length).toBeGreaterThan(bytesMax)
      }),
    )
  })
})

describe('an array of another program', () => {
  it('is split into its elements, however it is formatted', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.constantFrom(undefined, 1, 2, '\t', '\r\n '), (values, indent) => {
        const elements = elementsOf(JSON.stringify(values, undefined, indent))
        expect(elements?.map((text) => JSON.parse(text) as unknown)).toEqual(JSON.parse(JSON.stringify(values)))
        expect(elements?.join('')).not.toMatch(/[\r\n]/)
      }),
    )
  })

  it('keeps every digit of its numbers', () => {
    expect(elementsOf('[ 12345678901234567890, 1.0,{"a":\n1e400}]')).toEqual([
      '12345678901234567890',
      '1.0',
      '{"a": 1e400}',
    ])
  })

  it.each(['', '{}', '[1', '[1]x', '[1][2]', 'null', '"[]"', '[1,]'])('is rejected where it is %j', (text) => {
    expect(elementsOf(text)).toBeUndefined()
  })
})

it('JSON on one line has the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const line = onOneLine(`\n${JSON.stringify(value, undefined, 2).replaceAll('\n', '\r\n')}\r\n`)
      expect(line).not.toMatch(/[\r\n]/)
      expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})
