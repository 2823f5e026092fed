import type { Part, Quoted, StringRead } from './tokens.ts'

/** What a backslash means between these quotes. */
export type Escapes = 'c' | 'quote' | 'none'

interface Quotes {
  readonly close: string
  /** What opens the same quotes again within them: `q{a{b}c}`. */
  readonly open?: string
  readonly escapes: Escapes
  /** Reads code that stands at this place, and where it ends. */
  readonly code?: (source: string, at: number) => { readonly code: string; readonly end: number } | undefined
  readonly quoted?: Quoted
}

/** Reads from behind the opening quote to behind the closing one, or to the end where there is none. */
export function between(source: string, from: number, quotes: Quotes): StringRead {
  const { close, open, escapes, code, quoted = 'text' } = quotes
  const parts: Part[] = []
  let plain = ''
  let depth = 0
  let at = from
  while (at < source.length) {
    if (depth === 0 && source.startsWith(close, at)) break
    const char = source.charAt(at)
    if (char === '\\' && escapes !== 'none') {
      const read = escaped(source, at, escapes, close)
      plain += read.text
      at = read.end
      continue
    }
    const found = code?.(source, at)
    if (found !== undefined) {
      if (plain !== '') parts.push(plain)
      plain = ''
      parts.push({ code: found.code })
      at = found.end
      continue
    }
    if (open !== undefined && open !== close) {
      if (char === open) depth++
      else if (char === close) depth--
    }
    plain += char
    at++
  }
  if (plain !== '' || parts.length === 0) parts.push(plain)
  return { parts, quoted, end: at + close.length }
}

const letters: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\u0007',
  b: '\b',
  f: '\f',
  v: '\v',
  e: '\u001b',
  s: ' ',
}

function escaped(
  source: string,
  at: number,
  escapes: Escapes,
  close: string,
): { readonly text: string; readonly end: number } {
  const next = source.charAt(at + 1)
  if (escapes === 'quote') {
    return next === '\\' || next === close ? { text: next, end: at + 2 } : { text: '\\', end: at + 1 }
  }
  const code = /^(?:x\{([\da-f]{1,6})\}|x([\da-f]{1,2})|u\{([\da-f]{1,6})\}|u([\da-f]{4})|U([\da-f]{8}))/i.exec(
    source.slice(at + 1, at + 12),
  )
  const hex = code?.slice(1).find((one) => one !== undefined)
  if (hex !== undefined) {
    const point = Number.parseInt(hex, 16)
    return { text: point <= 0x10ffff ? String.fromCodePoint(point) : '', end: at + 1 + (code?.[0].length ?? 0) }
  }
  const octal = /^[0-7]{1,3}/.exec(source.slice(at + 1, at + 4))?.[0]
  if (octal !== undefined) return { text: String.fromCodePoint(Number.parseInt(octal, 8)), end: at + 1 + octal.length }
  if (next === '\n') return { text: '', end: at + 2 }
  return { text: letters[next] ?? next, end: at + 2 }
}

/** Up to the bracket that closes the one in front. */
export function bracketed(
  source: string,
  from: number,
  open: string,
  close: string,
): { readonly code: string; readonly end: number } {
  let depth = 1
  let at = from
  for (; at < source.length; at++) {
    const char = source.charAt(at)
    if (char === open) depth++
    else if (char === close && --depth === 0) break
  }
  return { code: source.slice(from, at), end: at + 1 }
}

const pairs: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' }

/** The delimiters of `q{…}`, `%w[…]`, `m/…/`. */
export const delimiters = (open: string): { readonly open: string; readonly close: string } => ({
  open,
  close: pairs[open] ?? open,
})

/** Whether a slash here begins a pattern: nothing stands in front that could be divided. */
export function beginsOperand(previous: { readonly kind: string; readonly text: string } | undefined): boolean {
  if (previous === undefined) return true
  if (previous.kind === 'name')
    return /^(?:return|if|unless|and|or|not|when|while|until|split|grep|typeof|in|of|case|match|x)$/.test(previous.text)
  return previous.kind === 'mark' && !/^[)\]}]$/.test(previous.text)
}
