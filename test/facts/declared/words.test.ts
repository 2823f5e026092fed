import { describe, expect, it } from 'vitest'
import { fileContent, jsonValue, placeIn, textOf, whyNot } from '../../../src/facts/declared/inside.ts'
import { limits } from '../../../src/model/limits.ts'

const failed = (code: string) => Object.assign(new Error(code), { code })

describe('a path of a declared fact', () => {
  it.each([
    ['a', '/w/a'],
    ['./a/../b', '/w/b'],
    ['.', '/w'],
    ['..a', '/w/..a'],
  ])('%s is in the workspace', (written, path) => {
    expect(placeIn('/w/', written)).toEqual({ root: '/w', written, path })
  })

  it.each([
    ['/w', '', 'is not a path'],
    ['/w', 'a\0b', 'is not a path: it contains a NUL character'],
    ['/w', '/w/a', 'is not a path relative to the workspace'],
    ['/w', '../w2', 'leads outside the workspace'],
    ['/w', 'a/../..', 'leads outside the workspace'],
    ['w', 'a', 'is not an absolute path of a workspace'],
  ])('in %s, %j %s', (root, written, why) => {
    expect(placeIn(root, written)).toMatchObject({ missing: expect.stringMatching(new RegExp(`${why}$`)) })
  })
})

describe('why a file cannot be read', () => {
  it.each([
    [failed('ENOENT'), 'does not exist'],
    [failed('ENOTDIR'), 'does not exist'],
    [failed('EACCES'), 'cannot be read: permission denied'],
    [failed('ELOOP'), 'was replaced while it was being read'],
    [failed('EIO'), 'cannot be read: the system says `EIO`'],
    ['odd', 'cannot be read: the system says `odd`'],
  ])('%s', (error, why) => expect(whyNot(error)).toBe(why))
})

describe('the content of a file', () => {
  it.each<[bytes: readonly number[], whole: boolean, text: string | undefined]>([
    [[0x61], true, 'a'],
    [[0xef, 0xbb, 0xbf, 0x61], true, 'a'],
    [[0x61, 0xc3], false, 'a'],
    [[0x61, 0xc3], true, undefined],
    [[0xff], false, undefined],
  ])('of the bytes %j, whole: %j, is the text %j', (bytes, whole, text) => {
    expect(textOf(Buffer.from(bytes), whole)).toBe(text)
  })

  it.each<[text: string, json: unknown]>([
    ['{"a":1}', { value: { a: 1 } }],
    ['{', 'is not JSON'],
    ['['.repeat(limits.jsonDepthMax + 1) + ']'.repeat(limits.jsonDepthMax + 1), expect.stringMatching(/^holds JSON/)],
  ])('%j is parsed, or reports why not', (text, json) => expect(jsonValue(text)).toEqual(json))

  it('is JSON only if it is complete, and UTF-8', () => {
    expect(fileContent(Buffer.from('{}'), false).json()).toMatch(/^is larger than/)
    expect(fileContent(Buffer.from([0xff]), true).json()).toBe('is not UTF-8')
  })
})
