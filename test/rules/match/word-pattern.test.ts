import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commandPatternText, matchesWords, parseCommandPattern } from '../../../src/rules/match/word-pattern.ts'

function matches(pattern: string, ...words: readonly string[]): boolean {
  const parsed = parseCommandPattern(pattern, '/home/someone')
  if ('message' in parsed) throw new Error(parsed.message)
  return matchesWords(parsed, words)
}

const anyWord = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom(...`ab*'"\\$\`| ~=-/.{}#\n`.split('')) }),
)

describe('the command of an exception', () => {
  it('matches exactly the words that it was written from, whatever characters they have', () => {
    fc.assert(
      fc.property(fc.array(anyWord, { minLength: 1 }), fc.array(anyWord, { minLength: 1 }), (words, others) => {
        const text = commandPatternText(words)
        expect(matches(text, ...words)).toBe(true)
        expect(matches(text, ...others)).toBe(JSON.stringify(words) === JSON.stringify(others))
        expect(matches(text, ...words, ...others)).toBe(false)
      }),
    )
  })

  it.each([
    ['git push *', ['git', 'push', 'origin'], true],
    ['git push *', ['git', 'push'], false],
    ['git push *', ['git', 'push', 'a', 'b'], false],
    ['git push *', ['git', 'push', '--mirror'], false],
    ['git push **', ['git', 'push'], true],
    ['git push **', ['git', 'push', '--mirror', 'a'], true],
    ['git push **', ['git', 'pull'], false],
    ['git push origin feature/*', ['git', 'push', 'origin', 'feature/a/b'], true],
    ['git push origin feature/*', ['git', 'push', 'origin', 'feature/'], false],
    ['git push origin feature/*', ['git', 'push', 'origin', 'feature/a:main'], false],
    ['git push origin feature/*', ['git', 'push', 'origin', 'feature/a main'], false],
    ['git push origin feature/*', ['git', 'push', 'origin', 'feature/../main'], false],
    ['rm ../a/*', ['rm', '../a/b'], true],
    ['rm ../a/*', ['rm', '../a/../b'], false],
    ['rm a/.*', ['rm', 'a/./b'], true],
    ['rm a/.*', ['rm', 'a/../b'], false],
    ['rm *.o', ['rm', 'a.o'], true],
    ['rm *.o', ['rm', '-x.o'], false],
    ['rm *a*', ['rm', 'xay'], true],
    ['rm *a*', ['rm', 'xa'], false],
    ["rm '*'", ['rm', '*'], true],
    ["rm '*'", ['rm', 'a'], false],
    ['rm \\*', ['rm', '*'], true],
    ['rm "a \\"b\\""', ['rm', 'a "b"'], true],
    ['rm ~/x', ['rm', '/home/someone/x'], true],
    ["rm '~/x'", ['rm', '~/x'], true],
  ])('%s matches %j: %s', (pattern, words, expected) => {
    expect(matches(pattern, ...words)).toBe(expected)
  })

  it.each([
    ['', 'it names no command'],
    ['**', 'is too wide: it names no program'],
    ['* push', 'is too wide: it names no program'],
    ['git** push', 'is too wide: it names no program'],
    ['git ** push', '`**` must be the last word'],
    ['git a**', '`**` must be the last word'],
    ['git push && rm x', 'is not one command'],
    ['git push > x', 'is not one command'],
    ['git push $BRANCH', 'nothing is expanded'],
    ['git push "$BRANCH"', 'nothing is expanded'],
    ["git 'push", 'has an unclosed'],
    ['GIT_DIR=x git push', 'no exception covers a command with variables set before it'],
  ])('%s is refused', (pattern, message) => {
    expect(parseCommandPattern(pattern, '/home/someone')).toMatchObject({
      message: expect.stringContaining(message),
      remedy: expect.stringMatching(/\S/),
    })
  })
})
