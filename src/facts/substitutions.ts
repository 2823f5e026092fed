/** What scripts of stream editors put in the place of what. */

/** Texts that a command takes out of a file, and puts into it. */
export interface WrittenTexts {
  readonly before: string
  readonly after: string
  /** Set if it becomes the whole file. */
  readonly whole?: true
}

/** Puts line breaks and tabs for their marks. */
export const unescaped = (text: string) => text.replaceAll(/\\n/g, '\n').replaceAll(/\\t/g, '\t')

/** `s/old/new/`, with any delimiter; `/old/d`; `/old/c new`, `a new`, `i new`. */
const substitution = /(?<=^|[\s;{/\d$'",%])s([/|#,@!~:%])((?:\\.|(?!\1)[^\\\n])*)\1((?:\\[\s\S]|(?!\1)[^\\])*)\1/g
const deletion = /\/((?:\\.|[^/\\\n]){1,500})\/[^\n;]{0,40}?d(?=[;}\s]|$)/g
const insertion = /(?:^|\/|\d|\$)[ \t]*[aic]\\?\s+([^\n]+)/gm

export function substituted(script: string): WrittenTexts {
  const all = [...script.matchAll(substitution)]
  const deleted = [...script.matchAll(deletion)].map(([, old = '']) => old)
  const inserted = [...script.matchAll(insertion)].map(([, text = '']) => text)
  return {
    before: plain([...all.map(([, , old = '']) => old), ...deleted]),
    after: plain([...all.map(([, , , fresh = '']) => fresh), ...inserted]),
  }
}

/** Turns a pattern into about the text that it stands for. */
const plain = (patterns: readonly string[]) =>
  unescaped(patterns.join('\n')).replaceAll(/^\^|\.\*|(?<!\\)\$$|\\(?=\W)/gm, '')
