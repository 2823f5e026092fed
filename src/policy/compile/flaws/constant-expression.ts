import type {
  AnyNode,
  CallExpression,
  NewExpression,
  ObjectExpression,
  Pattern,
  Property,
  VariableDeclaration,
} from 'acorn'
import { namesIn } from '../syntax/nodes.ts'
import type { ConstantNames, Flaw } from './constant-names.ts'

interface ConstantScope {
  readonly names: ConstantNames
  /** Names within a function that is called; `undefined` at the top level. */
  readonly locals: ReadonlySet<string> | undefined
}

/**
 * Returns the flaw that keeps an expression from being constant, if any. A constant expression creates only primitives,
 * arrays, plain objects, functions and regular expressions, and runs no code of the author's except callable functions.
 *
 * INVARIANT: no value of a constant expression has an accessor, a symbol key, a prototype of the author's, or its own
 * `toString` or `valueOf`. So reading, spreading, comparing or converting it calls no function.
 */
export function notConstant(node: AnyNode, scope: ConstantScope): Flaw | undefined {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- any other node is not constant
  switch (node.type) {
    case 'Literal':
      return node.regex !== undefined && /[gy]/.test(node.regex.flags)
        ? cannot(
            node,
            'a regular expression with the flag `g` or `y`',
            'leave the flag out, or write it where it is used',
          )
        : undefined
    case 'TemplateLiteral':
      return first(node.expressions, scope)
    case 'Identifier':
      return isKnown(node.name, scope) || values.has(node.name) ? undefined : cannot(node, `\`${node.name}\``)
    case 'ArrayExpression':
      return first(
        node.elements.filter((one) => one !== null),
        scope,
      )
    case 'ObjectExpression':
      return objectFlaw(node, scope)
    case 'SpreadElement':
    case 'ChainExpression':
      return notConstant(node.type === 'SpreadElement' ? node.argument : node.expression, scope)
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      // A closure would keep the variables of the call, which cannot be frozen.
      return scope.locals === undefined ? undefined : cannot(node, 'a function made by a call')
    case 'MemberExpression':
      return first([node.object, ...(node.computed ? [node.property] : [])], scope)
    case 'UnaryExpression':
      return node.operator === 'delete' ? cannot(node, '`delete`') : notConstant(node.argument, scope)
    case 'BinaryExpression':
      return node.operator === 'instanceof' ? cannot(node, '`instanceof`') : first([node.left, node.right], scope)
    case 'LogicalExpression':
      return first([node.left, node.right], scope)
    case 'ConditionalExpression':
      return first([node.test, node.consequent, node.alternate], scope)
    case 'CallExpression':
      return flawOfCall(node, scope)
    case 'NewExpression':
      return isPlainRegExp(node, scope) ? first(node.arguments, scope) : flawOfNew(node)
    case 'TaggedTemplateExpression':
      return isNative(node.tag, 'String', rawOnly, scope) ? notConstant(node.quasi, scope) : cannot(node, 'a tag')
    default:
      return cannot(node, spelled[node.type] ?? `\`${node.type}\``)
  }
}

/** Returns the flaw that keeps a pattern from being constant: computed keys, assignments, or its default values. */
function notConstantPattern(pattern: Pattern, scope: ConstantScope): Flaw | undefined {
  switch (pattern.type) {
    case 'Identifier':
      return undefined
    case 'AssignmentPattern':
      return notConstantPattern(pattern.left, scope) ?? notConstant(pattern.right, scope)
    case 'RestElement':
      return notConstantPattern(pattern.argument, scope)
    case 'ArrayPattern':
      return firstOf(pattern.elements, (one) => (one === null ? undefined : notConstantPattern(one, scope)))
    case 'ObjectPattern':
      return firstOf(pattern.properties, (one) => {
        if (one.type === 'RestElement') return notConstantPattern(one, scope)
        return one.computed ? cannot(one, 'a computed key') : notConstantPattern(one.value, scope)
      })
    case 'MemberExpression':
      return cannot(pattern, 'an assignment')
  }
}

const values: ReadonlySet<string> = new Set(['undefined', 'NaN', 'Infinity'])

const first = (nodes: readonly AnyNode[], scope: ConstantScope) => firstOf(nodes, (node) => notConstant(node, scope))

function firstOf<One>(all: readonly One[], look: (one: One) => Flaw | undefined): Flaw | undefined {
  for (const one of all) {
    const found = look(one)
    if (found !== undefined) return found
  }
  return undefined
}

const cannot = (node: AnyNode, what: string, remedy = 'put it into the function that uses it'): Flaw => ({
  at: node.start,
  what,
  remedy,
})

export const callFlaw = (at: number, name: string): Flaw => ({
  at,
  what: `a call of \`${name}\``,
  remedy:
    'call it where its value is used, or import it and write `tableOf(…)`, which takes the function and its arguments',
})

const spelled: Readonly<Partial<Record<AnyNode['type'], string>>> = {
  AssignmentExpression: 'an assignment',
  UpdateExpression: 'an assignment',
  ClassExpression: 'a class',
  SequenceExpression: 'a list of expressions',
  ThisExpression: '`this`',
}

/** Keys that the language itself reads from an object. */
const readByTheLanguage: ReadonlySet<string> = new Set(['toString', 'valueOf', '__proto__'])

function objectFlaw({ properties }: ObjectExpression, scope: ConstantScope): Flaw | undefined {
  return firstOf(properties, (one) => {
    if (one.type === 'SpreadElement') return notConstant(one, scope)
    if (one.kind !== 'init') return cannot(one, 'an accessor')
    const key = plainKey(one)
    if (key === undefined) return cannot(one, 'a computed key')
    return readByTheLanguage.has(key) ? cannot(one, `the key \`${key}\``) : notConstant(one.value, scope)
  })
}

function plainKey({ key, computed }: Property): string | undefined {
  if (key.type === 'Identifier' && !computed) return key.name
  return key.type === 'Literal' && key.regex === undefined ? String(key.value) : undefined
}

function flawOfCall(node: CallExpression, scope: ConstantScope): Flaw | undefined {
  const { callee, arguments: given } = node
  if (callee.type === 'Identifier') {
    if (!isLocal(callee.name, scope) && scope.names.isTableOf(callee.name, node.start)) return tableFlaw(node, scope)
    const isCallable = !isLocal(callee.name, scope) && scope.names.mayCall(callee.name, node.start)
    return isCallable ? first(given, scope) : callFlaw(node.start, callee.name)
  }
  if (isNative(callee, 'Object', objectFunctions, scope)) return first(given, scope)
  const name = methodName(callee)
  if (name === undefined || callee.type !== 'MemberExpression') return cannot(node, 'a call')
  const kind = kindOf(callee.object, scope)
  if (kind === 'text' && textMethods.has(name)) return first([callee.object, ...given], scope)
  if (kind === 'list' && listMethods.has(name)) return first([callee.object, ...given], scope)
  const [item, ...others] = given
  if (kind !== 'list' || !itemwise.has(name) || item === undefined || others.length > 0) {
    return callFlaw(node.start, name)
  }
  return notConstant(callee.object, scope) ?? itemFlaw(item, scope)
}

/**
 * Checks a call such as `tableOf(build, keys, 7)`, which runs any function while the module is evaluated. The function
 * and its arguments are frozen parts of other modules, so it can change nothing; of its result, only data is used.
 */
function tableFlaw({ arguments: given }: CallExpression, scope: ConstantScope): Flaw | undefined {
  return firstOf(given, (one) =>
    isForeign(one, scope) ? undefined : cannot(one, 'an argument of `tableOf` that is neither imported nor plain data'),
  )
}

/** Returns true if an expression reaches nothing of its own module: imports, and data made of them and literals. */
function isForeign(node: AnyNode, scope: ConstantScope): boolean {
  if (node.type === 'Literal') return true
  if (node.type === 'Identifier') return !isLocal(node.name, scope) && scope.names.isImported(node.name)
  const parts =
    node.type === 'TemplateLiteral' ? node.expressions : node.type === 'ArrayExpression' ? node.elements : []
  const isPlain = node.type === 'TemplateLiteral' || node.type === 'ArrayExpression'
  return isPlain && parts.every((part) => part === null || isForeign(part, scope))
}

/** Functions of `Object` that run no code of the author's when called with constants. */
const objectFunctions: ReadonlySet<string> = new Set(['freeze', 'keys', 'values', 'entries'])
const rawOnly: ReadonlySet<string> = new Set(['raw'])
const textMethods: ReadonlySet<string> = new Set(['split', 'trim', 'repeat', 'slice', 'toLowerCase', 'toUpperCase'])
const listMethods: ReadonlySet<string> = new Set(['join', 'slice', 'concat', 'flat'])
/** List methods that call their argument with each item, and do not retain it. */
const itemwise: ReadonlySet<string> = new Set(['map', 'flatMap', 'filter'])

function itemFlaw(item: AnyNode, scope: ConstantScope): Flaw | undefined {
  if (item.type === 'Identifier') {
    const isCallable = !isLocal(item.name, scope) && scope.names.mayCall(item.name, item.start)
    return isCallable ? undefined : callFlaw(item.start, item.name)
  }
  return notCallable(item, scope)
}

/**
 * Returns the flaw that keeps a function from being called at the top level, if any. A callable function only returns a
 * constant expression of its arguments, and creates no closure.
 */
export function notCallable(node: AnyNode, { names, locals = new Set() }: ConstantScope): Flaw | undefined {
  const isFunction =
    node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression' || node.type === 'FunctionDeclaration'
  if (!isFunction || node.generator || node.async)
    return cannot(node, 'a call of something that may not be a plain function')
  const own = new Set([...locals, ...node.params.flatMap((param) => [...namesIn(param)])])
  const scope: ConstantScope = { names, locals: own }
  const statements = node.body.type === 'BlockStatement' ? node.body.body : []
  for (const one of statements) {
    if (one.type === 'VariableDeclaration')
      for (const { id } of one.declarations) for (const name of namesIn(id)) own.add(name)
  }
  const params = firstOf(node.params, (param) => notConstantPattern(param, scope))
  if (params !== undefined || node.body.type !== 'BlockStatement') return params ?? notConstant(node.body, scope)
  return firstOf(statements, (one) => {
    if (one.type === 'VariableDeclaration') return declarationFlaw(one, scope)
    if (one.type === 'ReturnStatement') return one.argument ? notConstant(one.argument, scope) : undefined
    return cannot(one, 'anything a function does besides returning a value')
  })
}

export function declarationFlaw(
  { kind, start, declarations }: VariableDeclaration,
  scope: ConstantScope,
): Flaw | undefined {
  if (kind !== 'const') {
    return { at: start, what: `a \`${kind}\` variable`, remedy: 'declare it with `const`, or inside of `decide`' }
  }
  return firstOf(
    declarations,
    ({ id, init }) => notConstantPattern(id, scope) ?? (init ? notConstant(init, scope) : undefined),
  )
}

/** Returns true for `new RegExp` without a flag that makes it keep its position. */
function isPlainRegExp({ callee, arguments: given }: NewExpression, scope: ConstantScope): boolean {
  const [pattern, flags, ...others] = given
  if (callee.type !== 'Identifier' || callee.name !== 'RegExp' || isKnown('RegExp', scope)) return false
  if (pattern === undefined || pattern.type === 'SpreadElement' || others.length > 0) return false
  return (
    flags === undefined || (flags.type === 'Literal' && typeof flags.value === 'string' && !/[gy]/.test(flags.value))
  )
}

function flawOfNew({ start: at, callee }: NewExpression): Flaw {
  const name = callee.type === 'Identifier' ? callee.name : '…'
  const instead = name === 'Set' ? 'write `setOf([…])`' : name === 'Map' ? 'write `mapOf([…])`' : undefined
  return { at, what: `\`new ${name}\``, remedy: instead ?? 'make it where it is used' }
}

/** Returns true for a method of a built-in object, such as `Object.freeze`, unless the module redefines the object. */
function isNative(node: AnyNode, whole: string, methods: ReadonlySet<string>, scope: ConstantScope): boolean {
  if (node.type !== 'MemberExpression' || node.object.type !== 'Identifier' || node.object.name !== whole) return false
  const name = methodName(node)
  return name !== undefined && methods.has(name) && !isKnown(whole, scope)
}

function methodName(node: AnyNode): string | undefined {
  if (node.type !== 'MemberExpression' || node.computed || node.property.type !== 'Identifier') return undefined
  return node.property.name
}

const isLocal = (name: string, { locals }: ConstantScope) => locals?.has(name) === true
const isKnown = (name: string, scope: ConstantScope) => isLocal(name, scope) || scope.names.isFixed(name)

/** Returns the certain kind of a value. @param hops how many more names to follow, because names may form a chain */
function kindOf(node: AnyNode, scope: ConstantScope, hops = 4): 'text' | 'list' | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? 'text' : undefined
  if (node.type === 'TemplateLiteral') return 'text'
  if (node.type === 'TaggedTemplateExpression') return isNative(node.tag, 'String', rawOnly, scope) ? 'text' : undefined
  if (node.type === 'ArrayExpression') return 'list'
  if (node.type === 'BinaryExpression' && node.operator === '+') {
    const isText = kindOf(node.left, scope, hops) === 'text' && kindOf(node.right, scope, hops) === 'text'
    return isText ? 'text' : undefined
  }
  if (node.type === 'Identifier') {
    const written = isLocal(node.name, scope) ? undefined : scope.names.written(node.name)
    return written !== undefined && hops > 0 ? kindOf(written, scope, hops - 1) : undefined
  }
  if (node.type !== 'CallExpression') return undefined
  const name = methodName(node.callee) ?? ''
  if (node.callee.type !== 'MemberExpression') return undefined
  if (name !== 'freeze' && isNative(node.callee, 'Object', objectFunctions, scope)) return 'list'
  const kind = kindOf(node.callee.object, scope, hops)
  if (kind === 'text') return name === 'split' ? 'list' : textMethods.has(name) ? 'text' : undefined
  if (kind !== 'list') return undefined
  return name === 'join' ? 'text' : listMethods.has(name) || itemwise.has(name) ? 'list' : undefined
}
