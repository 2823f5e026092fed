import type { AnyNode, MemberExpression, VariableDeclarator } from 'acorn'
import { namesIn, targetOf } from './nodes.ts'
import { type Visited, walkSyntax } from './syntax-walk.ts'

/** A range of offsets in a source. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** Declarations and uses of the names within a function, by name alone, without resolving scopes. */
export interface NamesWithin {
  /** How often a name is declared or assigned to. */
  readonly declarations: ReadonlyMap<string, number>
  /** The identifiers of each name that are read from, destructured or assigned to another name. */
  readonly uses: ReadonlyMap<string, readonly Visited[]>
  /** The least range in which a declaration is certainly in scope. */
  readonly scopes: ReadonlyMap<VariableDeclarator, Range>
  /** Names that are tested with `in`. */
  readonly probed: ReadonlySet<string>
}

export function namesWithin(root: AnyNode): NamesWithin {
  const declarations = new Map<string, number>()
  const uses = new Map<string, Visited[]>()
  const scopes = new Map<VariableDeclarator, Range>()
  const probed = new Set<string>()
  walkSyntax(root, (at) => {
    const { node, key, parent } = at
    for (const pattern of declaredBy(node)) {
      for (const name of namesIn(pattern)) declarations.set(name, (declarations.get(name) ?? 0) + 1)
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
    return undefined
  })
  return { declarations, uses, scopes, probed }
}

/** Returns the patterns and identifiers that a node declares or assigns to. */
function declaredBy(node: AnyNode): readonly AnyNode[] {
  const target = targetOf(node)
  return target === undefined ? boundBy(node) : [target]
}

/** Returns the patterns and identifiers that a node declares. */
export function boundBy(node: AnyNode): readonly AnyNode[] {
  if (node.type === 'VariableDeclarator') return [node.id]
  if (node.type === 'CatchClause') return node.param ? [node.param] : []
  if (node.type === 'ClassDeclaration' || node.type === 'ClassExpression') return node.id ? [node.id] : []
  if (node.type === 'ArrowFunctionExpression') return node.params
  if (node.type !== 'FunctionExpression' && node.type !== 'FunctionDeclaration') return []
  return node.id ? [node.id, ...node.params] : node.params
}

/** Returns the block that contains a declaration; `undefined` in a loop's head. A `var` is also in scope outside. */
function scopeOf({ node, parent }: Visited): Range | undefined {
  return node.type === 'VariableDeclaration' && parent?.node.type === 'BlockStatement' ? parent.node : undefined
}

/** Returns the property name in `a.name` or `a['name']`. */
export function literalName({ property, computed }: MemberExpression): string | undefined {
  if (!computed) return property.type === 'Identifier' ? property.name : undefined
  return property.type === 'Literal' && typeof property.value === 'string' ? property.value : undefined
}

/** Returns the property name in `{ name: a }` or `{ 'name': a }`. */
export function literalKey({ key, computed }: { key: AnyNode; computed: boolean }): string | undefined {
  if (key.type === 'Literal') return typeof key.value === 'string' ? key.value : undefined
  return key.type === 'Identifier' && !computed ? key.name : undefined
}
