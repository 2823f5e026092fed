import type { CodeLanguage } from '../../../../model/shell.ts'
import type { Effect } from '../effects.ts'
import type { CodeEnvironment } from '../environment.ts'
import type { Findings } from '../findings.ts'
import type { Language } from '../language.ts'
import type { Token } from '../token.ts'
import { either, nameValue, unknown, type Value } from '../values.ts'

/** A place in code, and all that is known there. */
export interface Scanner {
  readonly tokens: readonly Token[]
  readonly code: CodeLanguage
  readonly language: Language
  readonly tables: EffectTables
  readonly findings: Findings
  readonly environment: CodeEnvironment
  /** The values of the names so far. */
  readonly scope: Map<string, Value>
  /** Values that stand behind their use: a parameter's in the calls, a variable's in the loop behind a body. */
  readonly later: Map<string, Value>
  /** The parameters of the functions that the code defines. */
  readonly functions: Map<string, readonly string[]>
  /** The parts of the scanner that call each other, and the number of expressions that are left to one text. */
  readonly parts: ScannerParts
  depth: number
  at: number
}

export interface ScannerParts {
  readonly expression: (scanner: Scanner) => Value
  readonly statement: (scanner: Scanner) => Value
  /** Scans code within a text. */
  readonly embedded: (code: string, scanner: Scanner) => Value
  stepsLeft: number
}

/** Effects by the names of calls and of methods. */
export interface EffectTables {
  readonly calls: ReadonlyMap<string, Effect>
  readonly methods: ReadonlyMap<string, Effect>
}

export const peek = (scanner: Scanner, ahead = 0): Token | undefined => scanner.tokens[scanner.at + ahead]
export const isMark = (token: Token | undefined, ...marks: readonly string[]): boolean =>
  token?.kind === 'mark' && marks.includes(token.text)
export const isName = (token: Token | undefined, ...names: readonly string[]): boolean =>
  token?.kind === 'name' && (names.length === 0 || names.includes(token.text))

/** Moves behind a mark or a name if it is next. */
export function skip(scanner: Scanner, ...texts: readonly string[]): boolean {
  const token = peek(scanner)
  if (token === undefined || token.kind === 'string' || !texts.includes(token.text)) return false
  scanner.at++
  return true
}

export const declares = (token: Token | undefined): boolean =>
  isName(token, 'const', 'let', 'var', 'my', 'our', 'local', 'global')

/** A name as the tables have it. */
export const canonicalName = ({ language }: Scanner, name: string): Value =>
  nameValue(language.canonical?.(name) ?? name)

/** Gives a name a value that may stand behind its use as well. */
export function bind({ scope, later }: Scanner, name: string, value: Value): void {
  scope.set(name, value)
  later.set(name, either(later.get(name) ?? unknown, value))
}
