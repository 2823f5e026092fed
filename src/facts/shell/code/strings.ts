import type { Part, Quoted, Token } from './token.ts'

/** The reach of a backslash between quotes: as in C, only in front of the closing quote or a backslash, or nothing. */
type Escapes = 'c' | 'quote' | 'none'

/** Finds code in a text at a place, and where it ends. */
export type Interpolation = (source: string, at: number) => { readonly code: string; readonly end: number } | undefined

/** One way in which a language writes texts. */
export interface StringForm {
  /** The opening, sticky. Its group `mark` is the delimiter; without one, the text is its group `text`, `code`, or all of it. */
  readonly open: RegExp
  /** The closing delimiter, where it is neither the opening one nor the bracket that belongs to it. */
  readonly close?: (opening: RegExpExecArray) => string
  readonly escapes?: Escapes
  readonly code?: Interpolation
  readonly quoted?: Quoted
  /** Decides by the token in front whether the form applies. */
  readonly behind?: (previous: Token | undefined) => boolean
}

interface StringRead {
  readonly parts: readonly Part[]
  readonly quoted: Quoted
  readonly end: number
}

/** Reads a string that begins at a place, by the first form that fits. */
export function readString(
  forms: readonly StringForm[],
  source: string,
  at: number,
  previous: Token | undefined,
): StringRead | undefined {
  for (const form of forms) {
    form.open.lastIndex = at
    const opening = form.open.exec(source)
    if (opening === null || form.behind?.(previous) === false) continue
    const { mark, text, code } = opening.groups ?? {}
    const { quoted = 'text', escapes = 'c' } = form
    const end = at + opening[0].length
    if (mark === undefined) {
      return { parts: [code === undefined ? (text ?? opening[0]) : { code }], quoted, end }
    } else {
      const close = form.close?.(opening) ?? pairs[mark] ?? mark
      return between(source, end, { ...form, open: mark, close, escapes, quoted })
    }
  }
  return undefined
}

interface Quotes extends Pick<StringForm, 'code'> {
  /** Opens the same quotes again within them, where it is not what closes them: `q{a{b}c}`. */
  readonly open: string
  readonly close: string
  readonly escapes: Escapes
  readonly quoted: Quoted
}

/** Reads from behind the opening quote to behind the closing one, or to the end where there is none. */
function between(source: string, from: number, { open, close, escapes, code, quoted }: Quotes): StringRead {
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
    if (open !== close) {
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

function escaped(source: string, at: number, escapes: Escapes, close: string): { text: string; end: number } {
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

const pairs: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' }

/** Code behind an opening such as `${`, up to the bracket that closes its last character. */
export const bracedCode =
  (opening: string): Interpolation =>
  (source, at) => {
    if (!source.startsWith(opening, at)) return undefined
    const open = opening.slice(-1)
    const from = at + opening.length
    let depth = 1
    let end = from
    for (; end < source.length; end++) {
      const char = source.charAt(end)
      if (char === open) depth++
      else if (char === pairs[open] && --depth === 0) break
    }
    return { code: source.slice(from, end), end: end + 1 }
  }

/** The first of several ways to put code into a text. */
export const firstOf =
  (...ways: readonly Interpolation[]): Interpolation =>
  (source, at) => {
    for (const way of ways) {
      const found = way(source, at)
      if (found !== undefined) return found
    }
    return undefined
  }

/** A variable by itself, sticky. Its group `name` is what stands for it in code, where that is not all of it. */
export const variableIn =
  (variable: RegExp): Interpolation =>
  (source, at) => {
    variable.lastIndex = at
    const found = variable.exec(source)
    return found === null ? undefined : { code: found.groups?.['name'] ?? found[0], end: at + found[0].length }
  }

/** Holds where nothing stands in front that could be divided: a slash there begins a pattern. */
export function beginsOperand(previous: Token | undefined): boolean {
  if (previous === undefined) return true
  if (previous.kind === 'name')
    return /^(?:return|if|unless|and|or|not|when|while|until|split|grep|typeof|in|of|case|match|x)$/.test(previous.text)
  return previous.kind === 'mark' && !/^[)\]}]$/.test(previous.text)
}

/** `/…/` of JavaScript, ruby, perl and awk. */
export const slashes: StringForm = {
  open: /\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y,
  quoted: 'pattern',
  behind: beginsOperand,
}
