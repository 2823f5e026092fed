/**
 * Returns a text without the characters at its end that are among `ends`. A pattern for it, as `/\/+$/`, would try again
 * from each of them, and a text of a million takes minutes.
 */
export function withoutEnd(text: string, ends: string): string {
  let end = text.length
  while (end > 0 && ends.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/** Returns true if a text has one character, and another somewhere behind it. */
export function hasPair(text: string, open: string, close: string): boolean {
  const at = text.indexOf(open)
  return at !== -1 && text.lastIndexOf(close) > at
}
