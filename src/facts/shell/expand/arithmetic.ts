import type { ArithmeticExpression, WordPart } from 'unbash'
import { type Context, note, step } from '../state/context.ts'
import type { State } from '../state/state.ts'
import { executableSubscript, assign, variableOf, isName } from '../state/variables.ts'
import { literal, onlyValue, type Texts, unknown } from '../values/text.ts'

/** The callbacks into the rest of the interpreter that arithmetic needs. */
export interface ArithmeticNeeds {
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
  const value = (one: ArithmeticExpression) => arithmetic(context, state, one, needs, depth + 1)
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
      return unary(expression.operator, expression.prefix, expression.operand, value, (name, number) =>
        give(context, state, name, number),
      )
    case 'ArithmeticBinary': {
      const { operator, left } = expression
      if (/^([-+*/%&|^]|<<|>>)?=$/.test(operator)) {
        const right = value(expression.right)
        const before = operator === '=' ? 0 : value(left)
        const result =
          operator === '='
            ? right
            : before === undefined || right === undefined
              ? undefined
              : binary(operator.slice(0, -1), before, right)
        if (left.type === 'ArithmeticWord') give(context, state, left.value, result)
        return result
      }
      const first = value(left)
      if (operator === '&&' && first === 0) return 0
      if (operator === '||' && first !== undefined && first !== 0) return 1
      const second = value(expression.right)
      return first === undefined || second === undefined ? undefined : binary(operator, first, second)
    }
  }
}

function give(context: Context, state: State, name: string, value: number | undefined): void {
  if (!isName(name)) return
  assign(context, state, name, [value === undefined ? unknown(name) : literal(String(value))])
}

function unary(
  operator: string,
  prefix: boolean,
  operand: ArithmeticExpression,
  value: (one: ArithmeticExpression) => number | undefined,
  set: (name: string, value: number | undefined) => void,
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

function binary(operator: string, a: number, b: number): number | undefined {
  const result = binaryNumber(operator, a, b)
  if (typeof result === 'boolean') return result ? 1 : 0
  return result !== undefined && Number.isSafeInteger(result) ? result : undefined
}

const small = (value: number): boolean => Math.abs(value) < 2 ** 31

function binaryNumber(operator: string, a: number, b: number): number | boolean | undefined {
  switch (operator) {
    case '+':
      return a + b
    case '-':
      return a - b
    case '*':
      return a * b
    case '/':
      return b === 0 ? undefined : Math.trunc(a / b)
    case '%':
      return b === 0 ? undefined : a % b
    case '**':
      return b < 0 ? undefined : a ** b
    case '<<':
      return b < 0 || b > 52 ? undefined : a * 2 ** b
    case '>>':
      return b < 0 || b > 52 ? undefined : Math.floor(a / 2 ** b)
    case '<':
      return a < b
    case '>':
      return a > b
    case '<=':
      return a <= b
    case '>=':
      return a >= b
    case '==':
      return a === b
    case '!=':
      return a !== b
    case '&&':
      return a !== 0 && b !== 0
    case '||':
      return a !== 0 || b !== 0
    case '&':
      return small(a) && small(b) ? a & b : undefined
    case '|':
      return small(a) && small(b) ? a | b : undefined
    case '^':
      return small(a) && small(b) ? a ^ b : undefined
    case ',':
      return b
    default:
      return undefined
  }
}

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
