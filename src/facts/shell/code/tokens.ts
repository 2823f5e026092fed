/** A part of a string literal: literal characters, or interpolated code. */
export type StringPart = string | { readonly code: string }

/** The meaning of a string literal: a text, a shell command, a pattern, or a list of words. */
type Quoted = 'text' | 'command' | 'pattern' | 'words'

export type CodeToken = (
  | { readonly kind: 'name' | 'number' | 'mark'; readonly text: string }
  | { readonly kind: 'string'; readonly text: string; readonly parts: readonly StringPart[]; readonly quoted: Quoted }
) & {
  /** The token is the first of its line. */
  readonly newLine: boolean
  /** White space separates the token from the previous one. */
  readonly apart: boolean
}

/** The place of a token that is made and not read. */
export const near = { newLine: false, apart: false }
export const markOf = (text: string): CodeToken => ({ kind: 'mark', text, ...near })
export const nameOf = (text: string, { newLine, apart } = near): CodeToken => ({ kind: 'name', text, newLine, apart })

export const isMark = (token: CodeToken | undefined, ...marks: readonly string[]): boolean =>
  token?.kind === 'mark' && marks.includes(token.text)
export const isName = (token: CodeToken | undefined, ...names: readonly string[]): boolean =>
  token?.kind === 'name' && (names.length === 0 || names.includes(token.text))

/** The lexical syntax of a language. Regular expressions must be sticky. */
export interface Lexis {
  /** White space and comments. */
  readonly blank: RegExp
  readonly name: RegExp
  /** String literals, in order of precedence: the first form that matches is used. */
  readonly strings: readonly StringForm[]
}

/** The effect of a backslash in quotes: as in C, only before the closing quote or a backslash, or none. */
type Escapes = 'c' | 'quote' | 'none'

/** Finds interpolated code at a position of a string literal, and its end. */
export type Interpolation = (source: string, at: number) => { readonly code: string; readonly end: number } | undefined

/** One kind of string literal of a language. */
interface StringForm {
  /**
   * The opening, as a sticky expression. Its group `mark` is the delimiter. Without that group, the expression matches
   * the whole literal, and the text is its group `text` or `code`, or else the whole match.
   */
  readonly open: RegExp
  /** Returns the closing delimiter, if it is neither the opening one nor its matching bracket. */
  readonly close?: (opening: RegExpExecArray) => string
  readonly escapes?: Escapes
  readonly code?: Interpolation
  readonly quoted?: Quoted
  /** Tells by the previous token whether the form applies. */
  readonly behind?: (previous: CodeToken | undefined) => boolean
}

interface StringRead {
  readonly parts: readonly StringPart[]
  readonly quoted: Quoted
  readonly end: number
}

/** Reads the string literal at a position, by the first form that matches. */
function readString(
  forms: readonly StringForm[],
  source: string,
  at: number,
  previous: CodeToken | undefined,
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
  /** The opening delimiter, which nests unless it is also the closing one: `q{a{b}c}`. */
  readonly open: string
  readonly close: string
  readonly escapes: Escapes
  readonly quoted: Quoted
}

/** Reads from after the opening quote to after the closing one, or to the end of the source if there is none. */
function between(source: string, from: number, { open, close, escapes, code, quoted }: Quotes): StringRead {
  const parts: StringPart[] = []
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

/** Interpolates code after an opening such as `${`, up to the matching bracket of its last character. */
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

/** Combines several interpolations: the first that matches is used. */
export const firstOf =
  (...ways: readonly Interpolation[]): Interpolation =>
  (source, at) => {
    for (const way of ways) {
      const found = way(source, at)
      if (found !== undefined) return found
    }
    return undefined
  }

/** Interpolates a bare variable. `variable` is sticky; its group `name`, if any, is the variable's name in code. */
export const variableIn =
  (variable: RegExp): Interpolation =>
  (source, at) => {
    variable.lastIndex = at
    const found = variable.exec(source)
    return found === null ? undefined : { code: found.groups?.['name'] ?? found[0], end: at + found[0].length }
  }

/** Tells whether an operand begins after the previous token: a slash then begins a pattern, not a division. */
export function beginsOperand(previous: CodeToken | undefined): boolean {
  if (previous === undefined) return true
  if (previous.kind === 'name')
    return /^(?:return|if|unless|and|or|not|when|while|until|split|grep|typeof|in|of|case|match|x)$/.test(previous.text)
  return previous.kind === 'mark' && !/^[)\]}]$/.test(previous.text)
}

/** Regular expression literals of JavaScript, ruby, perl and awk. */
export const slashes: StringForm = {
  open: /\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y,
  quoted: 'pattern',
  behind: beginsOperand,
}

const number = /0[xX][\da-fA-F_]+|0[oObB][0-7_]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?[nLu]?/y
const mark =
  /===|!==|\*\*=|\.\.\.|<=>|\|\|=|&&=|\?\?=|=>|->|::|\?\.|\?\?|==|!=|<=|>=|&&|\|\||\|&|\+=|-=|\*=|\/=|\.=|\.\.|<<|>>|:=|<-|=~|!~|\*\*|&\.|[^\s\w]/y

export function tokensOf(source: string, language: Lexis): readonly CodeToken[] {
  const tokens: CodeToken[] = []
  let at = 0
  const read = (expression: RegExp): string | undefined => {
    expression.lastIndex = at
    const found = expression.exec(source)?.[0]
    if (found === undefined || found === '') return undefined
    at += found.length
    return found
  }
  while (at < source.length) {
    const from = at
    while (read(language.blank) !== undefined);
    if (at >= source.length) break
    const place = { newLine: from === 0 || source.slice(from, at).includes('\n'), apart: at > from }
    const string = readString(language.strings, source, at, tokens.at(-1))
    if (string !== undefined) {
      const { parts, quoted } = string
      tokens.push({ kind: 'string', text: source.charAt(at), parts, quoted, ...place })
      at = Math.max(string.end, at + 1)
      continue
    }
    const name = read(language.name)
    const digits = name === undefined ? read(number) : undefined
    if (name !== undefined) tokens.push({ kind: 'name', text: name, ...place })
    else if (digits !== undefined) tokens.push({ kind: 'number', text: digits, ...place })
    else tokens.push({ kind: 'mark', text: read(mark) ?? source.charAt(at++), ...place })
  }
  return tokens
}
