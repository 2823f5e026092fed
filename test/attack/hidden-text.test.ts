import { describe, expect, it } from 'vitest'
import { printable, visible } from '../../src/model/text.ts'

describe('external text is shown so that a person sees everything that a model reads', () => {
  it.each([
    ['an escape of the terminal', '\u001b[2J', '\\x1b[2J'],
    ['a control of C1', '\u009b31m', '\\x9b31m'],
    ['a mark that turns the direction', '\u202e', '\\u{202e}'],
    ['the Arabic mark for letters', '\u061c', '\\u{61c}'],
    ['an isolate of a direction', '\u2066', '\\u{2066}'],
    ['a line separator', '\u2028', '\\u{2028}'],
    ['a paragraph separator', '\u2029', '\\u{2029}'],
    ['a soft hyphen', '\u00ad', '\\xad'],
    ['a joiner', '\u200d', '\\u{200d}'],
    ['a Mongolian vowel separator', '\u180e', '\\u{180e}'],
    ['an annotation', '\ufff9', '\\u{fff9}'],
    ['a filler of Hangul', '\u3164', '\\u{3164}'],
    ['another filler of Hangul', '\u115f', '\\u{115f}'],
    ['a selector of variants behind a letter', 'x\ufe0f', 'x\\u{fe0f}'],
    ['a byte in a selector of variants', '\u{e0100}', '\\u{e0100}'],
    ['a tag', '\u{e0041}', '\\u{e0041}'],
    ['a grapheme joiner', '\u034f', '\\u{34f}'],
    ['half of a pair, for which some parsers refuse all of the JSON', 'a\ud83d', 'a\ufffd'],
    ['a part of a command that is not known', '\ufdd0/x', '…/x'],
  ])('%s', (_, text, shown) => {
    expect(printable(text)).toBe(shown)
  })

  it.each(['tab\tand\nline', 'hé à la Ñ', '日本語', 'नमस्ते', '👍 ❤\ufe0f', 'ﬁne print'])(
    'leaves %s as it is',
    (text) => {
      expect(printable(text)).toBe(text)
    },
  )
})

describe('what an agent wants to do is shown character by character', () => {
  it.each([
    ['blanks that are none of a shell', 'a\u00a0\u00a0\u2003b', 'a\\xa0\\xa0\\u{2003}b'],
    [
      'marks beyond the third',
      'a\u0301\u0302\u0303\u0304\u0304\u0305b',
      'a\u0301\u0302\u0303\\u{304}\\u{304}\\u{305}b',
    ],
    ['blanks between marks', '\u0301\u0301\u0301\u0301\u00a0\u0301', '\u0301\u0301\u0301\\u{301}\\xa0\u0301'],
  ])('%s', (_, text, shown) => {
    expect(visible(text)).toBe(shown)
  })

  it('a million marks, each of them', () => {
    const shown = visible(`a${'\u0301'.repeat(1_000_000)}b`)
    expect(shown).toHaveLength('a'.length + 3 + 999_997 * String.raw`\u{301}`.length + 'b'.length)
  })
})
