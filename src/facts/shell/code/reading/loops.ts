import { codeLimits } from '../../../../model/limits.ts'
import { newFound } from '../found.ts'
import { bracketsOf } from './brackets.ts'
import { declares, isMark, isName, peek, whole, type Reader } from './state.ts'
import { elementOf, named, unknown, type Value } from '../value.ts'

/** What goes through a list: the variable may be any of its elements. */
export function loop(reader: Reader): void {
  const perl = reader.language.braceIndex === true
  reader.at++
  if (isName(peek(reader), 'await', 'each')) reader.at++
  const parens = isMark(peek(reader), '(')
  const start = reader.at
  if (parens) reader.at++
  while (declares(peek(reader))) reader.at++
  const names: string[] = []
  while (peek(reader)?.kind === 'name' && !isName(peek(reader), 'in', 'of', 'as')) {
    // Perl's variables have a sign: any other name is the list itself.
    if (perl && !/^[$@%]/.test(peek(reader)?.text ?? '')) break
    names.push(peek(reader)?.text ?? '')
    reader.at++
    if (!isMark(peek(reader), ',')) break
    reader.at++
  }
  if (isName(peek(reader), 'in', 'of') && names.length > 0) {
    reader.at++
    bind(reader, names, reader.read.expression(reader))
    return
  }
  if (perl) {
    if (names.length > 0 && isMark(peek(reader), '(') && !parens) {
      bind(reader, names.slice(0, 1), reader.read.expression(reader))
      return
    }
    reader.at = start
    const value = reader.read.expression(reader)
    if (value.kind === 'list' || value.kind === 'text') bind(reader, ['$_'], value)
    return
  }
  reader.at = start
  if (!parens) return
  reader.at++
  const value = reader.read.expression(reader)
  if (!isName(peek(reader), 'as')) return
  reader.at++
  const variable = peek(reader)?.text ?? ''
  reader.at++
  if (isMark(peek(reader), '=>')) {
    bind(reader, [peek(reader, 1)?.text ?? ''], value)
    reader.at += 2
  } else bind(reader, [variable], value)
}

function bind({ scope }: Reader, names: readonly string[], value: Value): void {
  const element = elementOf(value)
  const parts = names.length > 1 && element.kind === 'list' ? element.items : undefined
  for (const [at, name] of names.entries()) scope.set(name, parts === undefined ? element : (parts[at] ?? unknown))
}

/** `[f(x) for x in y]`: what `x` is stands behind what is done with it. */
export function comprehension(reader: Reader): void {
  if (reader.language.adjacentTexts !== true) return
  const { landmark } = bracketsOf(reader.tokens)
  let at = landmark(reader.at)
  for (let loops = 0; at !== undefined && loops < codeLimits.targetsMax; loops++) {
    // It is read once more where it stands, and what it does is noted there.
    if (isName(reader.tokens[at], 'for')) loop({ ...reader, at, found: newFound() })
    else if (!isMark(reader.tokens[at], ';')) return
    at = landmark(at + 1)
  }
}

/** The parameters of a function that goes through what stands in front: `.forEach(f => …)`, `.then(({rm}) => …)`. */
export function parameters(reader: Reader, receiver: Value): void {
  const { tokens, scope, language } = reader
  let at = reader.at
  while (isName(tokens[at], 'async', 'function')) at++
  const open = isMark(tokens[at], '(') ? at++ : undefined
  const braces = isMark(tokens[at], '{') ? at++ : undefined
  if (tokens[at]?.kind !== 'name') return
  const first = tokens[at]?.text ?? ''
  const arrow =
    isMark(tokens[at + 1], '=>') ||
    (open !== undefined && isMark(tokens[(bracketsOf(tokens).closing(open) ?? tokens.length) + 1], '=>', '{'))
  if (!arrow) return
  if (braces === undefined) {
    scope.set(first, receiver.kind === 'list' ? elementOf(receiver) : receiver)
    return
  }
  for (; tokens[at]?.kind === 'name' && receiver.kind === 'name'; at += 2) {
    scope.set(tokens[at]?.text ?? '', named(whole(language, `${receiver.name}.${tokens[at]?.text}`)))
  }
}

/** `list.each { |x| … }`: in the block, `x` is any of them. */
export function blockParameters(reader: Reader, value: Value): void {
  const bar = peek(reader, 1)
  const name = peek(reader, 2)
  if (isMark(bar, '|') && name?.kind === 'name') {
    reader.scope.set(name.text, value.kind === 'list' ? elementOf(value) : value.kind === 'text' ? value : unknown)
    let at = reader.at + 3
    while (at < reader.tokens.length && !isMark(reader.tokens[at], '|')) at++
    reader.at = at + 1
  }
}
