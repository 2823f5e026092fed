import type { AnyNode, CallExpression } from 'acorn'
import { memberName } from '../syntax/nodes.ts'

/** The names that an expression at a module's top level can use. */
export interface ConstantNames {
  /** The values of top-level variables and functions. */
  readonly values: ReadonlyMap<string, AnyNode>
  /** The local names of imports, which are deeply frozen before this module runs. */
  readonly imported: { has(name: string): boolean }
  /** Returns true for an import of the library's `tableOf`. */
  isTableOf(name: string): boolean
  /** Returns true if a function may be called at the top level. Imported functions are checked later, when linked. */
  mayCall(name: string, at: number): boolean
  /** Names within a function that is called; absent at the top level. */
  readonly locals?: ReadonlySet<string>
}

/** The kind of a value, as far as its methods are concerned. */
type ValueKind = 'text' | 'list' | 'other'

/** Built-in functions that run no code of the author's when called with constants, and the kinds of their results. */
const natives: ReadonlyMap<string, ValueKind> = new Map([
  ['Object.freeze', 'other'],
  ['Object.keys', 'list'],
  ['Object.values', 'list'],
  ['Object.entries', 'list'],
  ['String.raw', 'text'],
])

/** Methods that run no code of the author's except a function for each item, and the kinds of their results. */
const methods: ReadonlyMap<string, ValueKind> = new Map([
  ['text.split', 'list'],
  ...['trim', 'repeat', 'slice', 'toLowerCase', 'toUpperCase'].map((name) => [`text.${name}`, 'text'] as const),
  ['list.join', 'text'],
  ...['slice', 'concat', 'flat', 'map', 'flatMap', 'filter'].map((name) => [`list.${name}`, 'list'] as const),
])

/** List methods that call their argument with each item, and do not retain it. */
export const itemwise: ReadonlySet<string> = new Set(['map', 'flatMap', 'filter'])

/** Returns the kind of what one of the `natives` returns; `undefined` for any other function. */
export function nativeKind(node: AnyNode, names: ConstantNames): ValueKind | undefined {
  if (node.type !== 'MemberExpression' || node.object.type !== 'Identifier') return undefined
  // The module may redefine the built-in object.
  return isKnown(node.object.name, names) ? undefined : natives.get(`${node.object.name}.${memberName(node)}`)
}

export const isKnown = (name: string, { locals, values, imported }: ConstantNames) =>
  locals?.has(name) === true || values.has(name) || imported.has(name)

/** Returns the certain kind of a value. @param hops how many more names to follow, because names may form a chain */
function kindOf(node: AnyNode, names: ConstantNames, hops = 4): ValueKind | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? 'text' : undefined
  if (node.type === 'TemplateLiteral') return 'text'
  if (node.type === 'TaggedTemplateExpression') return nativeKind(node.tag, names)
  if (node.type === 'ArrayExpression') return 'list'
  if (node.type === 'BinaryExpression' && node.operator === '+') {
    const isText = [node.left, node.right].every((side) => kindOf(side, names, hops) === 'text')
    return isText ? 'text' : undefined
  }
  if (node.type === 'Identifier') {
    const value = names.locals?.has(node.name) === true ? undefined : names.values.get(node.name)
    return value !== undefined && hops > 0 ? kindOf(value, names, hops - 1) : undefined
  }
  return node.type === 'CallExpression' ? kindOfCall(node, names, hops) : undefined
}

/** Returns the kind of what one of the `natives` or of the `methods` returns; `undefined` for any other call. */
export function kindOfCall({ callee }: CallExpression, names: ConstantNames, hops?: number): ValueKind | undefined {
  if (callee.type !== 'MemberExpression') return undefined
  return nativeKind(callee, names) ?? methods.get(`${kindOf(callee.object, names, hops)}.${memberName(callee)}`)
}
