import type { Field } from '../values/text.ts'
import {
  bothOutcomes,
  type CommandOutcome,
  type Context,
  type Expanded,
  failed,
  type Frame,
  succeeded,
} from '../state/context.ts'
import type { State } from '../state/state.ts'

/** The arguments of a builtin's implementation. The command is already recorded, at `index`. */
export interface Called {
  readonly context: Context
  readonly state: State
  readonly frame: Frame
  readonly index: number
  readonly args: readonly Field[]
  readonly expanded: Expanded
}

/** The implementation of a builtin: it changes the shell's state. */
export type Builtin = (called: Called) => CommandOutcome

/**
 * Splits arguments into option letters and operands.
 *
 * @param valued the letters of options that take a value
 */
export function operandsOf(
  args: readonly Field[],
  valued = '',
): { readonly letters: string; readonly rest: readonly Field[] } {
  let letters = ''
  let at = 0
  for (; at < args.length; at++) {
    const value = args[at]?.word.value ?? ''
    if (value === '--') {
      at++
      break
    }
    if (!/^[-+][A-Za-z]/.test(value)) break
    letters += value.startsWith('+') ? `+${value.slice(1)}` : value.slice(1)
    const last = value.at(-1) ?? ''
    if (valued.includes(last)) at++
  }
  return { letters, rest: args.slice(at) }
}

/** Compares two known values; `undefined` if the result is unknown, or the operator is not modelled. */
export function compare(left: string, operator: string, right: string): boolean | undefined {
  switch (operator) {
    case '=':
    case '==':
      return left === right
    case '!=':
      return left !== right
    case '<':
      return left < right
    case '>':
      return left > right
  }
  if (!/^-?\d{1,15}$/.test(left) || !/^-?\d{1,15}$/.test(right)) return undefined
  const difference = Number(left) - Number(right)
  switch (operator) {
    case '-eq':
      return difference === 0
    case '-ne':
      return difference !== 0
    case '-lt':
      return difference < 0
    case '-le':
      return difference <= 0
    case '-gt':
      return difference > 0
    case '-ge':
      return difference >= 0
    default:
      return undefined
  }
}

/** Evaluates `-z` and `-n`; `undefined` for other operators. */
export function testString(operator: string, value: string): boolean | undefined {
  if (operator === '-z') return value === ''
  return operator === '-n' ? value !== '' : undefined
}

export function outcomeOf(state: State, holds: boolean | undefined): CommandOutcome {
  if (holds === undefined) return bothOutcomes(state)
  return holds ? succeeded(state) : failed(state)
}

function test(bracket: boolean): Builtin {
  return ({ state, args }) => {
    const words = bracket && args.at(-1)?.word.value === ']' ? args.slice(0, -1) : args
    if (words.some(({ word }) => word.unresolved === true || word.several === true || word.pattern !== undefined))
      return bothOutcomes(state)
    const values = words.map(({ word }) => word.value)
    const negated = values[0] === '!' && values.length > 1
    const [first = '', second = '', third = ''] = negated ? values.slice(1) : values
    const count = values.length - (negated ? 1 : 0)
    const holds =
      count === 0
        ? false
        : count === 1
          ? first !== ''
          : count === 2
            ? testString(first, second)
            : count === 3
              ? compare(first, second, third)
              : undefined
    return outcomeOf(state, holds === undefined ? undefined : holds !== negated)
  }
}

export const testBuiltins: Readonly<Record<string, Builtin>> = { test: test(false), '[': test(true) }
