import { type CodeLanguage, unknownPart } from '../../../../model/shell.ts'
import { type CodeEffect, isStarter } from '../effects.ts'
import type { CodeEnvironment, Findings } from '../findings.ts'
import type { Language } from '../language.ts'
import { type CodeToken, isName } from '../tokens.ts'
import { either, itemsOf, nameValue, unknown, unknownText, type Value } from '../values.ts'

/** The scanner's state: its position in the code, and what is known there. */
export interface Scanner {
  readonly tokens: readonly CodeToken[]
  readonly code: CodeLanguage
  readonly language: Language
  readonly tables: EffectTables
  readonly findings: Findings
  readonly environment: CodeEnvironment
  /** The values of names bound so far. */
  readonly scope: Map<string, Value>
  /** Values that are bound after their use: parameters by later calls, variables by a loop after its body. */
  readonly later: Map<string, Value>
  /** The parameter names of the functions that the code defines. */
  readonly functions: Map<string, readonly string[]>
  /** The mutually recursive parts of the scanner, and the remaining budget of expressions for one text. */
  readonly parts: ScannerParts
  depth: number
  at: number
}

export interface ScannerParts {
  readonly expression: (scanner: Scanner) => Value
  readonly statement: (scanner: Scanner) => Value
  /** Scans the code interpolated in a text. */
  readonly embedded: (code: string, scanner: Scanner) => Value
  stepsLeft: number
}

/** The effects of calls and of methods, by name. */
export interface EffectTables {
  readonly calls: ReadonlyMap<string, CodeEffect>
  readonly methods: ReadonlyMap<string, CodeEffect>
  readonly methodsOfAny: ReadonlyMap<string, CodeEffect>
  /** Starters of processes by their last name, if nothing else is called so: `execSync`, on whatever object. */
  readonly unmistakable: ReadonlyMap<string, CodeEffect>
  /** The modules and objects that have starters: `os`, `subprocess`. */
  readonly starting: ReadonlySet<string>
}

export const peek = (scanner: Scanner, ahead = 0): CodeToken | undefined => scanner.tokens[scanner.at + ahead]

/** Skips the next token if it is one of these marks or names, and returns whether it was. */
export function skip(scanner: Scanner, ...texts: readonly string[]): boolean {
  const token = peek(scanner)
  if (token === undefined || token.kind === 'string' || !texts.includes(token.text)) return false
  scanner.at++
  return true
}

export const declares = (token: CodeToken | undefined): boolean =>
  isName(token, 'const', 'let', 'var', 'my', 'our', 'local', 'global')

/** Returns a name in the spelling that the tables use. */
export const canonicalName = ({ language }: Scanner, name: string): Value =>
  nameValue(language.canonical?.(name) ?? name)

/** Binds a name to a value, also for uses before the binding. */
export function bind({ scope, later }: Scanner, name: string, value: Value): void {
  scope.set(name, value)
  later.set(name, either(later.get(name) ?? unknown, value))
}

/** Last names of starters that much else is called, too: a pattern's `exec`, an object's `call`. */
const mistakable = /^(?:exec|execute|run|call|spawn|sync|command|pipeline|start|\W*)$/i

const split = (name: string): readonly [owner: string, member: string] => {
  const dot = name.lastIndexOf('.')
  return [name.slice(0, Math.max(0, dot)), name.slice(dot + 1)]
}

/** Finds the starters of processes among a language's calls. */
export function startersIn(calls: ReadonlyMap<string, CodeEffect>): Pick<EffectTables, 'unmistakable' | 'starting'> {
  const unmistakable = new Map<string, CodeEffect>()
  const starting = new Set<string>()
  for (const [name, effect] of calls) {
    const [owner, member] = split(name)
    if (!isStarter(effect) || owner === '') continue
    starting.add(owner)
    if (!mistakable.test(member)) unmistakable.set(member, effect)
  }
  return { unmistakable, starting }
}

/** Returns the effect of a call on an object that is not known, if its name tells that it starts a process. */
export function starterNamed({ tables }: Scanner, name: string): CodeEffect | undefined {
  const [owner, member] = split(name)
  return owner === '' ? undefined : tables.unmistakable.get(member)
}

/** Tells whether some member of a module with starters is called, and it cannot be known which. */
export function isSomeStarter({ tables }: Scanner, name: string): boolean {
  const [owner, member] = split(name)
  return member.includes(unknownPart) && tables.starting.has(owner)
}

/**
 * Records a starter of processes that is handed to other code, which may call it with anything: `map(os.system, list)`.
 */
export function noteMentions({ tables, findings }: Scanner, values: Iterable<Value>): void {
  for (const value of values)
    for (const form of [...value, ...itemsOf(value).flat()])
      if (form.kind === 'name' && form.name.includes('.') && isStarter(tables.calls.get(form.name)))
        findings.script(unknownText)
}
