import type { AnyNode, CallExpression, MemberExpression } from 'acorn'
import { memberName, type Visited } from '../../compile/syntax/nodes.ts'
import { type Mutant, type Mutator, replaceNode, type MutatedSource } from './mutant.ts'

/** The replacements of a comparison operator: its opposite, and one with the boundary moved. */
const comparisons: Readonly<Record<string, readonly string[]>> = {
  '===': ['!=='],
  '!==': ['==='],
  '==': ['!='],
  '!=': ['=='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
}

export const comparisonMutants: Mutator = ({ node }, source) => {
  if (node.type !== 'BinaryExpression') return []
  if (node.operator === 'in' || node.operator === 'instanceof') {
    const now = `!(${source.textOf(node)})`
    return [
      replaceNode(source, node, {
        kind: 'comparison',
        now,
        hint: `an example in which ${source.excerptOf(node)} decides`,
      }),
    ]
  }
  const start = source.tokenBetween(node.left, node.right, node.operator)
  return (comparisons[node.operator] ?? []).map((now): Mutant => {
    const boundary = now.startsWith(node.operator) || node.operator.startsWith(now)
    const [left, right] = [source.excerptOf(node.left), source.excerptOf(node.right)]
    const hint =
      boundary && !/^[!=]/.test(now)
        ? `an example in which ${left} is exactly ${right}`
        : `an example in which ${source.excerptOf(node)} decides`
    return {
      kind: 'comparison',
      start,
      end: start + node.operator.length,
      was: node.operator,
      now,
      replacement: now,
      hint,
    }
  })
}

/** Forces the conditions of `if`, `?:`, loops and predicates to true and to false, and drops `!`. */
export const conditionMutants: Mutator = (at, source) => {
  const { node } = at
  const negation: readonly Mutant[] =
    node.type === 'UnaryExpression' && node.operator === '!'
      ? [
          replaceNode(source, node, {
            kind: 'condition',
            now: source.textOf(node.argument),
            hint: `an example in which ${source.excerptOf(node.argument)} decides`,
          }),
        ]
      : []
  return [...negation, ...forced(at, source)]
}

function forced(at: Visited, source: MutatedSource): readonly Mutant[] {
  const { node } = at
  if (node.type === 'Literal') return []
  const text = source.excerptOf(node)
  const always = replaceNode(source, node, {
    kind: 'condition',
    now: 'true',
    hint: `an example in which ${text} does not hold`,
  })
  const never = replaceNode(source, node, {
    kind: 'condition',
    now: 'false',
    hint: `an example in which ${text} holds`,
  })
  switch (questionOf(at)) {
    case 'branch':
      return [always, never]
    case 'loop':
      // A condition forced to true would never end, which any example that reaches it detects.
      return [never]
    case 'predicate':
      return [always, never]
    case 'none':
      return []
  }
}

/** Methods whose callback is a predicate. */
const asking: ReadonlySet<string> = new Set([
  'some',
  'every',
  'filter',
  'find',
  'findIndex',
  'findLast',
  'findLastIndex',
])

function questionOf({ node, key, parent }: Visited): 'branch' | 'loop' | 'predicate' | 'none' {
  const above = parent?.node
  if (key === 'test') {
    if (above?.type === 'IfStatement' || above?.type === 'ConditionalExpression') return 'branch'
    return above?.type === 'SwitchCase' ? 'none' : 'loop'
  }
  if (key !== 'body' || above?.type !== 'ArrowFunctionExpression' || node.type === 'BlockStatement') return 'none'
  const call = parent?.parent?.node
  return call?.type === 'CallExpression' && asking.has(methodOf(call) ?? '') ? 'predicate' : 'none'
}

/** Returns the name of the called method. */
export function methodOf({ callee }: CallExpression): string | undefined {
  return callee.type === 'MemberExpression' && !callee.computed ? memberName(callee) : undefined
}

export const operandMutants: Mutator = ({ node }, source) => {
  if (node.type === 'MemberExpression' && node.optional) return optionalMutants(node, source)
  if (node.type === 'AssignmentPattern') {
    const now = source.textOf(node.left)
    return [
      replaceNode(source, node, {
        kind: 'condition',
        now,
        hint: `an example that has no ${source.excerptOf(node.left)}`,
      }),
    ]
  }
  if (node.type !== 'LogicalExpression') return []
  const { operator } = node
  const [left, right] = [source.excerptOf(node.left), source.excerptOf(node.right)]
  const without = (kept: AnyNode, hint: string) =>
    replaceNode(source, node, {
      kind: 'condition',
      now: source.textOf(kept),
      replacement: `(${source.textOf(kept)})`,
      hint,
    })
  if (operator === '??') {
    return [
      without(node.left, `an example in which ${left} is absent`),
      without(node.right, `an example in which ${left} is present and is not ${right}`),
    ]
  }
  const [but, other] = operator === '&&' ? ['does not hold and', 'holds'] : ['holds and', 'does not']
  const start = source.tokenBetween(node.left, node.right, operator)
  const now = operator === '&&' ? '||' : '&&'
  const hint = `an example in which one of ${left} and ${right} holds and the other does not`
  const swapped: Mutant = { kind: 'condition', start, end: start + 2, was: operator, now, replacement: now, hint }
  return [
    // Not beside another `&&` or `||`: the swapped operator would regroup the operands.
    ...([node.left, node.right].some(isMixed) ? [] : [swapped]),
    without(node.right, `an example in which ${left} ${but} ${right} ${other}`),
    without(node.left, `an example in which ${right} ${but} ${left} ${other}`),
  ]
}

/** Returns true for an operand like those of `a && b || c`, where swapping one operator would regroup the others. */
const isMixed = (node: AnyNode) => node.type === 'LogicalExpression' && node.operator !== '??'

function optionalMutants(node: MemberExpression, source: MutatedSource): readonly Mutant[] {
  const start = source.tokenBetween(node.object, node.property, '?.')
  const now = node.computed ? '' : '.'
  const hint = `an example that has no ${source.excerptOf(node.object)}`
  return [{ kind: 'condition', start, end: start + 2, was: '?.', now: now || '[', replacement: now, hint }]
}
