import type { AnyNode, CallExpression, NewExpression, VariableDeclaration } from 'acorn'
import { memberName, nodesOf, patternNames, propertyName, type Visited } from '../syntax/nodes.ts'

/** A construct that could hold state: its offset, its description in a message, and the remedy. */
export interface StateFlaw {
  readonly at: number
  readonly what: string
  readonly remedy: string
}

/**
 * Returns the flaw that keeps an expression or pattern from being constant, if any. A constant expression creates only
 * primitives, arrays, plain objects, functions and regular expressions, and runs no code of the author's except
 * callable functions.
 *
 * INVARIANT: no value of a constant expression has an accessor, a symbol key, a prototype of the author's, or its own
 * `toString` or `valueOf`. So reading, spreading, comparing or converting it calls no function.
 */
export function constantFlaw(root: AnyNode, names: ConstantNames): StateFlaw | undefined {
  /** Nodes that were checked with the call around them. */
  const accepted = new Set<AnyNode>()
  // A function does not run where it is written.
  for (const at of nodesOf(root, ({ parent }) => parent !== undefined && isFunction(parent.node))) {
    const flaw = accepted.has(at.node) ? undefined : nodeFlaw(at, names, accepted)
    if (flaw !== undefined) return flaw
  }
  return undefined
}

/** Checks one node, without its children. */
function nodeFlaw(at: Visited, names: ConstantNames, accepted: Set<AnyNode>): StateFlaw | undefined {
  const { node } = at
  if (harmless.has(node.type)) return undefined
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- any other node is not constant
  switch (node.type) {
    case 'Literal':
      if (node.regex === undefined || !/[gy]/.test(node.regex.flags)) return undefined
      return flawOf(
        node,
        'a regular expression with the flag `g` or `y`',
        'leave the flag out, or write it where it is used',
      )
    case 'Identifier':
      return isPropertyName(at) || isKnown(node.name, names) || constants.has(node.name) || isNativeObject(at, names)
        ? undefined
        : flawOf(node, `\`${node.name}\``)
    case 'Property':
      return propertyFlaw(at)
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      // A closure would keep the variables of the call, which cannot be frozen.
      return names.locals === undefined ? undefined : flawOf(node, 'a function made by a call')
    case 'UnaryExpression':
      return node.operator === 'delete' ? flawOf(node, '`delete`') : undefined
    case 'BinaryExpression':
      return node.operator === 'instanceof' ? flawOf(node, '`instanceof`') : undefined
    case 'CallExpression':
      return callFlaw(node, names, accepted)
    case 'NewExpression':
      accepted.add(node.callee)
      return isPlainRegExp(node, names) ? undefined : newFlaw(node)
    case 'TaggedTemplateExpression':
      return nativeKind(node.tag, names) === undefined ? flawOf(node, 'a tag') : undefined
    default:
      return flawOf(node, spelled[node.type] ?? `\`${node.type}\``)
  }
}

/** Nodes that are constant if their children are. */
const harmless: ReadonlySet<AnyNode['type']> = new Set<AnyNode['type']>([
  'TemplateLiteral',
  'TemplateElement',
  'ArrayExpression',
  'ObjectExpression',
  'SpreadElement',
  'ChainExpression',
  'MemberExpression',
  'LogicalExpression',
  'ConditionalExpression',
  'ArrayPattern',
  'ObjectPattern',
  'AssignmentPattern',
  'RestElement',
])

const constants: ReadonlySet<string> = new Set(['undefined', 'NaN', 'Infinity'])

const spelled: Readonly<Partial<Record<AnyNode['type'], string>>> = {
  AssignmentExpression: 'an assignment',
  UpdateExpression: 'an assignment',
  ClassExpression: 'a class',
  SequenceExpression: 'a list of expressions',
  ThisExpression: '`this`',
}

export const flawOf = ({ start: at }: AnyNode, what: string, remedy = 'put it into the function that uses it') => ({
  at,
  what,
  remedy,
})

export const calledFlaw = (at: number, name: string): StateFlaw => ({
  at,
  what: `a call of \`${name}\``,
  remedy:
    'call it where its value is used, write the value itself, or import it and write `tableOf(…)`, which takes the function and its arguments',
})

const isFunction = ({ type }: AnyNode) => type === 'ArrowFunctionExpression' || type === 'FunctionExpression'

function isPropertyName({ key, parent }: Visited): boolean {
  const above = parent?.node
  if (above?.type === 'MemberExpression') return key === 'property' && !above.computed
  return above?.type === 'Property' && key === 'key' && !above.computed
}

/** Returns true for `Object` in `Object.keys(…)`: elsewhere it is not constant. */
function isNativeObject({ parent }: Visited, names: ConstantNames): boolean {
  const isUsed = parent?.key === 'callee' || parent?.key === 'tag'
  return isUsed && nativeKind(parent.node, names) !== undefined
}

/** Keys that the language itself reads from an object. */
const readByTheLanguage: ReadonlySet<string> = new Set(['toString', 'valueOf', '__proto__'])

function propertyFlaw({ node, parent }: Visited): StateFlaw | undefined {
  if (node.type !== 'Property') return undefined
  if (node.kind !== 'init') return flawOf(node, 'an accessor')
  const key = propertyName(node)
  if (key === undefined) return flawOf(node, 'a computed key')
  const isWritten = parent?.node.type === 'ObjectExpression'
  return isWritten && readByTheLanguage.has(key) ? flawOf(node, `the key \`${key}\``) : undefined
}

/**
 * Checks a call, without its arguments.
 *
 * @param accepted receives the function that it calls with each item, which is checked here
 */
function callFlaw(node: CallExpression, names: ConstantNames, accepted: Set<AnyNode>): StateFlaw | undefined {
  const { callee, arguments: given } = node
  if (callee.type === 'Identifier') {
    const { name, start } = callee
    if (names.locals?.has(name) !== true && names.isTableOf(name)) return tableFlaw(node, names)
    return mayCall(callee, names) ? undefined : calledFlaw(start, name)
  }
  if (nativeKind(callee, names) !== undefined) return undefined
  const name = memberName(callee)
  if (name === undefined || callee.type !== 'MemberExpression') return flawOf(node, 'a call')
  if (kindOfCall(node, names) === undefined) return calledFlaw(node.start, name)
  if (!itemwise.has(name)) return undefined
  const [item, ...others] = given
  if (item === undefined || others.length > 0) return calledFlaw(node.start, name)
  accepted.add(item)
  if (item.type !== 'Identifier') return callableFlaw(item, names)
  return mayCall(item, names) ? undefined : calledFlaw(item.start, item.name)
}

const mayCall = ({ name, start }: { name: string; start: number }, names: ConstantNames) =>
  names.locals?.has(name) !== true && names.mayCall(name, start)

/**
 * Checks a call such as `tableOf(build, keys, 7)`, which runs any function while the module is evaluated. The function
 * and its arguments are frozen parts of other modules, so it can change nothing; of its result, only data is used.
 */
function tableFlaw({ arguments: given }: CallExpression, names: ConstantNames): StateFlaw | undefined {
  const own = given.find((one) => !isForeign(one, names))
  return own && flawOf(own, 'an argument of `tableOf` that is neither imported nor plain data')
}

/** Returns true if an expression reaches nothing of its own module: imports, and data made of them and literals. */
function isForeign(node: AnyNode, names: ConstantNames): boolean {
  if (node.type === 'Literal') return true
  if (node.type === 'Identifier') return names.locals?.has(node.name) !== true && names.imported.has(node.name)
  if (node.type === 'TemplateLiteral') return node.expressions.every((part) => isForeign(part, names))
  return node.type === 'ArrayExpression' && node.elements.every((part) => part === null || isForeign(part, names))
}

/**
 * Returns the flaw that keeps a function from being called at the top level, if any. A callable function only returns a
 * constant expression of its arguments, and creates no closure.
 */
export function callableFlaw(node: AnyNode, names: ConstantNames): StateFlaw | undefined {
  const isPlain = isFunction(node) || node.type === 'FunctionDeclaration'
  if (!isPlain || !('params' in node) || node.generator || node.async)
    return flawOf(node, 'a call of something that may not be a plain function')
  const locals = new Set([...(names.locals ?? []), ...node.params.flatMap((param) => [...patternNames(param)])])
  const own = { ...names, locals }
  const statements = node.body.type === 'BlockStatement' ? node.body.body : []
  for (const one of statements) {
    if (one.type !== 'VariableDeclaration') continue
    for (const { id } of one.declarations) for (const name of patternNames(id)) locals.add(name)
  }
  const returned = node.body.type === 'BlockStatement' ? [] : [node.body]
  return firstFlaw([...node.params, ...returned], own) ?? firstOf(statements, (one) => bodyFlaw(one, own))
}

function bodyFlaw(statement: AnyNode, names: ConstantNames): StateFlaw | undefined {
  if (statement.type === 'VariableDeclaration') return declarationFlaw(statement, names)
  if (statement.type === 'ReturnStatement')
    return statement.argument ? constantFlaw(statement.argument, names) : undefined
  return flawOf(statement, 'anything a function does besides returning a value')
}

export function declarationFlaw(node: VariableDeclaration, names: ConstantNames): StateFlaw | undefined {
  if (node.kind !== 'const')
    return flawOf(node, `a \`${node.kind}\` variable`, 'declare it with `const`, or inside of `decide`')
  return firstFlaw(
    node.declarations.flatMap(({ id, init }) => (init ? [id, init] : [id])),
    names,
  )
}

const firstFlaw = (nodes: readonly AnyNode[], names: ConstantNames) => firstOf(nodes, (one) => constantFlaw(one, names))

function firstOf<One, Found>(all: readonly One[], look: (one: One) => Found | undefined): Found | undefined {
  for (const one of all) {
    const found = look(one)
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns true for `new RegExp` without a flag that makes it keep its position. */
function isPlainRegExp({ callee, arguments: given }: NewExpression, names: ConstantNames): boolean {
  const [pattern, flags, ...others] = given
  if (callee.type !== 'Identifier' || callee.name !== 'RegExp' || isKnown('RegExp', names)) return false
  if (pattern === undefined || pattern.type === 'SpreadElement' || others.length > 0) return false
  return (
    flags === undefined || (flags.type === 'Literal' && typeof flags.value === 'string' && !/[gy]/.test(flags.value))
  )
}

function newFlaw(node: NewExpression): StateFlaw {
  const name = node.callee.type === 'Identifier' ? node.callee.name : '…'
  const instead = name === 'Set' ? 'write `setOf([…])`' : name === 'Map' ? 'write `mapOf([…])`' : undefined
  return flawOf(node, `\`new ${name}\``, instead ?? 'make it where it is used')
}

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
const itemwise: ReadonlySet<string> = new Set(['map', 'flatMap', 'filter'])

/** Returns the kind of what one of the `natives` returns; `undefined` for any other function. */
function nativeKind(node: AnyNode, names: ConstantNames): ValueKind | undefined {
  if (node.type !== 'MemberExpression' || node.object.type !== 'Identifier') return undefined
  // The module may redefine the built-in object.
  return isKnown(node.object.name, names) ? undefined : natives.get(`${node.object.name}.${memberName(node)}`)
}

const isKnown = (name: string, { locals, values, imported }: ConstantNames) =>
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
function kindOfCall({ callee }: CallExpression, names: ConstantNames, hops?: number): ValueKind | undefined {
  if (callee.type !== 'MemberExpression') return undefined
  return nativeKind(callee, names) ?? methods.get(`${kindOf(callee.object, names, hops)}.${memberName(callee)}`)
}
