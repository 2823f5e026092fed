import { formatted } from '../effects.ts'
import { targetOf } from './assign.ts'
import { operand } from './operands.ts'
import { isMark, isName, peek, type Reader } from './state.ts'
import { combine, concatenated, either, joinPath, unknown, type Value } from '../value.ts'

const compares = [
  '==',
  '===',
  '!=',
  '!==',
  '<',
  '>',
  '<=',
  '>=',
  '<=>',
  '=~',
  '!~',
  '&&',
  '-',
  '*',
  '<<',
  '|',
  '&',
  '^',
  '**',
]

export function binary(reader: Reader): Value {
  const { language, scope } = reader
  const target = targetOf(reader)
  let value = operand(reader)
  for (;;) {
    const token = peek(reader)
    if (
      token === undefined ||
      (language.lines === true && token.newLine && !isMark(token, ...language.concat.filter((one) => one !== '*')))
    )
      return value
    if (isMark(token, '=', ':=', '<-', '||=', '??=') && target !== undefined) {
      reader.at++
      const assigned = reader.read.expression(reader)
      scope.set(target, assigned)
      return assigned
    }
    if (isMark(token, '+=', '.=') && target !== undefined) {
      reader.at++
      const assigned = combine(value, reader.read.expression(reader), (one, other) => one + other)
      scope.set(target, assigned)
      return assigned
    }
    if (isMark(token, ...language.concat)) {
      reader.at++
      const right = operand(reader)
      value = value.kind === 'list' && right.kind === 'list' ? concatenated(value, right) : added(value, right)
    } else if (isMark(token, '/') && language.members[0] === '.') {
      reader.at++
      const right = operand(reader)
      const isPath = [value, right].some((one) => one.kind === 'text' && one.path === true)
      value = isPath ? combine(value, right, joinPath) : unknown
    } else if (isMark(token, '%') && value.kind === 'text') {
      reader.at++
      const right = operand(reader)
      value = formatted(value, right.kind === 'list' ? right.items : [right])
    } else if (isMark(token, '||', '??', '//') || isName(token, 'or')) {
      reader.at++
      value = either(value, operand(reader))
    } else if (isMark(token, '?')) {
      reader.at++
      const first = reader.read.expression(reader)
      if (!isMark(peek(reader), ':')) return first
      reader.at++
      value = either(first, reader.read.expression(reader))
    } else if (isName(token, 'if') && language.adjacentTexts === true && !token.newLine) {
      reader.at++
      operand(reader)
      if (!isName(peek(reader), 'else')) continue
      reader.at++
      value = either(value, reader.read.expression(reader))
    } else if (isMark(token, ...compares)) {
      reader.at++
      operand(reader)
      value = unknown
    } else return value
  }
}

const added = (left: Value, right: Value): Value =>
  left.kind === 'number' && right.kind === 'number'
    ? { kind: 'number', number: left.number + right.number }
    : combine(left, right, (one, other) => one + other)
