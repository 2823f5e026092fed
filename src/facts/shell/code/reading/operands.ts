import { unknownPart } from '../../../../model/shell.ts'
import { apply, bare, called, isBareCall, items } from './calls.ts'
import { blockParameters } from './loops.ts'
import { isMark, isName, peek, whole, type Reader } from './state.ts'
import type { Part, Token } from '../tokens.ts'
import {
  combine,
  either,
  elementOf,
  list,
  listsOf,
  named,
  text,
  textsOf,
  unknown,
  unknownText,
  type Value,
} from '../value.ts'

export function operand(reader: Reader): Value {
  reader.read.left--
  let value = primary(reader)
  for (;;) {
    const token = peek(reader)
    const { language } = reader
    if (token === undefined) return value
    if (value.kind === 'list' && beginsBlock(reader, token)) {
      blockParameters(reader, value)
      return unknown
    }
    if (
      isMark(token, ...language.members) &&
      peek(reader, 1)?.kind === 'name' &&
      !(isMark(token, '.') && language.concat.includes('.'))
    ) {
      const member = peek(reader, 1)?.text ?? ''
      reader.at += 2
      value = memberOf(reader, value, member)
    } else if (isMark(token, ...language.members) && isMark(peek(reader, 1), '(', '[', '{')) reader.at++
    else if (isMark(token, '(') && !(token.newLine && language.lines === true)) value = called(reader, value, undefined)
    else if (isMark(token, '[') && !token.newLine && !(token.apart && language.bareCalls === true)) {
      reader.at++
      const [key = unknown] = items(reader, ']').values
      value = indexed(reader, value, key)
    } else if (isMark(token, '{') && language.braceIndex === true && !token.apart) {
      reader.at++
      const inside = peek(reader)
      const key = inside?.kind === 'name' && isMark(peek(reader, 1), '}') ? text(inside.text) : undefined
      const [inner = unknown] = items(reader, '}').values
      value = indexed(reader, value, key ?? inner)
    } else if (token.kind === 'string' && language.textCalls === true && value.kind === 'name') {
      value = apply(reader, value, undefined, [stringValue(reader)], new Map())
    } else if (
      token.kind === 'string' &&
      token.text === '`' &&
      value.kind === 'name' &&
      /^(?:Bun\.)?\$$/.test(value.name)
    ) {
      reader.found.script(stringValue(reader))
      value = unknownText
    } else if (
      language.adjacentTexts === true &&
      token.kind === 'string' &&
      value.kind === 'text' &&
      reader.tokens[reader.at - 1]?.kind === 'string'
    ) {
      value = combine(value, stringValue(reader), (one, other) => one + other)
    } else return value
  }
}

/** `Dir.glob('*') { |f| … }`: what is given to a call goes through what it gives. */
const beginsBlock = ({ language, tokens, at }: Reader, token: Token): boolean =>
  language.bareCalls === true &&
  (isMark(token, '{') || isName(token, 'do')) &&
  !token.newLine &&
  isMark(tokens[at + 1], '|')

function primary(reader: Reader): Value {
  const { language, scope } = reader
  const token = peek(reader)
  if (token === undefined) return unknown
  if (token.kind === 'string') return stringValue(reader)
  if (token.kind === 'number') {
    reader.at++
    return { kind: 'number', number: Number(token.text.replaceAll(/[_nLu]/g, '').replace(/^0(?=\d)/, '0o')) }
  }
  if (token.kind === 'mark') {
    reader.at++
    if (token.text === '(') {
      const { values, commas } = items(reader, ')')
      return values.length === 1 && !commas ? (values[0] ?? unknown) : list(values)
    }
    if (token.text === '[') return list(items(reader, ']').values)
    if (token.text === '{') {
      const { values, named: entries } = items(reader, '}')
      return entries.size > 0 || values.length === 0 ? { kind: 'map', entries } : list(values)
    }
    // Signs in front of an operand; whatever else begins none is left to the statement.
    if (sign.test(token.text)) {
      while (peek(reader)?.kind === 'mark' && sign.test(peek(reader)?.text ?? '')) reader.at++
      return operand(reader)
    }
    reader.at--
    if (/^[)\]},;:]$/.test(token.text)) return unknown
    reader.at++
    return unknown
  }
  reader.at++
  const next = peek(reader)
  if (
    language.prefixes.has(token.text) &&
    !isMark(next, '(', '.', '=', ',', ')') &&
    !(language.lines === true && next?.newLine === true)
  )
    return reader.read.expression(reader)
  const bound = scope.get(token.text) ?? constantOf(reader, token.text)
  const value = bound ?? named(whole(language, language.names[token.text] ?? token.text))
  if (language.bareCalls === true && isBareCall(reader, token, bound)) return bare(reader, value, undefined)
  return value
}

function stringValue(reader: Reader): Value {
  const token = peek(reader)
  reader.at++
  if (token?.kind !== 'string') return unknown
  const { found } = reader
  const part = (one: Part): Value => (typeof one === 'string' ? text(one) : reader.read.inner(one.code, reader))
  const value = token.parts.map(part).reduce((left, right) => combine(left, right, (one, other) => one + other))
  switch (token.quoted) {
    case 'command':
      found.script(value)
      return unknownText
    case 'pattern':
      return unknown
    case 'words':
      return list(
        (textsOf(value)[0] ?? '')
          .split(/\s+/)
          .filter((one) => one !== '')
          .map((one) => text(one)),
      )
    case 'text':
      return value.kind === 'text' ? text(...value.texts) : unknownText
  }
}

function constantOf({ language, around }: Reader, name: string): Value | undefined {
  return language.constants(name, around)
}

function indexed({ language, around }: Reader, value: Value, key: Value): Value {
  if (value.kind === 'name') {
    const known = language.index(value.name, key, around)
    if (known !== undefined) return known
    const [member] = textsOf(key)
    return key.kind === 'text' && member !== undefined && !member.includes(unknownPart)
      ? named(whole(language, `${value.name}.${member}`))
      : unknown
  }
  if (value.kind === 'list') {
    if (key.kind !== 'number') return elementOf(value)
    return listsOf(value)
      .map((all) => all[key.number < 0 ? all.length + key.number : key.number] ?? unknown)
      .reduce(either)
  }
  if (value.kind === 'map') return value.entries.get(textsOf(key)[0] ?? '') ?? unknown
  return value.kind === 'text' && value.texts.some((one) => one.includes(unknownPart)) ? unknownText : unknown
}

/** `value.member`, called or not. */
function memberOf(reader: Reader, value: Value, member: string): Value {
  const { language } = reader
  const next = peek(reader)
  const callee = value.kind === 'name' ? named(whole(language, `${value.name}.${member}`)) : named(`?.${member}`)
  if (isMark(next, '(') && !(next?.newLine === true && language.lines === true)) return called(reader, callee, value)
  const isBlock = language.bareCalls === true && (isMark(next, '{') || isName(next, 'do')) && next?.newLine === false
  if (isBlock) {
    blockParameters(reader, value)
    return unknown
  }
  if (value.kind === 'map' && value.entries.has(member)) return value.entries.get(member) ?? unknown
  if (language.bareCalls === true && callee.kind === 'name') {
    const token = reader.tokens[reader.at - 1]
    if (token !== undefined && isBareCall(reader, token, undefined)) return bare(reader, callee, value)
    const isAssigned = isMark(next, '=')
    if (!isAssigned && !(next?.kind === 'string' && language.textCalls === true)) {
      const known = constantOf(reader, callee.name)
      if (known !== undefined) return known
      if (
        language.calls[callee.name] !== undefined ||
        (value.kind !== 'name' && language.methods[member] !== undefined)
      )
        return apply(reader, callee, value, [], new Map())
    }
  }
  const known = callee.kind === 'name' ? constantOf(reader, callee.name) : undefined
  if (known !== undefined) return known
  if (value.kind === 'name') return callee
  const property = language.methods[`.${member}`]
  if (property !== undefined) return apply(reader, named(`?..${member}`), value, [], new Map())
  return isMark(next, '[', '?.') || next?.kind === 'string' ? callee : value.kind === 'text' ? unknownText : unknown
}

/** What may stand in front of an operand. */
const sign = /^(?:[-+!*&\\~@]|\.\.\.|\*\*|::|->)$/
