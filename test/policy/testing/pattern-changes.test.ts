import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyEdit } from '../../../src/policy/testing/mutants/values.ts'
import { flagChanges, patternChanges } from '../../../src/policy/testing/mutants/patterns.ts'

const changed = (pattern: string) => patternChanges(pattern).map((edit) => applyEdit(pattern, edit))

describe('changes of a regular expression', () => {
  it.each([
    ['anchors', String.raw`^a\b$`, [String.raw`a\b$`, '^a$', String.raw`^a\b`]],
    ['quantifiers', 'a+b*c?d+?', ['a*b*c?d+?', 'a+b+c?d+?', 'a+b*cd+?', 'a+b*c?d*?']],
    ['a number of times', 'a{2}', ['a{1}', 'a{3}']],
    ['a least number of times', 'a{0,}', ['a{1,}']],
    ['bounds that stay in order', 'a{1,1}', ['a{0,1}', 'a{1,2}']],
    ['both bounds', 'a{1,3}', ['a{0,3}', 'a{2,3}', 'a{1,2}', 'a{1,4}']],
    ['classes', '[a-z][^)(|+]', ['[^a-z][^)(|+]', '[a-z][)(|+]']],
    ['classes by name', String.raw`\d\S\p{L}`, [String.raw`\D\S\p{L}`, String.raw`\d\s\p{L}`, String.raw`\d\S\P{L}`]],
    ['alternatives', 'a|b|c', ['b|c', 'a|c', 'a|b']],
    ['alternatives of a group', 'x(?:a|b)y', ['x(?:b)y', 'x(?:a)y']],
    ['alternatives of groups in groups', '(a|(?<n>b|c))', ['(a|(?<n>c))', '(a|(?<n>b))', '((?<n>b|c))', '(a)']],
    ['lookarounds', '(?=a)(?<!b)', ['(?!a)(?<!b)', '(?=a)(?<=b)']],
    ['nothing that is escaped', String.raw`\^\(\|\)\+\[\u{1F600}\x41\cA\\`, []],
    ['no class within a class', String.raw`[\]\d+$]`, [String.raw`[^\]\d+$]`]],
    ['an opening bracket in a class', '[[]a+', ['[^[]a+', '[[]a*']],
  ])('are made of %s', (_, pattern, wanted) => {
    expect(changed(pattern)).toEqual(wanted)
  })

  it('drop only the flags that make a difference', () => {
    expect(flagChanges('^a.$', 'gimsuy')).toEqual(['imsuy', 'gmsuy', 'gisuy', 'gimuy', 'gimsy', 'gimsu'])
    expect(flagChanges('1', 'imsu')).toEqual([])
  })

  it('are different texts, nearly all of them valid patterns', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^(?:[ab]|\[ab\]|\((?:a|b\|c)\)|[$^]|[ab][+*?]|[ab]\{1,2\}|\|)*$/), (pattern) => {
        for (const text of changed(pattern)) {
          expect(text).not.toBe(pattern)
          expect(() => new RegExp(text)).not.toThrow()
        }
      }),
    )
  })
})
