import { type CodeCall, type CodeEffect, effects, variableOf } from '../effects.ts'
import { type CodeToken, isMark, isName, type StringPart } from '../tokens.ts'
import {
  combine,
  either,
  elementOf,
  firstText,
  hasKind,
  list,
  madeOf,
  nameValue,
  sliced,
  text,
  unknown,
  unknownText,
  type Value,
} from '../values.ts'
import {
  bind,
  canonicalName,
  declares,
  isSomeStarter,
  noteMentions,
  peek,
  type Scanner,
  skip,
  starterNamed,
} from './scanner.ts'
import { unknownPart } from '../../../../model/shell.ts'

interface Arguments {
  readonly values: Value[]
  readonly named: Map<string, Value>
  readonly commas: boolean
}

/**
 * Reads the items in brackets up to the closing one. If an item has several expressions without a comma between them,
 * each of them may be its value.
 */
function bracketed(scanner: Scanner, close: string, receiver: Value = unknown): Arguments {
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
function bindParameter(scanner: Scanner, elements: Value): void {
  if (!hasKind(elements, 'list')) return
  let at = scanner.at
  while (isName(scanner.tokens[at], 'async', 'function', 'do') || isMark(scanner.tokens[at], '(', '{', '|')) at++
  const isTakenApart = hasArrows(scanner) && isMark(scanner.tokens[at - 1], '{') && isMark(scanner.tokens[at - 2], '(')
  const element = elementOf(elements)
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
function isBareCall(scanner: Scanner, name: CodeToken): boolean {
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

const callBare = (scanner: Scanner, callee: Value, receiver?: Value): Value =>
  applyTo(scanner, callee, receiver, bareArguments(scanner))

function callInBrackets(scanner: Scanner, callee: Value, receiver?: Value): Value {
  scanner.at++
  // A callback of a promise gets the object itself: `imported.then((fs) => …)`.
  const isThen = callee.some((form) => form.kind === 'name' && form.name.endsWith('.then'))
  const elements: Value =
    isThen && receiver !== undefined ? [{ kind: 'list', items: [receiver] }] : (receiver ?? unknown)
  return applyTo(scanner, callee, receiver, bracketed(scanner, ')', elements))
}

function applyTo(
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

/** Calls whose result does not tell what they were given. */
const oneWay =
  /hash|hmac|digest|sha\d|md5|blake|sign|encrypt|cipher|pbkdf|scrypt|bcrypt|argon|derive|^(?:len|size|count|bool|is[A-Z_]\w*)$/i

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
  if (method === undefined || receiver === undefined || !hasKind(receiver, 'text', 'list', 'leftOut'))
    return oneWay.test(member) ? unknown : madeOf([...values, ...named.values(), receiver ?? unknown])
  return method({ ...call, args: [receiver, ...values] })
}

/** Reads an operand: a primary expression with the member accesses, calls and indices after it. */
export function operand(scanner: Scanner): Value {
  scanner.parts.stepsLeft--
  const { language } = scanner
  let value = primary(scanner)
  for (;;) {
    const token = peek(scanner)
    if (token === undefined) return value
    const startsLine = token.newLine && language.lines === true
    const isMember = isMark(token, ...language.members) && !(language.concat.includes('.') && token.text === '.')
    if (isMember && peek(scanner, 1)?.kind === 'name') value = memberOf(scanner, value)
    else if (isMember && isMark(peek(scanner, 1), '(', '[', '{')) scanner.at++
    else if (isMark(token, '(') && !startsLine) value = callInBrackets(scanner, value)
    else if (isMark(token, '[') && !token.newLine && !(token.apart && language.bareCalls === 'any')) {
      scanner.at++
      const isSlice = peek(scanner)?.kind === 'number' && isMark(peek(scanner, 1), ':') && isMark(peek(scanner, 2), ']')
      const key = bracketed(scanner, ']').values[0] ?? unknown
      value = isSlice ? sliced(value, key) : indexed(scanner, value, key)
    } else if (isMark(token, '{') && language.braceIndex === true && !token.apart) {
      scanner.at++
      const key = peek(scanner)
      const isWord = key?.kind === 'name' && isMark(peek(scanner, 1), '}') && /^\w/.test(key.text)
      const inside = bracketed(scanner, '}').values[0] ?? unknown
      value = indexed(scanner, value, isWord ? text(key.text) : inside)
    } else if (beginsBlock(scanner, token)) {
      bindParameter(scanner, value)
      return unknown
    } else if (token.kind === 'string' && continuesText(scanner, value)) {
      value = combine(value, stringValue(scanner, token), (one, other) => one + other)
    } else return value
  }
}

/** Tells whether a Ruby block begins: `list.each { |f|`, `list.each do |f|`. */
const beginsBlock = (scanner: Scanner, token: CodeToken): boolean =>
  scanner.language.bareCalls === 'any' &&
  !token.newLine &&
  (isMark(token, '{') || isName(token, 'do')) &&
  isMark(peek(scanner, 1), '|')

const continuesText = ({ language, tokens, at }: Scanner, value: Value): boolean =>
  language.adjacentTexts === true && hasKind(value, 'text') && tokens[at - 1]?.kind === 'string'

function primary(scanner: Scanner): Value {
  const token = peek(scanner)
  if (token === undefined) return unknown
  if (token.kind === 'string') return stringValue(scanner, token)
  if (token.kind === 'name') return valueOfName(scanner, token)
  if (isMark(token, ')', ']', '}', ',', ';', ':')) return unknown
  scanner.at++
  if (token.kind === 'number') {
    const digits = token.text.replaceAll(/[_nLu]/g, '').replace(/^0(?=\d)/, '0o')
    return [{ kind: 'number', number: Number(digits) }]
  }
  switch (token.text) {
    case '(': {
      const { values, commas } = bracketed(scanner, ')')
      return values.length === 1 && !commas ? (values[0] ?? unknown) : list(values)
    }
    case '[':
      return list(bracketed(scanner, ']').values)
    case '{': {
      const { values, named: entries } = bracketed(scanner, '}')
      return entries.size > 0 || values.length === 0 ? [{ kind: 'map', entries }] : list(values)
    }
    default:
      while (isMark(token, ...signs) && isMark(peek(scanner), ...signs)) scanner.at++
      return isMark(token, ...signs) ? operand(scanner) : unknown
  }
}

const signs = ['-', '+', '!', '*', '&', '\\', '~', '@', '...', '**', '::', '->']
const prefixes = new Set(['await', 'new', 'not', 'typeof', 'void', 'yield', 'return', 'function', 'async', 'lambda'])

function valueOfName(scanner: Scanner, token: CodeToken & { readonly kind: 'name' | 'number' | 'mark' }): Value {
  scanner.at++
  const next = peek(scanner)
  const isPrefix = declares(token) || prefixes.has(token.text)
  if (isPrefix && next !== undefined && next.kind !== 'mark' && !(next.newLine && scanner.language.lines === true))
    return operand(scanner)
  const known = scanner.scope.get(token.text)
  if (known !== undefined) return known
  const callee = canonicalName(scanner, token.text)
  if (isBareCall(scanner, token)) return callBare(scanner, callee)
  const isKnown = scanner.tables.calls.has(firstName(callee))
  const { topic } = scanner.language
  const isOfTopic =
    topic?.calls.test(firstName(callee)) === true && (next?.kind !== 'mark' || isMark(next, ';', '}', ')'))
  if (isKnown && topic !== undefined && isOfTopic) {
    const value = scanner.later.get(topic.name) ?? unknownText
    return applyTo(scanner, callee, undefined, { values: [value], named: new Map() })
  }
  return (isKnown ? undefined : scanner.later.get(token.text)) ?? constantOf(scanner, callee) ?? callee
}

const firstName = ([form]: Value): string => (form?.kind === 'name' ? form.name : '')

function stringValue(scanner: Scanner, token: CodeToken & { readonly kind: 'string' }): Value {
  scanner.at++
  const valueOf = (part: StringPart): Value =>
    typeof part === 'string' ? text(part) : scanner.parts.embedded(part.code, scanner)
  const value = token.parts.map(valueOf).reduce((left, right) => combine(left, right, (one, other) => one + other))
  switch (token.quoted) {
    case 'command':
      scanner.findings.script(value)
      return unknownText
    case 'pattern':
      return unknown
    case 'words':
      return list(
        firstText(value)
          .split(/\s+/)
          .filter((one) => one !== '')
          .map(text),
      )
    case 'text':
      return token.parts.length > 1 || hasKind(value, 'text', 'leftOut') ? value : unknownText
  }
}

function constantOf({ language, environment }: Scanner, callee: Value): Value | undefined {
  const name = firstName(callee)
  const { parameters } = language
  if (parameters !== undefined && name === parameters.name) {
    const before = Array.from({ length: parameters.skips }, () => unknownText)
    return list([...before, ...(environment.parameters ?? []).map(({ value }) => text(value))])
  }
  return language.constants?.[name]
}

const isEnvironment = ({ language }: Scanner, name: string): boolean =>
  language.environment?.split(' ').includes(name) === true

function indexed(scanner: Scanner, value: Value, key: Value): Value {
  return value.reduce<Value>((found, form) => {
    if (form.kind === 'name') return either(found, indexedName(scanner, form.name, key))
    if (form.kind === 'map') return either(found, form.entries.get(firstText(key)) ?? unknown)
    if (form.kind !== 'list') return found
    const [at] = key
    if (at?.kind !== 'number') return either(found, elementOf([form]))
    return either(found, form.items[at.number < 0 ? form.items.length + at.number : at.number] ?? unknown)
  }, unknown)
}

function indexedName(scanner: Scanner, name: string, key: Value): Value {
  const { environment } = scanner
  if (isEnvironment(scanner, name)) return variableOf(key, environment)
  const member = firstText(key)
  if (hasKind(key, 'text') && !member.includes(unknownPart)) return canonicalName(scanner, `${name}.${member}`)
  return scanner.tables.starting.has(name) ? nameValue(`${name}.${unknownPart}`) : unknown
}

/** Reads `value.member`, whether it is called or not. */
function memberOf(scanner: Scanner, value: Value): Value {
  const { language, environment, tables } = scanner
  const member = peek(scanner, 1)
  scanner.at += 2
  if (member?.kind !== 'name') return unknown
  const next = peek(scanner)
  const owner = firstName(value)
  const callee = owner === '' ? nameValue(`?.${member.text}`) : canonicalName(scanner, `${owner}.${member.text}`)
  if (isMark(next, '(') && !(next?.newLine === true && language.lines === true))
    return callInBrackets(scanner, callee, value)
  if (owner !== '' && isEnvironment(scanner, owner)) return variableOf(text(member.text), environment)
  const entry = value.flatMap((form) => (form.kind === 'map' ? (form.entries.get(member.text) ?? []) : []))
  if (entry.length > 0) return entry
  if (language.bareCalls !== undefined) {
    if (isBareCall(scanner, member)) return callBare(scanner, callee, value)
    const isMethod = tables.methods.has(member.text) || tables.methodsOfAny.has(member.text)
    const isCall = tables.calls.has(firstName(callee)) || (owner === '' && isMethod)
    if (language.bareCalls === 'any' && isCall && !isMark(next, '='))
      return applyTo(scanner, callee, value, { values: [], named: new Map() })
  }
  return constantOf(scanner, callee) ?? (owner === '' ? unknown : callee)
}
