import { describe, expect, it } from 'vitest'
import { below, isWindows, projectRoots, resolved, rootOf } from '../../../src/facts/paths/place.ts'

describe('a Windows path', () => {
  it.each(['C:\\a', 'c:/a', 'D:', '\\\\host\\share'])('is %s', (path) => expect(isWindows(path)).toBe(true))
  it.each(['/a', 'a:b', 'C', ':a', '1:/a', '', '\\a'])('is not %j', (path) => expect(isWindows(path)).toBe(false))
})

describe('a path is resolved', () => {
  it.each<[cwd: string | undefined, path: string, absolute: string | undefined]>([
    ['/a/b', 'c', '/a/b/c'],
    ['/a/b', '../c/.//d/', '/a/c/d'],
    ['/a', '/b/../c', '/c'],
    ['/a', '../../..', '/'],
    [undefined, '/b', '/b'],
    [undefined, 'b', undefined],
    ['a', 'b', undefined],
    ['/a', 'C:\\b', 'C:\\b'],
    ['C:\\a', 'b\\..\\c', 'C:\\a\\c'],
    ['C:\\a', '/d/x', 'd:\\x'],
    ['C:\\a', '/c', 'c:\\'],
    ['C:\\a', '/tmp', 'C:\\tmp'],
  ])('from %s: %s is %s', (cwd, path, absolute) => expect(resolved(cwd, path)).toBe(absolute))
})

describe('below a folder', () => {
  it.each<[folder: string, path: string, rest: string | undefined]>([
    ['/a', '/a/b/c', 'b/c'],
    ['/a', '/a', ''],
    ['/a', '/ab', undefined],
    ['/a', '/', undefined],
    ['/', '/a', 'a'],
    ['/', '/', ''],
    ['/a', '/a/..b', '..b'],
    ['C:\\a', 'c:\\A\\b', 'b'],
    ['C:\\a', 'C:\\', undefined],
    ['C:\\a', 'D:\\a', undefined],
  ])('%s, %s is %s', (folder, path, rest) => expect(below(folder, path)).toBe(rest))

  it('the innermost root counts', () => {
    expect(rootOf(['/a', '/a/b', '/c'], '/a/b/d')).toEqual({ root: '/a/b', inRoot: 'd' })
    expect(rootOf(['/a/b', '/a'], '/a')).toEqual({ root: '/a', inRoot: '' })
    expect(rootOf(['/a'], '/b')).toBeUndefined()
  })
})

describe('the roots of projects', () => {
  it.each<[roots: readonly string[], home: string | undefined, projects: readonly string[]]>([
    [['/home/u/proj'], '/home/u', ['/home/u/proj']],
    [['/home/u'], '/home/u', []],
    [['/home', '/'], '/home/u', []],
    [['/home/u', '/home/u/proj'], '/home/u', ['/home/u/proj']],
    [['/home/other', '/srv/app'], '/home/u', ['/home/other', '/srv/app']],
    [['/home/u2'], '/home/u', ['/home/u2']],
    [['/', '/srv'], undefined, ['/srv']],
    [['C:\\Users\\u', 'C:\\Users\\u\\proj'], 'C:\\Users\\u', ['C:\\Users\\u\\proj']],
  ])('of %j with the home %j are %j', (roots, home, projects) => expect(projectRoots(roots, home)).toEqual(projects))
})
