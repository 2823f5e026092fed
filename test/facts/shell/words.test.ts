import { describe, expect, it } from 'vitest'
import { expandBraces } from '../../../src/facts/shell/expand/fields.ts'
import { formatPrintf, unescaped } from '../../../src/facts/shell/outputs/printf.ts'
import { matchesWhole, readGlob, removed, replacePattern } from '../../../src/facts/shell/values/glob.ts'
import { linesOf } from '../../support/shell-facts.ts'

describe('a pattern', () => {
  const matches = (pattern: string, text: string) => {
    const glob = readGlob(pattern)
    return glob === undefined ? undefined : matchesWhole(glob, text)
  }
  it.each<[pattern: string, text: string, matches: boolean | undefined]>([
    ['a*', 'abc', true],
    ['*', '', true],
    ['?', '', false],
    ['a?c', 'abc', true],
    ['[a-c]x', 'bx', true],
    ['[!a-c]x', 'bx', false],
    ['[^a]', 'b', true],
    ['[]]', ']', true],
    ['[a', '[a', true],
    ['\\*', '*', true],
    ['\\*', 'a', false],
    ['@(a|b)', 'a', undefined],
    ['[[:alpha:]]', 'a', undefined],
  ])('%s against %j: %j', (pattern, text, expected) => expect(matches(pattern, text)).toBe(expected))

  it.each<[text: string, operator: '#' | '##' | '%' | '%%', pattern: string, rest: string]>([
    ['a.b.c', '#', '*.', 'b.c'],
    ['a.b.c', '##', '*.', 'c'],
    ['a.b.c', '%', '.*', 'a.b'],
    ['a.b.c', '%%', '.*', 'a'],
    ['abc', '#', 'x', 'abc'],
  ])('${%s%s%s} leaves %s', (text, operator, pattern, rest) => expect(removed(text, pattern, operator)).toBe(rest))

  it.each<[text: string, operator: '/' | '//' | '/#' | '/%', pattern: string, made: string]>([
    ['abab', '/', 'a', 'xbab'],
    ['abab', '//', 'a', 'xbxb'],
    ['abab', '//', '?b', 'xx'],
    ['abab', '/#', 'a', 'xbab'],
    ['abab', '/#', 'b', 'abab'],
    ['abab', '/%', 'b*', 'ax'],
    ['abab', '/', '', 'abab'],
  ])('${%s%s%s/x} makes %s', (text, operator, pattern, made) => {
    expect(replacePattern(text, pattern, 'x', operator)).toBe(made)
  })
})

describe('braces', () => {
  it.each<[text: string, words: readonly string[]]>([
    ['a{b,c}d', ['abd', 'acd']],
    ['{a,b}{1,2}', ['a1', 'a2', 'b1', 'b2']],
    ['{a,{b,c}}', ['a', 'b', 'c']],
    ['{1..3}', ['1', '2', '3']],
    ['{3..1}', ['3', '2', '1']],
    ['{01..03}', ['01', '02', '03']],
    ['{1..7..3}', ['1', '4', '7']],
    ['{a..c}', ['a', 'b', 'c']],
    ['{a}', ['{a}']],
    ['{,a}', ['', 'a']],
    ['\\{a,b}', ['\\{a,b}']],
    ["'{a,b}'", ["'{a,b}'"]],
    ['${a,b}', ['${a,b}']],
  ])('%s', (text, words) => expect(expandBraces(text)).toEqual(words))
})

describe('arithmetic', () => {
  it.each<[expression: string, value: string]>([
    ['1 + 2 * 3', '7'],
    ['7 / 2', '3'],
    ['-7 % 3', '-1'],
    ['2 ** 10', '1024'],
    ['1 << 4 | 1', '17'],
    ['5 & 3 ^ 1', '0'],
    ['!0 + ~0', '0'],
    ['3 > 2 && 2 >= 2', '1'],
    ['0 || 1 != 1', '0'],
    ['1 ? 2 : 3', '2'],
    ['(1, 2)', '2'],
    ['x = 4, x += 2, x++ + ++x', '14'],
    ['0x1f + 010 + 2#101', '44'],
    ['1 / 0', '…'],
    ['unknown + 1', '…'],
    ['9007199254740993', '…'],
  ])('%s is %s', (expression, value) => expect(linesOf(`echo $(( ${expression} ))`)).toEqual([`echo ${value}`]))
})

describe('printf', () => {
  it.each<[format: string, args: readonly string[], text: string | undefined]>([
    ['%s-%s\\n', ['a', 'b'], 'a-b\n'],
    ['%s,', ['a', 'b', 'c'], 'a,b,c,'],
    ['%5s|%-5s|', ['a', 'b'], '    a|b    |'],
    ['%.2s', ['abc'], 'ab'],
    ['%03d %x %o', ['7', '255', '8'], '007 ff 10'],
    ['%c%%', ['abc'], 'a%'],
    ['%b', ['a\\tb'], 'a\tb'],
    ['%q', ['a b'], "'a b'"],
    ['%*s', ['3', 'a'], '  a'],
    ['%d', ["'A"], '65'],
    ['a\\cb', [], 'a'],
    ['%d', ['x'], undefined],
    ['%f', ['1'], undefined],
  ])('%j of %j', (format, args, text) => expect(formatPrintf(format, args)).toBe(text))

  it.each([
    ['\\x41\\102\\u0043', 'ABC'],
    ['\\n\\\\\\q', '\n\\\\q'],
  ])('expands the escapes of %s', (text, plain) => expect(unescaped(text, false).text).toBe(plain))
})
