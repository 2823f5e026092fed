/** Characters of a window: fewer could be guessed, and words would look random. */
const windowCharacters = 12
/** A window of a random text has some five changes of letters and digits; words, paths and numbers have one or two. */
const changesMin = 3

/** Whether a text has so many random characters in a row that it can be a secret, and recognized. */
export const hasRandomPart = (text: string): boolean => randomWindows(text).next().done !== true

/** Kinds of characters: a change between letters and digits, or from small to capital letters, counts. */
const kindOf = (code: number): number =>
  code >= 48 && code <= 57 ? 3 : code >= 65 && code <= 90 ? 2 : code >= 97 && code <= 122 ? 1 : 0
const isChange = (before: number, after: number) =>
  before !== after && before > 0 && after > 0 && !(before === 2 && after === 1)

/** Yields the windows of a text that look random. */
export function* randomWindows(text: string): Generator<string, undefined> {
  const changes = new Uint8Array(windowCharacters)
  let sum = 0
  let run = 0
  let before = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    const kind = kindOf(code)
    run = code > 32 && code < 127 ? run + 1 : 0
    // The change into a window's first character does not count.
    const slot = at % windowCharacters
    sum -= changes[(at + 1) % windowCharacters] ?? 0
    changes[(at + 1) % windowCharacters] = 0
    changes[slot] = run > 1 && isChange(before, kind) ? 1 : 0
    sum += changes[slot] ?? 0
    before = kind
    if (run >= windowCharacters && sum >= changesMin) yield text.slice(at + 1 - windowCharacters, at + 1)
  }
  return undefined
}
