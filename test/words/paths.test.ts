import { describe, expect, it } from 'vitest'
import { isInside, isLike, isWithin, rootAround, wayWithin } from '../../src/words/paths.ts'
import { isAtOrBelow, isBelow } from '../../src/words/machine-paths.ts'

describe('a path in a folder', () => {
  it.each([
    ['/a/b', '/a', 'b'],
    ['/a/b/c', '/a/', 'b/c'],
    ['/a', '/a', ''],
    ['/a', '/', 'a'],
    ['/', '/', ''],
    ['.cache/pip/x', '.cache/pip', 'x'],
    ['/ab', '/a', undefined],
    ['/a', '/a/', undefined],
    ['/', '/a', undefined],
    ['/A/b', '/a', undefined],
  ])('%s has the way from %s: %s', (path, folder, way) => {
    expect(wayWithin(path, folder)).toBe(way)
    expect(isWithin(path, folder)).toBe(way !== undefined)
    expect(isInside(path, folder)).toBe(way !== undefined && way !== '')
  })

  it('has no root where the root is the whole disk', () => {
    expect(rootAround('/a/b', ['/', '/c', '/a'])).toBe('/a')
    expect(rootAround('/b', ['/', '/a'])).toBeUndefined()
  })

  it('of this machine is compared by whole names, and `..` leads out', () => {
    expect(isBelow('/a/..b', '/a')).toBe(true)
    expect(isBelow('/a/../b', '/a')).toBe(false)
    expect(isBelow('/a/', '/a')).toBe(false)
    expect(isAtOrBelow('/a/', '/a')).toBe(true)
    expect(isAtOrBelow('/ab', '/a')).toBe(false)
  })
})

it.each([
  ['release/1', 'release/*', true],
  ['release/', 'release/*', true],
  ['a-test', '*-test', true],
  ['a.config.js', '*.config.*', true],
  ['axb', 'a*b', true],
  ['a', 'a*a', false],
  ['a/b*c', 'a/b*c', true],
  ['abc', 'a', false],
  ['secrets/x', '*secrets*', true],
  ['ab-c', 'a*b*b*c', false],
  ['', '*', true],
  ['main', '', false],
])('%s is like %s: %s', (name, pattern, expected) => {
  expect(isLike(name, pattern)).toBe(expected)
})
