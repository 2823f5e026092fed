import type { AnyNode, CallExpression, MemberExpression } from 'acorn'
import { memberName, nodeName, type Visited } from '../../compile/syntax/nodes.ts'
import { limits } from '../../../model/limits.ts'
import { quoted } from '../../../model/text.ts'

/** Methods that could be confused with each other, and so are swapped. */
const swaps: Readonly<Record<string, readonly string[]>> = {
  startsWith: ['endsWith', 'includes'],
  endsWith: ['startsWith', 'includes'],
  includes: ['startsWith'],
  some: ['every'],
  every: ['some'],
  indexOf: ['lastIndexOf'],
  lastIndexOf: ['indexOf'],
  min: ['max'],
  max: ['min'],
}

/** Methods whose call can be dropped, because they return a value of their receiver's type. */
const droppable: ReadonlySet<string> = new Set([
  'toLowerCase',
  'toUpperCase',
  'trim',
  'trimStart',
  'trimEnd',
  'normalize',
  'toReversed',
  'toSorted',
])

export const methodMutants: Mutator = ({ node }, source) => {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return []
  const method = methodOf(node)
  if (method === undefined) return []
  const { object, property } = node.callee
  const swapped = (Object.hasOwn(swaps, method) ? (swaps[method] ?? []) : []).map((now) =>
    replaceNode(source, property, {
      kind: 'method',
      now,
      hint: `an example for which \`${method}\` and \`${now}\` differ`,
    }),
  )
  if (!droppable.has(method)) return swapped
  const hint = `an example in which ${source.excerptOf(object)} is changed by \`${method}\``
  const dot = source.tokenBetween(object, property, '.')
  const start = source.text[dot - 1] === '?' ? dot - 1 : dot
  const was = source.text.slice(start, node.end)
  return [...swapped, { kind: 'method', start, end: node.end, was, now: 'nothing', replacement: '', hint }]
}

/** Changes numbers, booleans and strings that affect a decision. */
export const valueMutants: Mutator = (at, source) => {
  const { node } = at
  if (node.type !== 'Literal' && node.type !== 'TemplateLiteral') return []
  if (isName(at)) return []
  if (node.type === 'TemplateLiteral') {
    return node.expressions.length === 0 && isSought(at) ? [emptied(node, source)] : []
  }
  if (typeof node.value === 'number') return numbers(node, node.value, source)
  if (typeof node.value === 'boolean') {
    const hint = `an example in which it matters that this is \`${node.value}\``
    return [replaceNode(source, node, { kind: 'value', now: String(!node.value), hint })]
  }
  return typeof node.value === 'string' && node.value !== '' && isSought(at) ? [emptied(node, source)] : []
}

function numbers(node: AnyNode, value: number, source: MutatedSource): readonly Mutant[] {
  return [value + 1, value - 1].map((now) =>
    replaceNode(source, node, {
      kind: 'value',
      now: String(now),
      replacement: now < 0 ? `(${now})` : String(now),
      hint: `an example in which it matters that this is \`${value}\`, not \`${now}\``,
    }),
  )
}

function emptied(node: AnyNode, source: MutatedSource): Mutant {
  return replaceNode(source, node, {
    kind: 'value',
    now: "''",
    hint: `an example in which ${source.excerptOf(node)} is matched`,
  })
}

/** Returns true for a literal that is no value: a key, a module specifier, or an `effect`, which has its own mutants. */
function isName({ node, key, parent }: Visited): boolean {
  const above = parent?.node
  if (above?.type === 'Property') return key === 'key' || nodeName(above.key) === 'effect'
  if (above?.type === 'MethodDefinition' || above?.type === 'PropertyDefinition') return key === 'key'
  if (above?.type === 'ExpressionStatement') return true
  return node.type === 'Literal' && (above?.type.startsWith('Import') || above?.type.startsWith('Export')) === true
}

const seeking: ReadonlySet<string> = new Set([
  'startsWith',
  'endsWith',
  'includes',
  'indexOf',
  'lastIndexOf',
  'split',
  'has',
  'replace',
  'replaceAll',
])

/** Returns true for a string that is compared, searched for, or an element of a list. */
function isSought({ key, parent }: Visited): boolean {
  const above = parent?.node
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- of some eighty kinds of nodes, these look for texts
  switch (above?.type) {
    case 'BinaryExpression':
      return ['===', '!==', '==', '!=', 'in'].includes(above.operator)
    case 'SwitchCase':
      return key === 'test'
    case 'ArrayExpression':
      return true
    case 'CallExpression':
      return key === 'arguments' && seeking.has(methodOf(above) ?? '')
    case 'Property':
      return nodeName(above.key) === 'default'
    default:
      return false
  }
}

const arithmetic: Readonly<Record<string, string>> = { '+': '-', '-': '+', '*': '/', '/': '*', '%': '*' }

/** Swaps arithmetic operators, and drops statements. */
export const statementMutants: Mutator = ({ node }, source) => {
  if (node.type === 'BinaryExpression' && Object.hasOwn(arithmetic, node.operator)) {
    if ([node.left, node.right].some(isText)) return []
    const start = source.tokenBetween(node.left, node.right, node.operator)
    const now = arithmetic[node.operator] ?? ''
    const hint = `an example in which ${source.excerptOf(node)} decides`
    return [{ kind: 'value', start, end: start + 1, was: node.operator, now, replacement: now, hint }]
  }
  if (node.type !== 'ExpressionStatement' || node.directive !== undefined) return []
  if (!['CallExpression', 'AssignmentExpression', 'UpdateExpression'].includes(node.expression.type)) return []
  const hint = `an example whose answer needs ${source.excerptOf(node.expression)}`
  return [replaceNode(source, node, { kind: 'statement', now: 'nothing', replacement: ';', hint })]
}

function isText(node: AnyNode): boolean {
  if (node.type === 'BinaryExpression') return isText(node.left) || isText(node.right)
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string')
}

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
function methodOf({ callee }: CallExpression): string | undefined {
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

/** A replacement for a part of a text. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly replacement: string
}

/** Returns the text with one part replaced. */
export function applyEdit(text: string, { start, end, replacement }: Edit): string {
  return text.slice(0, start) + replacement + text.slice(end)
}

/** Collects insertions around parts of a text, which may be nested or adjacent but must not overlap. */
interface Insertions {
  /** Inserts text before `start` and after `end`. Must be called for an outer part before its inner parts. */
  around(start: number, end: number, before: string, behind: string): void
  into(text: string): string
}

export function makeInsertions(): Insertions {
  const before = new Map<number, string[]>()
  const behind = new Map<number, string[]>()
  return {
    around(start, end, opening, closing) {
      if (opening !== '') listAt(before, start).push(opening)
      if (closing !== '') listAt(behind, end).unshift(closing)
    },
    into(text) {
      const offsets = [...new Set([...before.keys(), ...behind.keys()])].toSorted((a, b) => a - b)
      const parts: string[] = []
      let from = 0
      for (const offset of offsets) {
        // Parts that end here are closed before parts that start here are opened.
        parts.push(text.slice(from, offset), ...(behind.get(offset) ?? []), ...(before.get(offset) ?? []))
        from = offset
      }
      return parts.join('') + text.slice(from)
    },
  }
}

function listAt(lists: Map<number, string[]>, offset: number): string[] {
  const list = lists.get(offset) ?? []
  lists.set(offset, list)
  return list
}

/** Quotes a part of a source on one line. Reads only as much as may be shown, because parts can be large and nested. */
export function excerptOf(text: string, { start, end }: Pick<Edit, 'start' | 'end'>): string {
  const beginning = text.slice(start, Math.min(end, start + 10 * limits.quotedCharactersMax))
  return quoted(beginning.replaceAll(/\s+/g, ' '))
}

export type MutantKind = 'comparison' | 'condition' | 'effect' | 'pattern' | 'method' | 'value' | 'statement'

/** One small change of a source that an example should detect. */
export interface Mutant extends Edit {
  readonly kind: MutantKind
  /** The original and, as `now`, the changed code, in a form for people to read. */
  readonly was: string
  readonly now: string
  /** Describes an example that would detect it. */
  readonly hint: string
}

/** Creates the mutants of one kind for a node. */
export type Mutator = (at: Visited, source: MutatedSource) => readonly Mutant[]

export interface MutatedSource {
  readonly text: string
  textOf(node: AnyNode): string
  /** Quotes a node's source for a message. */
  excerptOf(node: AnyNode): string
  /** Returns the offset of `token` between two nodes, ignoring comments. */
  tokenBetween(left: AnyNode, right: AnyNode, token: string): number
  /** Returns the export of `hookgate/policy` that a local name refers to. */
  importedAs(local: string): string | undefined
}

/** Creates a mutant that replaces one whole node. */
export function replaceNode(
  source: MutatedSource,
  node: AnyNode,
  change: Omit<Mutant, 'start' | 'end' | 'was' | 'replacement'> & { readonly replacement?: string },
): Mutant {
  const { start, end } = node
  return { replacement: change.now, ...change, start, end, was: source.textOf(node) }
}
