import { describe, expect, it } from 'vitest'
import { shownText } from '../../../src/ui/page/parts/text-parts.ts'

/** Returns what is shown, with codes in brackets. */
const shown = (text: string, charactersMax = 20_000) =>
  shownText(text, charactersMax)
    .parts.map(({ text: part, isCode }) => (isCode ? `[${part}]` : part))
    .join('')

describe('a text is shown', () => {
  it.each([
    ['plain words, line breaks and tabs', 'a b\n\tc', 'a b\n\tc'],
    ['letters of other scripts, and accents', 'ünï שלום ไม้ ệ', 'ünï שלום ไม้ ệ'],
    ['an emoji', '❤️', '❤️'],
    ['look-alikes', 'раypal', 'раypal'],
    ['an empty text', '', ''],
  ])('as it is: %s', (_, text, want) => {
    expect(shown(text)).toBe(want)
  })

  it.each([
    ['marks of direction', 'rm \u202E txt.exe', 'rm [U+202E] txt.exe'],
    ['what has no width', 'a\u200Bb\u2060c', 'a[U+200B]b[U+2060]c'],
    [
      'fillers and selectors, which are letters and marks',
      'a\u3164b\uFE00c\u{E0100}d\u034Fe',
      'a[U+3164]b[U+FE00]c[U+E0100]d[U+034F]e',
    ],
    ['spaces that are none', 'rm\u00A0-rf\u3000/\u2800', 'rm[U+00A0]-rf[U+3000]/[U+2800]'],
    ['control characters and escapes', '\0\u001b[31m\r', '[U+0000 U+001B][31m[U+000D]'],
    ['a half of a pair', 'a\ud800b', 'a[U+D800]b'],
    ['hidden tags', '\u{E0041}\u{E0042}', '[U+E0041 U+E0042]'],
    ['runs, once', '\u200B'.repeat(500), '[U+200B × 500]'],
    ['long runs of many', '\u200B\u200C'.repeat(500), '[U+200B U+200C U+200B U+200C … 996 more]'],
    ['marks beyond the third', `a${'\u0301'.repeat(503)}b`, `a${'\u0301'.repeat(3)}[U+0301 × 500]b`],
  ])('by its codes: %s', (_, text, want) => {
    expect(shown(text)).toBe(want)
  })
})

it('a long text is cut, and not within a pair', () => {
  expect(shownText('x'.repeat(1_000_000), 100)).toEqual({
    parts: [{ text: 'x'.repeat(100), isCode: false }],
    left: 999_900,
  })
  expect(shownText('ab😀', 3)).toEqual({ parts: [{ text: 'ab', isCode: false }], left: 2 })
})

it('a text of a million hidden characters has few parts, at once', () => {
  const began = process.threadCpuUsage()
  const { parts, left } = shownText('a\u200B'.repeat(500_000), 20_000)
  expect(parts.length).toBeLessThanOrEqual(400)
  expect(left).toBe(1_000_000 - 400)
  expect(process.threadCpuUsage(began).user).toBeLessThan(500_000)
})
