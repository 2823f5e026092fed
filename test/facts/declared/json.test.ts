import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPointer, pointed } from '../../../src/facts/declared/inside.ts'
import type { Json } from '../../../src/model/json.ts'

// The examples of RFC 6901, section 5.
const example = {
  foo: ['bar', 'baz'],
  '': 0,
  'a/b': 1,
  'c%d': 2,
  'e^f': 3,
  'g|h': 4,
  'i\\j': 5,
  'k"l': 6,
  ' ': 7,
  'm~n': 8,
}

describe('a JSON pointer', () => {
  it.each([
    ['', example],
    ['/foo', ['bar', 'baz']],
    ['/foo/0', 'bar'],
    ['/', 0],
    ['/a~1b', 1],
    ['/c%d', 2],
    ['/e^f', 3],
    ['/g|h', 4],
    ['/i\\j', 5],
    ['/k"l', 6],
    ['/ ', 7],
    ['/m~0n', 8],
  ])('%j finds the value of the standard', (pointer, value) => {
    expect(pointed(example, pointer)).toEqual(value)
  })

  it.each(['foo', '/~2', '/~', '/a~', '#/foo'])('is invalid if it is %j', (text) => {
    expect(isPointer(text)).toBe(false)
    expect(pointed({ '~2': 1, '~': 2, 'a~': 3, oo: 4, foo: 5 }, text)).toBeUndefined()
  })

  it('decodes `~1` before `~0`', () => {
    expect(pointed({ '~1': 'tilde', '/': 'slash' }, '/~01')).toBe('tilde')
  })

  it('finds every value at its position', () => {
    const escaped = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1')
    const places = (value: Json, pointer: string): readonly (readonly [string, Json])[] => [
      [pointer, value],
      ...(typeof value === 'object' && value !== null
        ? Object.entries(value).flatMap(([key, inner]: [string, Json]) => places(inner, `${pointer}/${escaped(key)}`))
        : []),
    ]
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        for (const [pointer, inner] of places(value as Json, '')) expect(pointed(value as Json, pointer)).toBe(inner)
      }),
    )
  })
})
