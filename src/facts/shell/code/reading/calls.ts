import { comprehension, loop, parameters } from './loops.ts'
import { isMark, isName, peek, type Reader } from './state.ts'
import type { Token } from '../tokens.ts'
import type { Call } from '../language.ts'
import { named, unknown, type Value } from '../value.ts'

/** A name and, on the same line and apart from it, what can only be its first argument. */
export function isBareCall({ tokens, at, language }: Reader, name: Token, bound: Value | undefined): boolean {
  const next = tokens[at]
  if (next === undefined || bound !== undefined || language.variable?.test(name.text) === true) return false
  if (next.newLine && language.lines === true) return false
  if (next.kind === 'string' || next.kind === 'number') return true
  if (next.kind === 'name')
    return !/^(?:if|unless|while|until|and|or|not|do|then|for|foreach|x|eq|ne|in|rescue|end|lt|gt|cmp)$/.test(next.text)
  return (isMark(next, '[') && next.apart) || (isMark(next, '\\', '::') && next.apart)
}

export function bare(reader: Reader, callee: Value, receiver: Value | undefined): Value {
  const args: Value[] = []
  const given = new Map<string, Value>()
  for (;;) {
    const key = keyOf(reader)
    const value = reader.read.expression(reader)
    if (key === undefined) args.push(value)
    else given.set(key, value)
    if (!isMark(peek(reader), ',', '=>')) break
    reader.at++
  }
  return apply(reader, callee, receiver, args, given)
}

/** `key:`, `key =>`, `key=` in front of an argument or an entry. */
function keyOf(reader: Reader): string | undefined {
  const token = peek(reader)
  const next = peek(reader, 1)
  if (token === undefined || token.kind === 'mark' || token.kind === 'number') return undefined
  const [only] = token.kind === 'string' && token.parts.length === 1 ? token.parts : []
  const name = token.kind === 'name' ? token.text : typeof only === 'string' ? only : undefined
  if (name === undefined) return undefined
  if (isMark(next, '=>') && !(token.kind === 'name' && isArrow(reader))) {
    reader.at += 2
    return name
  }
  if ((isMark(next, ':') && !isMark(peek(reader, 2), ':')) || (isMark(next, '=') && token.kind === 'name')) {
    reader.at += 2
    return name
  }
  return undefined
}

/** `x => …` of JavaScript, which no other language here writes. */
const isArrow = ({ language }: Reader): boolean => language.members.includes('?.')

/** What stands in brackets, up to their end: values and entries. What is no expression is passed over. */
export function items(
  reader: Reader,
  close: string,
  receiver?: Value,
): { values: Value[]; named: Map<string, Value>; commas: boolean } {
  const values: Value[] = []
  const entries = new Map<string, Value>()
  let commas = false
  comprehension(reader)
  while (reader.at < reader.tokens.length) {
    const token = peek(reader)
    if (isMark(token, close)) {
      reader.at++
      break
    }
    if (isMark(token, ',')) {
      commas = true
      reader.at++
      continue
    }
    if (isMark(token, ';', ')', ']', '}')) {
      reader.at++
      continue
    }
    const start = reader.at
    if (receiver !== undefined) parameters(reader, receiver)
    const key = keyOf(reader)
    const isFirst = start === 0 || isMark(reader.tokens[start - 1], ',', '(', '[', '{')
    const value =
      close === '}' && key === undefined
        ? reader.read.statement(reader)
        : isName(peek(reader), 'for', 'foreach')
          ? (loop(reader), unknown)
          : reader.read.expression(reader)
    if (key !== undefined) entries.set(key, value)
    else if (isFirst) values.push(value)
    if (reader.at === start) reader.at++
  }
  return { values, named: entries, commas }
}

export function called(reader: Reader, callee: Value, receiver: Value | undefined): Value {
  reader.at++
  const source = receiver ?? (callee.kind === 'name' ? undefined : callee)
  const { values, named: given } = items(reader, ')', source)
  return apply(reader, callee, receiver, values, given)
}

export function apply(
  reader: Reader,
  callee: Value,
  receiver: Value | undefined,
  args: readonly Value[],
  given: ReadonlyMap<string, Value>,
): Value {
  const { language, found, around } = reader
  if (callee.kind !== 'name')
    return callee.kind === 'text' && callee.texts.length === 1
      ? apply(reader, named(callee.texts[0] ?? ''), undefined, args, given)
      : unknown
  const call: Call = {
    args,
    named: given,
    found,
    around,
    ...(receiver !== undefined && receiver.kind !== 'name' && { receiver }),
    arg: (at, ...names) => args[at] ?? names.map((name) => given.get(name)).find((one) => one !== undefined),
  }
  const own = language.calls[callee.name]
  if (own !== undefined && Object.hasOwn(language.calls, callee.name)) return own(call) ?? unknown
  const member = callee.name.slice(callee.name.lastIndexOf('.', callee.name.length - 2) + 1)
  const isMember = callee.name.includes('.')
  const method = isMember && Object.hasOwn(language.methods, member) ? language.methods[member] : undefined
  return method?.(call) ?? unknown
}
