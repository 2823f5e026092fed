import type { Found } from '../found.ts'
import type { Language } from '../language.ts'
import type { CodeSurroundings } from '../recognised.ts'
import type { Token } from '../tokens.ts'
import type { Value } from '../value.ts'

/** Where a reader of code stands. */
export interface Reader {
  readonly tokens: readonly Token[]
  readonly language: Language
  readonly found: Found
  readonly around: CodeSurroundings
  /** What the names stand for so far. */
  readonly scope: Map<string, Value>
  readonly read: Reading
  depth: number
  at: number
}

/** The parts of the reader that all others lead back to, and what is left of the work that one text may make. */
export interface Reading {
  readonly expression: (reader: Reader) => Value
  readonly statement: (reader: Reader) => Value
  /** Code within a text. */
  readonly inner: (code: string, reader: Reader) => Value
  left: number
}

export const peek = (reader: Reader, ahead = 0): Token | undefined => reader.tokens[reader.at + ahead]
export const isMark = (token: Token | undefined, ...marks: readonly string[]): boolean =>
  token?.kind === 'mark' && marks.includes(token.text)
export const isName = (token: Token | undefined, ...names: readonly string[]): boolean =>
  token?.kind === 'name' && (names.length === 0 || names.includes(token.text))

/** A name without what its language lets stand in front of it. */
export const whole = (language: Language, name: string): string => language.canonical?.(name) ?? name

/** Words in front of a name that is declared. */
export const declares = (token: Token | undefined): boolean =>
  isName(token, 'const', 'let', 'var', 'my', 'our', 'local', 'global')
