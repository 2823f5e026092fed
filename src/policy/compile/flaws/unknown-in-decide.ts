import type {
  AnyNode,
  ArrowFunctionExpression,
  FunctionExpression,
  ObjectExpression,
  Pattern,
  VariableDeclarator,
} from 'acorn'
import { limits } from '../../../model/limits.ts'
import type { Problem } from '../../../model/errors.ts'
import { didYouMean } from '../../../words/suggest.ts'
import { type KnownNames, knownNames } from './known-names.ts'
import {
  boundBy,
  memberName,
  nodesOf,
  patternNames,
  problemAt,
  propertyName,
  targetOf,
  type Visited,
} from '../syntax/nodes.ts'
import type { ModuleInterface } from '../syntax/module-interface.ts'
import { PolicyDefinition } from '../../../model/policy.ts'
import { defaultValue, written, type ParsedModule, libraryName } from '../syntax/parse-module.ts'

/**
 * Finds property names that `decide` reads from its input but that do not exist there. An editor reports them by their
 * types; this check is for authors without one.
 *
 * INVARIANT: no false positives. A name that is declared or assigned to more than once within `decide` is not followed,
 * nor is a computed property.
 */
export function unknownInDecide(module: ParsedModule, face: ModuleInterface): Problem[] {
  const found = writtenDecide(module, face)
  const [param] = found?.decide.params ?? []
  if (found === undefined || param === undefined) return []
  const { decide, facts, params, states } = found
  const search: NameSearch = { within: namesWithin(decide), bound: [], unknown: [] }
  bind(search, param, knownNames(facts, params, states), decide)
  // Each name is bound once, so each of its uses is checked once.
  for (const { name, known, scope } of search.bound) {
    for (const use of search.within.uses.get(name) ?? []) {
      if (use.node.start >= scope.start && use.node.end <= scope.end) follow(search, use, known)
    }
  }
  const inOrder = search.unknown.toSorted((a, b) => a.at - b.at).slice(0, limits.policyProblemsMax)
  return inOrder.map(({ at, name, known }) => {
    const candidates = [...known.names.keys()].slice(0, namesComparedMax)
    return problemAt(module, at, known.unknown(name), didYouMean(name, candidates) ?? known.otherwise)
  })
}

/** Bounds the search for a similar name: a file may declare ten thousand facts, and misspell a hundred. */
const namesComparedMax = 1000

interface NameSearch {
  readonly within: NamesWithin
  /** Variables with known names, and their scopes. Grows while it is iterated over. */
  readonly bound: { readonly name: string; readonly known: KnownNames; readonly scope: Range }[]
  readonly unknown: { readonly at: number; readonly name: string; readonly known: KnownNames }[]
}

/** Binds the variables of a pattern to known names, and reports properties that do not exist. */
function bind(search: NameSearch, pattern: Pattern, known: KnownNames, scope: Range | undefined): void {
  if (pattern.type === 'Identifier') {
    const { name } = pattern
    if (scope !== undefined && search.within.declarations.get(name) === 1) search.bound.push({ name, known, scope })
  } else if (pattern.type === 'AssignmentPattern') {
    // A default other than `{}` may have other names.
    if (isEmptyObject(pattern.right)) bind(search, pattern.left, known, scope)
  } else if (pattern.type === 'ObjectPattern') {
    const isWhole = pattern.properties.every((one) => one.type === 'Property')
    for (const property of pattern.properties) {
      const name = property.type === 'Property' ? propertyName(property) : undefined
      if (property.type !== 'Property' || name === undefined) continue
      const next = known.names.get(name)
      if (next !== undefined) bind(search, property.value, next, scope)
      else if (isWhole) look(search, name, known, property.key)
    }
  }
}

/** Follows a use of a variable through property reads such as `.a.b`, up to a declaration that binds the value. */
function follow(search: NameSearch, use: Visited, known: KnownNames): void {
  let at = use
  let names: KnownNames | undefined = known
  while (at.parent !== undefined && names !== undefined) {
    const { node } = at.parent
    if (node.type === 'MemberExpression' && at.key === 'object') {
      const name = memberName(node)
      if (name === undefined) return
      if (names.item !== undefined) {
        followItems(search, at.parent, name, names.item)
        return
      }
      look(search, name, names, node.property)
      names = names.names.get(name)
    } else if (node.type === 'ForOfStatement' && at.key === 'right' && names.item !== undefined) {
      const [declared] = node.left.type === 'VariableDeclaration' ? node.left.declarations : []
      if (declared !== undefined) bind(search, declared.id, names.item, node)
      return
    } else if (node.type === 'VariableDeclarator' && at.key === 'init') {
      bind(search, node.id, names, search.within.scopes.get(node))
      return
    } else if (!isTransparent(node, at.key)) return
    at = at.parent
  }
}

/** List methods that pass each item to a function as its first argument. */
const itemwise: ReadonlySet<string> = new Set(
  'every filter find findIndex findLast findLastIndex flatMap forEach map some'.split(' '),
)

/** Follows items into a callback, as in `paths.some((path) => path.inRoot === '')`, but not the method's result. */
function followItems(search: NameSearch, method: Visited, name: string, item: KnownNames): void {
  let at = method
  while (at.parent?.node.type === 'ChainExpression') at = at.parent
  const call = at.parent?.node
  if (call?.type !== 'CallExpression' || at.key !== 'callee' || !itemwise.has(name)) return
  const [given] = call.arguments
  if (given?.type !== 'ArrowFunctionExpression' && given?.type !== 'FunctionExpression') return
  const [param] = given.params
  if (param !== undefined) bind(search, param, item, given)
}

/** Returns true for nodes that pass the value on, as in `(a?.b).c` and `a ?? {}`. */
function isTransparent(node: AnyNode, key: string): boolean {
  if (node.type === 'ChainExpression') return true
  return node.type === 'LogicalExpression' && key === 'left' && node.operator !== '&&' && isEmptyObject(node.right)
}

function look({ within, unknown }: NameSearch, name: string, known: KnownNames, { start: at }: AnyNode): void {
  // Every object inherits from `Object.prototype`; and a name that is tested with `in` may be used.
  if (known.names.has(name) || name in Object.prototype || within.probed.has(name)) return
  unknown.push({ at, name, known })
}

const isEmptyObject = (node: AnyNode) => node.type === 'ObjectExpression' && node.properties.length === 0

/** A range of offsets in a source. */
interface Range {
  readonly start: number
  readonly end: number
}

/** Declarations and uses of the names within a function, by name alone, without resolving scopes. */
interface NamesWithin {
  /** How often a name is declared or assigned to. */
  readonly declarations: ReadonlyMap<string, number>
  /** The identifiers of each name that are read from, destructured or assigned to another name. */
  readonly uses: ReadonlyMap<string, readonly Visited[]>
  /** The least range in which a declaration is certainly in scope. */
  readonly scopes: ReadonlyMap<VariableDeclarator, Range>
  /** Names that are tested with `in`. */
  readonly probed: ReadonlySet<string>
}

function namesWithin(root: AnyNode): NamesWithin {
  const declarations = new Map<string, number>()
  const uses = new Map<string, Visited[]>()
  const scopes = new Map<VariableDeclarator, Range>()
  const probed = new Set<string>()
  for (const at of nodesOf(root)) {
    const { node, key, parent } = at
    for (const pattern of declaredBy(node)) {
      for (const name of patternNames(pattern)) declarations.set(name, (declarations.get(name) ?? 0) + 1)
    }
    if (node.type === 'Identifier' && (key === 'object' || key === 'init' || key === 'left')) {
      const others = uses.get(node.name)
      if (others === undefined) uses.set(node.name, [at])
      else others.push(at)
    }
    if (node.type === 'VariableDeclarator' && parent !== undefined) {
      const scope = scopeOf(parent)
      if (scope !== undefined) scopes.set(node, scope)
    }
    if (node.type === 'BinaryExpression' && node.operator === 'in' && node.left.type === 'Literal') {
      probed.add(String(node.left.value))
    }
  }
  return { declarations, uses, scopes, probed }
}

/** Returns the patterns and identifiers that a node declares or assigns to. */
function declaredBy(node: AnyNode): readonly AnyNode[] {
  const target = targetOf(node)
  return target === undefined ? boundBy(node) : [target]
}

/** Returns the block that contains a declaration; `undefined` in a loop's head. A `var` is also in scope outside. */
function scopeOf({ node, parent }: Visited): Range | undefined {
  return node.type === 'VariableDeclaration' && parent?.node.type === 'BlockStatement' ? parent.node : undefined
}

/** The `decide` function written in a call of `definePolicy`, with the names of the declared facts, params and states. */
interface WrittenDecide {
  readonly decide: FunctionExpression | ArrowFunctionExpression
  /** The declared names; `undefined` if not all of them are written in the call. */
  readonly facts: readonly string[] | undefined
  readonly params: readonly string[] | undefined
  readonly states: readonly string[] | undefined
}

/** @returns `undefined` unless it is certain that the sandbox will call this very function */
function writtenDecide(module: ParsedModule, { requests, imports }: ModuleInterface): WrittenDecide | undefined {
  const exported = defaultValue(module.ast)
  const call = exported && written(exported, module.ast)
  if (call?.type !== 'CallExpression' || call.callee.type !== 'Identifier') return undefined
  const { name } = call.callee
  const callee = imports.find(({ local }) => local === name)
  const isOurs = callee?.name === 'definePolicy' && requests[callee.request]?.specifier === libraryName
  const [definition] = call.arguments
  if (!isOurs || definition?.type !== 'ObjectExpression') return undefined
  const parts = partsOf(definition)
  const decide = parts.get('decide')
  if (decide?.type !== 'FunctionExpression' && decide?.type !== 'ArrowFunctionExpression') return undefined
  // With an unknown key, such as a misspelt `facts`, the declared names are not known: that key is reported instead.
  const isUnderstood = !parts.isPartial && parts.names().every((key) => key === 'decide' || definitionKeys.has(key))
  const declared = (key: 'facts' | 'params' | 'state') => {
    const value = parts.get(key)
    if (value?.type === 'ObjectExpression') {
      const declarations = partsOf(value)
      return declarations.isPartial ? undefined : declarations.names()
    }
    return isUnderstood && !parts.names().includes(key) ? [] : undefined
  }
  return { decide, facts: declared('facts'), params: declared('params'), states: declared('state') }
}

const definitionKeys: ReadonlySet<string> = new Set(Object.keys(PolicyDefinition.shape))

interface ObjectParts {
  /** True if the object may have more properties than those that are written. */
  readonly isPartial: boolean
  names(): readonly string[]
  /** Returns the value of a property; `undefined` if something after it may have replaced it. */
  get(name: string): AnyNode | undefined
}

function partsOf({ properties }: ObjectExpression): ObjectParts {
  const values = new Map<string, { readonly value: AnyNode; readonly at: number }>()
  let opaque = -1
  for (const [at, property] of properties.entries()) {
    const key = property.type === 'Property' ? propertyName(property) : undefined
    if (property.type === 'Property' && key !== undefined && key !== '__proto__') {
      // An accessor is stored as the property itself, because its function is not its value.
      values.set(key, { value: property.kind === 'init' ? property.value : property, at })
    } else opaque = at
  }
  const get = (name: string) => {
    const found = values.get(name)
    return found !== undefined && found.at > opaque ? found.value : undefined
  }
  return { isPartial: opaque >= 0, names: () => [...values.keys()], get }
}

/**
 * Returns true if `decide` certainly never reads the tool facts (`shell`, `paths`, `changes` and `impacts`), which are then not determined.
 *
 * INVARIANT: true only if it is certain. A policy that may read them in any other way gets them.
 */
export function ignoresToolFacts(module: ParsedModule, face: ModuleInterface): boolean {
  const decide = writtenDecide(module, face)?.decide
  if (decide === undefined) return false
  const [param] = decide.params
  const pattern = param?.type === 'AssignmentPattern' ? param.left : param
  if (pattern !== undefined && pattern.type !== 'ObjectPattern') return false
  for (const property of pattern?.properties ?? []) {
    const name = property.type === 'Property' ? propertyName(property) : undefined
    if (name === undefined || ['shell', 'paths', 'changes', 'impacts'].includes(name)) return false
  }
  // `arguments` would give access to the whole input; an arrow function at the top level has none.
  for (const { node } of nodesOf(decide)) if (node.type === 'Identifier' && node.name === 'arguments') return false
  return true
}
