import type { ArithmeticExpression, WordPart } from 'unbash'
import { type Context, note, step } from '../state/context.ts'
import type { State } from '../state/state.ts'
import { executableSubscript, assign, variableOf, isName } from '../state/variables.ts'
import { literal, onlyValue, type Texts, unknown } from '../values/text.ts'

/** The callbacks into the rest of the interpreter that arithmetic needs. */
interface ArithmeticNeeds {
  readonly parts: (parts: readonly WordPart[]) => Texts
  readonly substitute: (part: Extract<ArithmeticExpression, { type: 'ArithmeticCommandExpansion' }>) => Texts
}

/** Evaluates an arithmetic expression and carries out its assignments; `undefined` if the value is unknown. */
export function arithmetic(
  context: Context,
  state: State,
  expression: ArithmeticExpression,
  needs: ArithmeticNeeds,
  depth = 0,
): number | undefined {
  if (depth > 60 || !step(context)) return undefined
  const value: Evaluate = (one) => arithmetic(context, state, one, needs, depth + 1)
  const set: SetVariable = (name, number) => {
    if (isName(name)) assign(context, state, name, [number === undefined ? unknown(name) : literal(String(number))])
  }
  switch (expression.type) {
    case 'ArithmeticGroup':
      return value(expression.expression)
    case 'ArithmeticCommandExpansion':
      return numberOf(context, state, onlyValue(needs.substitute(expression)))
    case 'ArithmeticWord':
      return expression.parts === undefined
        ? numberOf(context, state, expression.value)
        : numberOf(context, state, onlyValue(needs.parts(expression.parts)))
    case 'ArithmeticTernary': {
      const test = value(expression.test)
      if (test !== undefined) return value(test === 0 ? expression.alternate : expression.consequent)
      value(expression.consequent)
      value(expression.alternate)
      return undefined
    }
    case 'ArithmeticUnary':
      return unary(expression, value, set)
    case 'ArithmeticBinary':
      return binary(expression, value, set)
  }
}

type Evaluate = (one: ArithmeticExpression) => number | undefined
type SetVariable = (name: string, value: number | undefined) => void

function unary(
  { operator, prefix, operand }: Extract<ArithmeticExpression, { type: 'ArithmeticUnary' }>,
  value: Evaluate,
  set: SetVariable,
): number | undefined {
  const before = value(operand)
  if (operator === '++' || operator === '--') {
    const after = before === undefined ? undefined : before + (operator === '++' ? 1 : -1)
    if (operand.type === 'ArithmeticWord') set(operand.value, after)
    return prefix ? after : before
  }
  if (before === undefined) return undefined
  if (operator === '-') return -before
  if (operator === '!') return before === 0 ? 1 : 0
  if (operator === '~') return ~before
  return before
}

function binary(
  { operator, left, right }: Extract<ArithmeticExpression, { type: 'ArithmeticBinary' }>,
  value: Evaluate,
  set: SetVariable,
): number | undefined {
  if (/^([-+*/%&|^]|<<|>>)?=$/.test(operator)) {
    const second = value(right)
    const result = operator === '=' ? second : calculate(operator.slice(0, -1), value(left), second)
    if (left.type === 'ArithmeticWord') set(left.value, result)
    return result
  }
  const first = value(left)
  if (operator === '&&' && first === 0) return 0
  if (operator === '||' && first !== undefined && first !== 0) return 1
  return calculate(operator, first, value(right))
}

function calculate(operator: string, a: number | undefined, b: number | undefined): number | undefined {
  const result = a === undefined || b === undefined ? undefined : operators.get(operator)?.(a, b)
  if (typeof result === 'boolean') return result ? 1 : 0
  return result !== undefined && Number.isSafeInteger(result) ? result : undefined
}

const areSmall = (...values: readonly number[]): boolean => values.every((value) => Math.abs(value) < 2 ** 31)

type Operation = (a: number, b: number) => number | boolean | undefined

const operators: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ['+', (a, b) => a + b],
  ['-', (a, b) => a - b],
  ['*', (a, b) => a * b],
  ['/', (a, b) => (b === 0 ? undefined : Math.trunc(a / b))],
  ['%', (a, b) => (b === 0 ? undefined : a % b)],
  ['**', (a, b) => (b < 0 ? undefined : a ** b)],
  ['<<', (a, b) => (b < 0 || b > 52 ? undefined : a * 2 ** b)],
  ['>>', (a, b) => (b < 0 || b > 52 ? undefined : Math.floor(a / 2 ** b))],
  ['<', (a, b) => a < b],
  ['>', (a, b) => a > b],
  ['<=', (a, b) => a <= b],
  ['>=', (a, b) => a >= b],
  ['==', (a, b) => a === b],
  ['!=', (a, b) => a !== b],
  ['&&', (a, b) => a !== 0 && b !== 0],
  ['||', (a, b) => a !== 0 || b !== 0],
  ['&', (a, b) => (areSmall(a, b) ? a & b : undefined)],
  ['|', (a, b) => (areSmall(a, b) ? a | b : undefined)],
  ['^', (a, b) => (areSmall(a, b) ? a ^ b : undefined)],
  [',', (_, b) => b],
])

/** Evaluates an operand: a number in one of the shell's notations, or the name of a variable. */
function numberOf(context: Context, state: State, text: string | undefined, depth = 0): number | undefined {
  if (text === undefined) return undefined
  const trimmed = text.trim()
  if (executableSubscript.test(trimmed)) note(context, 'arithmetic runs code in an array subscript')
  if (trimmed === '') return 0
  const number = /^[-+]?(0[xX][\da-fA-F]+|\d+)$/.exec(trimmed)
  if (number !== null) {
    const digits = number[1] ?? ''
    const sign = trimmed.startsWith('-') ? -1 : 1
    const value = /^0[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number(digits)
    return Number.isSafeInteger(value) ? sign * value : undefined
  }
  const based = /^(\d+)#([\da-zA-Z]+)$/.exec(trimmed)
  if (based !== null) {
    const base = Number(based[1])
    const value = base >= 2 && base <= 36 ? Number.parseInt(based[2] ?? '', base) : Number.NaN
    return Number.isSafeInteger(value) ? value : undefined
  }
  if (!isName(trimmed) || depth > 4) return undefined
  const { texts } = variableOf(context, state, trimmed)
  return texts.length === 1 && texts[0].unset === true ? 0 : numberOf(context, state, onlyValue(texts), depth + 1)
}
