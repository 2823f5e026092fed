import { type CodeCall, type CodeEffect, effects } from '../effects.ts'
import { isMark, isName, type CodeToken } from '../tokens.ts'
import { either, elementOf, hasKind, unknown, type Value } from '../values.ts'
import { bind, canonicalName, isSomeStarter, noteMentions, peek, type Scanner, skip, starterNamed } from './scanner.ts'

interface Arguments {
  readonly values: Value[]
  readonly named: Map<string, Value>
  readonly commas: boolean
}

/**
 * Reads the items in brackets up to the closing one. If an item has several expressions without a comma between them,
 * each of them may be its value.
 */
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

/** Reads the arguments of a call without brackets. */
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

/** Reads the key before an argument or an entry: `key:`, `key =>`, `key=`. */
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

/**
 * Tells whether the language has arrow functions, `x => …`. Only JavaScript does among these, and it alone has `?.`.
 */
export const hasArrows = ({ language }: Scanner): boolean => language.members.includes('?.')

/** Binds the parameter of a callback of a list's method to its elements: `.forEach(f => …)`, `.each { |f| … }`. */
export function bindParameter(scanner: Scanner, list: Value): void {
  if (!hasKind(list, 'list')) return
  let at = scanner.at
  while (isName(scanner.tokens[at], 'async', 'function', 'do') || isMark(scanner.tokens[at], '(', '{', '|')) at++
  const isTakenApart = hasArrows(scanner) && isMark(scanner.tokens[at - 1], '{') && isMark(scanner.tokens[at - 2], '(')
  const element = elementOf(list)
  for (;;) {
    const token = scanner.tokens[at]
    // A name that goes on is no parameter: `.map(child_process.execSync)`.
    if (token?.kind !== 'name' || isMark(scanner.tokens[at + 1], '.', '?.', '::', '(')) return
    const [form] = element
    const value = isTakenApart && form?.kind === 'name' ? canonicalName(scanner, `${form.name}.${token.text}`) : element
    bind(scanner, token.text, either(value, scanner.scope.get(token.text) ?? unknown))
    if (!isTakenApart || !isMark(scanner.tokens[at + 1], ',')) return
    at += 2
  }
}

/** Tells whether a name is called without brackets: the next token on its line can only be an argument. */
export function isBareCall(scanner: Scanner, name: CodeToken): boolean {
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
  // A callback of a promise gets the object itself: `imported.then((fs) => …)`.
  const isThen = callee.some((form) => form.kind === 'name' && form.name.endsWith('.then'))
  const list: Value = isThen && receiver !== undefined ? [{ kind: 'list', items: [receiver] }] : (receiver ?? unknown)
  return applyTo(scanner, callee, receiver, bracketed(scanner, ')', list))
}

export function applyTo(
  scanner: Scanner,
  callee: Value,
  receiver: Value | undefined,
  { values, named }: Pick<Arguments, 'values' | 'named'>,
): Value {
  return callee
    .map((form) => {
      // In PHP, `$f('ls')` calls the function whose name is in `$f`.
      const name = form.kind === 'name' ? form.name : form.kind === 'text' ? form.text : ''
      return callNamed(scanner, name, receiver, values, named)
    })
    .reduce(either, unknown)
}

/** Calls whose result is, or has, what is handed to them: what they are given is judged where it is called. */
const passesOn: ReadonlySet<CodeEffect> = new Set<CodeEffect>([
  effects.returnsFirst,
  effects.applies,
  effects.appliesTo,
])

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
  const call: CodeCall = {
    args: values,
    named,
    language: scanner.code,
    findings,
    environment,
    apply: (callee, args) => applyTo(scanner, callee, undefined, { values: [...args], named: new Map() }),
  }
  const own = tables.calls.get(name)
  if (own === undefined || !passesOn.has(own)) noteMentions(scanner, [...values, ...named.values()])
  if (own !== undefined) return own(call)
  const member = name.slice(name.lastIndexOf('.') + 1)
  const ofAny = receiver === undefined ? undefined : tables.methodsOfAny.get(member)
  if (ofAny !== undefined) return ofAny({ ...call, args: [receiver ?? unknown, ...values] })
  if (isSomeStarter(scanner, name)) findings.script(unknown)
  const starter = values.length === 0 ? undefined : starterNamed(scanner, name)
  if (starter !== undefined) return starter(call)
  const method = tables.methods.get(member)
  if (method === undefined || receiver === undefined || !hasKind(receiver, 'text', 'list', 'leftOut')) return unknown
  return method({ ...call, args: [receiver, ...values] })
}
