import { describe, expect, it } from 'vitest'
import { placeOf, touchedPath } from '../../../src/facts/paths/index.ts'
import { type ShellWord, type TouchedPath, unknownPart } from '../../../src/model/shell.ts'

const place = placeOf({ cwd: '/home/u/proj/src', home: '/home/u', workspaceRoots: ['/home/u/proj'] })
const touched = (word: ShellWord | string) =>
  touchedPath(typeof word === 'string' ? { value: word } : word, 'read', place)
const x = unknownPart

describe('a path is absolute and normalised', () => {
  it.each([
    ['a.ts', '/home/u/proj/src/a.ts'],
    ['./a/../b//c/', '/home/u/proj/src/b/c'],
    ['../../../../../../etc/passwd', '/etc/passwd'],
    ['/', '/'],
    ['/../..', '/'],
    ['.', '/home/u/proj/src'],
    ['a b\n', '/home/u/proj/src/a b\n'],
    ['\u{1F600}/é', '/home/u/proj/src/\u{1F600}/é'],
    ['C:\\Users\\u\\..\\x', 'C:\\Users\\x'],
    ['c:/Windows', 'c:\\Windows'],
    ['\\\\server\\share\\a', '\\\\server\\share\\a'],
    ['C:', 'C:\\'],
    ['CD:x', '/home/u/proj/src/CD:x'],
  ])('%j is %j', (written, absolute) => {
    expect(touched(written).absolute).toBe(absolute)
  })

  it('is unknown where the working directory is', () => {
    const nowhere = placeOf({ home: '/home/u', workspaceRoots: [] })
    expect(touchedPath({ value: 'a' }, 'read', nowhere)).toEqual({ written: 'a', access: 'read' })
    expect(touchedPath({ value: '/a' }, 'read', nowhere).absolute).toBe('/a')
    expect(touchedPath({ value: '*', pattern: '*' }, 'read', nowhere).pattern).toBeUndefined()
  })

  it('is a Windows path where the working directory is one', () => {
    const windows = placeOf({ cwd: 'C:\\work\\p', home: 'C:\\Users\\u', workspaceRoots: ['C:\\work\\p'] })
    expect(touchedPath({ value: 'a/b' }, 'read', windows)).toMatchObject({
      absolute: 'C:\\work\\p\\a\\b',
      inRoot: 'a\\b',
    })
    expect(touchedPath({ value: '/c/Users/u/.ssh' }, 'read', windows)).toMatchObject({ inHome: '.ssh' })
    expect(touchedPath({ value: 'c:\\WORK\\P\\x' }, 'read', windows)).toMatchObject({ inRoot: 'x' })
  })
})

describe('where a path is', () => {
  it.each<[string, Partial<TouchedPath>, readonly (keyof TouchedPath)[]]>([
    ['x', { root: '/home/u/proj', inRoot: 'src/x', inHome: 'proj/src/x' }, []],
    ['..', { root: '/home/u/proj', inRoot: '' }, []],
    ['../..', { inHome: '' }, ['root', 'inRoot']],
    ['/home/u/project2/a', { inHome: 'project2/a' }, ['root', 'inRoot']],
    ['/home/ux', { absolute: '/home/ux' }, ['root', 'inHome']],
    ['/', { absolute: '/' }, ['root', 'inHome']],
  ])('%j', (written, holds, lacks) => {
    const path = touched(written)
    expect(path).toMatchObject(holds)
    for (const key of lacks) expect(path).not.toHaveProperty(key)
  })

  it('is the innermost of several roots', () => {
    const nested = placeOf({ cwd: '/w/a', workspaceRoots: ['/w', '/w/a/', '/w/b'] })
    expect(touchedPath({ value: 'x' }, 'write', nested)).toMatchObject({ root: '/w/a', inRoot: 'x' })
    expect(touchedPath({ value: '../c' }, 'write', nested)).toMatchObject({ root: '/w', inRoot: 'c' })
  })
})

describe('a pattern has the folder that contains all of its matches', () => {
  it.each([
    ['*', '/home/u/proj/src', '/home/u/proj/src/*'],
    ['/*', '/', '/*'],
    ['/et[c]', '/', '/et[c]'],
    ['/etc/*/x', '/etc', '/etc/*/x'],
    ['/a\\*/b?', '/a*', '/a\\*/b?'],
    ['../*.ts', '/home/u/proj', '/home/u/proj/*.ts'],
    ['*/../..', '/home/u/proj', '/home/u/proj'],
    ['/etc/@(passwd|shadow)', '/etc', '/etc/@(passwd|shadow)'],
  ])('%j: %j', (pattern, absolute, whole) => {
    expect(touched({ value: pattern, pattern })).toMatchObject({ absolute, pattern: whole })
  })

  it('is a plain path where its characters are quoted', () => {
    const path = touched({ value: '.git/{objects,*}' })
    expect(path.absolute).toBe('/home/u/proj/src/.git/{objects,*}')
    expect(path).not.toHaveProperty('pattern')
  })

  it('ignores pattern characters in the working directory', () => {
    const odd = placeOf({ cwd: '/tmp/[x]', workspaceRoots: [] })
    expect(touchedPath({ value: '*', pattern: '*' }, 'read', odd)).toMatchObject({
      absolute: '/tmp/[x]',
      pattern: '/tmp/\\[x\\]/*',
    })
  })
})

describe('in a path with an unknown part', () => {
  it.each<[string, string | undefined]>([
    [`/tmp/${x}`, '/tmp'],
    [`/tmp/a${x}/b`, '/tmp'],
    [`a/${x}`, '/home/u/proj/src/a'],
    [`a${x}`, '/home/u/proj/src'],
    [x, undefined],
    [`${x}/a`, undefined],
    [`/tmp/${x}/../..`, undefined],
    [`/tmp/../${x}`, '/'],
    ['/tmp/a\0/../../etc', undefined],
  ])('%j is in %j, as far as is known', (value, absolute) => {
    const path = touched({ value, ...(value.includes(x) && { unresolved: true }) })
    expect(path.unresolved).toBe(true)
    expect(path.absolute).toBe(absolute)
  })

  it('the variable is named', () => {
    const word: ShellWord = { value: `${x}/a`, unresolved: true, variable: 'TARGET' }
    expect(touched(word).written).toBe('$TARGET/a')
  })
})
