import { shellLimits } from '../../../model/limits.ts'
import { unknownPart } from '../../../model/shell.ts'
import { shellWord } from '../../../model/text.ts'

/**
 * Formats the output of `printf format args…`; `undefined` if it is unknown. Unknown parts of arguments stay unknown.
 */
export function formatPrintf(format: string, args: readonly string[]): string | undefined {
  if (format.includes(unknownPart)) return undefined
  let out = ''
  let next = 0
  do {
    const before = next
    for (let at = 0; at < format.length;) {
      const percent = format.indexOf('%', at)
      const plain = unescaped(format.slice(at, percent === -1 ? undefined : percent), false)
      out += plain.text
      if (plain.stop) return out
      if (percent === -1) break
      const directive = /^%([-+ #0']*)(\*|[1-9]\d*)?(?:\.(\*|\d+))?[hlLjzt]*([a-zA-Z%])/.exec(format.slice(percent))
      if (directive === null) return undefined
      at = percent + directive[0].length
      const [, flags = '', width, precision, letter = ''] = directive
      if (letter === '%') {
        out += '%'
        continue
      }
      const wide = width === '*' ? args[next++] : width
      const precise = precision === '*' ? args[next++] : precision
      const arg = args[next++] ?? ''
      const one = converted(letter, arg, flags, Number(wide ?? 0), precise === undefined ? undefined : Number(precise))
      if (one === undefined) return undefined
      out += one.text
      if (one.stop) return out
    }
    if (out.length > shellLimits.valueCharactersMax) return undefined
    if (next === before) break
  } while (next < args.length)
  return out
}

interface Converted {
  readonly text: string
  readonly stop: boolean
}

function converted(
  letter: string,
  arg: string,
  flags: string,
  width: number,
  precision: number | undefined,
): Converted | undefined {
  if (!(width <= shellLimits.valueCharactersMax)) return undefined
  const padded = (text: string): Converted => ({
    text: flags.includes('-')
      ? text.padEnd(width)
      : text.padStart(width, flags.includes('0') && letter !== 's' ? '0' : ' '),
    stop: false,
  })
  const cut = (text: string) => (precision === undefined ? text : text.slice(0, precision))
  if (letter === 's') return padded(cut(arg))
  if (letter === 'c') return padded(arg.slice(0, 1))
  if (letter === 'b') {
    const { text, stop } = unescaped(arg, true)
    const { text: octal } = unescaped(text, false)
    return { text: padded(cut(octal)).text, stop }
  }
  if (letter === 'q') return padded(shellWord(arg))
  if (arg.includes(unknownPart)) return { text: unknownPart, stop: false }
  const number = numberOf(arg)
  if (number === undefined) return undefined
  const digits = (text: string) => (precision === undefined ? text : text.padStart(precision, '0'))
  if (letter === 'd' || letter === 'i' || letter === 'u') return padded(digits(String(number)))
  if (letter === 'x') return padded(digits(number.toString(16)))
  if (letter === 'X') return padded(digits(number.toString(16).toUpperCase()))
  if (letter === 'o') return padded(digits(number.toString(8)))
  return undefined
}

function numberOf(text: string): number | undefined {
  if (text === '') return 0
  if (/^["']/.test(text)) return text.codePointAt(1) ?? 0
  if (/^[-+]?0[0-7]+$/.test(text)) return Number.parseInt(text, 8)
  return /^[-+]?(\d+|0[xX][\da-fA-F]+)$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined
}

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
