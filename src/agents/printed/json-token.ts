/** `x` is a number, `true`, `false` or `null`; `!` is not a JSON token; `end` is the end of the text. */
type TokenKind = '{' | '}' | '[' | ']' | ':' | ',' | '"' | 'x' | '!' | 'end'

interface Token {
  readonly kind: TokenKind
  readonly start: number
  /** The offset of the first character after it. */
  readonly end: number
}

const marks: readonly TokenKind[] = ['{', '}', '[', ']', ':', ',']

/**
 * Reads the JSON token at or after `from`, skipping whitespace. A token that the end of the text cuts off counts as
 * whole.
 */
export function readToken(text: string, from: number): Token {
  let start = from
  while (isWhitespace(text.charCodeAt(start))) start += 1
  const character = text[start]
  if (character === undefined) return { kind: 'end', start, end: start }
  const mark = marks.find((one) => one === character)
  if (mark !== undefined) return { kind: mark, start, end: start + 1 }
  return character === '"' ? readString(text, start) : readWord(text, start)
}

const isWhitespace = (code: number) => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

function readString(text: string, start: number): Token {
  let at = start + 1
  for (;;) {
    const code = text.charCodeAt(at)
    if (Number.isNaN(code)) return { kind: '"', start, end: at }
    if (code < 0x20) return { kind: '!', start, end: at }
    at += 1
    if (code === 0x22) return { kind: '"', start, end: at }
    if (code !== 0x5c) continue
    const escape = text.slice(at, at + 5)
    const length = /^["\\/bfnrt]/.test(escape) ? 1 : /^u[\da-fA-F]{4}/.test(escape) ? 5 : 0
    if (length > 0) at += length
    else if (/^(?:u[\da-fA-F]{0,3})?$/.test(escape)) at = text.length
    else return { kind: '!', start, end: at }
  }
}

const words = ['true', 'false', 'null']

function readWord(text: string, start: number): Token {
  const run = /[-+.\w]*/y
  run.lastIndex = start
  const word = run.exec(text)?.[0] ?? ''
  const end = start + word.length
  if (
    end === text.length &&
    (words.some((one) => one.startsWith(word)) || /^-?\d*\.?\d*(?:[eE][-+]?\d*)?$/.test(word))
  ) {
    return { kind: 'x', start, end }
  }
  const complete = words.includes(word) || /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(word)
  return { kind: complete ? 'x' : '!', start, end: Math.max(end, start + 1) }
}
