/** Expands backslash escapes as `echo -e`, `printf` formats and `%b` do. `stop`: a `\c` ends all output. */
export function unescaped(text: string, octalNeedsZero: boolean): { readonly text: string; readonly stop: boolean } {
  if (!text.includes('\\')) return { text, stop: false }
  let out = ''
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (character !== '\\' || at + 1 >= text.length) {
      out += character
      continue
    }
    const next = text.charAt(++at)
    const simple = simpleEscapes[next]
    if (simple !== undefined) {
      out += simple
      continue
    }
    if (next === 'c') return { text: out, stop: true }
    const rest = text.slice(at)
    const number =
      /^x([\da-fA-F]{1,2})/.exec(rest) ?? /^u([\da-fA-F]{1,4})/.exec(rest) ?? /^U([\da-fA-F]{1,8})/.exec(rest)
    const octal = (octalNeedsZero ? /^0([0-7]{0,3})/ : /^([0-7]{1,3})/).exec(rest)
    if (number !== null) {
      out += codePoint(Number.parseInt(number[1] ?? '0', 16))
      at += number[0].length - 1
    } else if (octal !== null) {
      out += String.fromCharCode(Number.parseInt(octal[1] === '' ? '0' : (octal[1] ?? '0'), 8) & 255)
      at += octal[0].length - 1
    } else out += `\\${next}`
  }
  return { text: out, stop: false }
}

const codePoint = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : '')

const simpleEscapes: Readonly<Record<string, string>> = {
  '\\': '\\',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}
