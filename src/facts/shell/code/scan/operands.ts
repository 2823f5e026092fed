import { unknownPart } from '../../../../model/shell.ts'
import { variableOf } from '../effects.ts'
import { isMark, isName, type StringPart, type CodeToken } from '../tokens.ts'
import {
  combine,
  either,
  elementOf,
  firstText,
  hasKind,
  list,
  nameValue,
  sliced,
  text,
  unknown,
  unknownText,
  type Value,
} from '../values.ts'
import { applyTo, bindParameter, bracketed, callBare, callInBrackets, isBareCall } from './calls.ts'
import { canonicalName, declares, peek, type Scanner } from './scanner.ts'

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
  if (token.kind === 'name') return named(scanner, token)
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

function named(scanner: Scanner, token: CodeToken & { readonly kind: 'name' | 'number' | 'mark' }): Value {
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
