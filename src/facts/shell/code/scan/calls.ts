import type { Call } from '../effects.ts'
import type { Token } from '../token.ts'
import { either, elementOf, hasKind, unknown, type Value } from '../values.ts'
import { bind, isMark, isName, peek, type Scanner, skip } from './scanner.ts'

export interface Arguments {
  readonly values: Value[]
  readonly named: Map<string, Value>
  readonly commas: boolean
}

/** Reads what stands in brackets, up to their end. Expressions of one item that no comma parts may each be its value. */
export function bracketed(scanner: Scanner, close: string, receiver: Value = unknown): Arguments {
  const values: Value[] = []
  const named = new Map<string, Value>()
  let commas = false
  let isFirst = true
  while (scanner.at < scanner.tokens.length && !skip(scanner, close)) {
    if (skip(scanner, ',')) {
      commas = true
      isFirst = true
      continue
    }
    if (skip(scanner, ';', ')', ']', '}')) continue
    const start = scanner.at
    bindParameter(scanner, receiver)
    const key = keyOf(scanner)
    const isBlock = (close === '}' && key === undefined) || isName(peek(scanner), 'for', 'foreach')
    const value = isBlock ? scanner.parts.statement(scanner) : scanner.parts.expression(scanner)
    if (key !== undefined) named.set(key, value)
    else if (isFirst) values.push(value)
    else values.push(either(values.pop() ?? unknown, value))
    isFirst = false
    if (scanner.at === start) scanner.at++
  }
  return { values, named, commas }
}

/** The arguments of a call without brackets. */
function bareArguments(scanner: Scanner): Arguments {
  const values: Value[] = []
  const named = new Map<string, Value>()
  do {
    const key = keyOf(scanner)
    const value = scanner.parts.expression(scanner)
    if (key === undefined) values.push(value)
    else named.set(key, value)
  } while (skip(scanner, ',', '=>'))
  return { values, named, commas: false }
}

/** `key:`, `key =>`, `key=` in front of an argument or an entry. */
function keyOf(scanner: Scanner): string | undefined {
  const token = peek(scanner)
  const next = peek(scanner, 1)
  if (token === undefined || token.kind === 'mark' || token.kind === 'number') return undefined
  const [only] = token.kind === 'string' && token.parts.length === 1 ? token.parts : []
  const name = token.kind === 'name' ? token.text : typeof only === 'string' ? only : undefined
  const isKey =
    (isMark(next, '=>') && !(token.kind === 'name' && hasArrows(scanner))) ||
    (isMark(next, ':') && !isMark(peek(scanner, 2), ':')) ||
    (isMark(next, '=') && token.kind === 'name')
  if (name === undefined || !isKey) return undefined
  scanner.at += 2
  return name
}

/** `x => …` of JavaScript, which no other language here writes. */
export const hasArrows = ({ language }: Scanner): boolean => language.members.includes('?.')

/** A function that a method of a list is given goes through it: `.forEach(f => …)`, `.each { |f| … }`. */
export function bindParameter(scanner: Scanner, list: Value): void {
  if (!hasKind(list, 'list')) return
  let at = scanner.at
  while (isName(scanner.tokens[at], 'async', 'function', 'do') || isMark(scanner.tokens[at], '(', '{', '|')) at++
  const token = scanner.tokens[at]
  if (token?.kind === 'name')
    bind(scanner, token.text, either(elementOf(list), scanner.scope.get(token.text) ?? unknown))
}

/** A name and, on the same line, what can only be its first argument. */
export function isBareCall(scanner: Scanner, name: Token): boolean {
  const { language, tokens, at, scope } = scanner
  const next = tokens[at]
  if (language.bareCalls === undefined || next === undefined) return false
  if (scope.has(name.text) || (next.newLine && language.lines === true)) return false
  if (language.bareCalls !== 'any') return next.kind === 'string' && language.bareCalls.test(next.text)
  if (/^[$@%&]/.test(name.text)) return false
  if (next.kind === 'string' || next.kind === 'number') return true
  if (next.kind === 'name') return !notArguments.test(next.text)
  return next.apart && isMark(next, '[', '\\', '::', '*')
}

const notArguments = /^(?:if|unless|while|until|and|or|not|do|then|for|foreach|x|eq|ne|in|rescue|end|lt|gt|cmp)$/

export const callBare = (scanner: Scanner, callee: Value, receiver?: Value): Value =>
  applyTo(scanner, callee, receiver, bareArguments(scanner))

export function callInBrackets(scanner: Scanner, callee: Value, receiver?: Value): Value {
  scanner.at++
  return applyTo(scanner, callee, receiver, bracketed(scanner, ')', receiver))
}

export function applyTo(
  scanner: Scanner,
  callee: Value,
  receiver: Value | undefined,
  { values, named }: Pick<Arguments, 'values' | 'named'>,
): Value {
  return callee
    .map((form) => {
      // `$f('ls')` of php calls the function of that name.
      const name = form.kind === 'name' ? form.name : form.kind === 'text' ? form.text : ''
      return callNamed(scanner, name, receiver, values, named)
    })
    .reduce(either, unknown)
}

function callNamed(
  scanner: Scanner,
  name: string,
  receiver: Value | undefined,
  values: readonly Value[],
  named: ReadonlyMap<string, Value>,
): Value {
  const { tables, findings, environment, functions } = scanner
  for (const [place, parameter] of functions.get(name)?.entries() ?? []) {
    const value = values[place] ?? named.get(parameter)
    if (value !== undefined) bind(scanner, parameter, either(scanner.later.get(parameter) ?? unknown, value))
  }
  const call: Call = {
    args: values,
    named,
    language: scanner.code,
    findings,
    environment,
    apply: (callee, args) => applyTo(scanner, callee, undefined, { values: [...args], named: new Map() }),
  }
  const own = tables.calls.get(name)
  if (own !== undefined) return own(call)
  const method = tables.methods.get(name.slice(name.lastIndexOf('.') + 1))
  if (method === undefined || receiver === undefined || !hasKind(receiver, 'text', 'list', 'leftOut')) return unknown
  return method({ ...call, args: [receiver, ...values] })
}
