import { type AnyNode, getLineInfo, type Program } from 'acorn'
import type { Place, Problem } from '../../../model/errors.ts'

/** A syntax node with its ancestors. */
export interface Visited<Node extends AnyNode = AnyNode> {
  readonly node: Node
  /** The property of its parent that holds it. */
  readonly key: string
  readonly parent: Visited | undefined
  /** The number of its ancestors. */
  readonly depth: number
}

/**
 * Yields every node, parents before their children. Does not recurse, so that no source can exhaust the stack.
 *
 * @param isSkipped returns true for a node to leave out, with everything below it
 */
export function* nodesOf(root: AnyNode, isSkipped?: (at: Visited) => boolean): Generator<Visited> {
  const waiting: Visited[] = [{ node: root, key: '', parent: undefined, depth: 0 }]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (isSkipped?.(at) === true) continue
    yield at
    for (const child of childrenOf(at).toReversed()) waiting.push(child)
  }
}

function childrenOf(parent: Visited): readonly Visited[] {
  const children: Visited[] = []
  const depth = parent.depth + 1
  for (const [key, value] of Object.entries(parent.node)) {
    // For `{ a }`, the parser returns the same node as key and value.
    if (key === 'key' && parent.node.type === 'Property' && parent.node.shorthand) continue
    if (Array.isArray(value)) {
      for (const node of value) if (isNode(node)) children.push({ node, key, parent, depth })
    } else if (isNode(value)) children.push({ node: value, key, parent, depth })
  }
  return children
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

/** Yields the names that a pattern binds or assigns to. */
export function* patternNames(pattern: AnyNode): Generator<string> {
  if (pattern.type === 'Identifier') yield pattern.name
  else if (pattern.type === 'ObjectPattern') {
    for (const one of pattern.properties) yield* patternNames(one.type === 'Property' ? one.value : one.argument)
  } else if (pattern.type === 'ArrayPattern') {
    for (const element of pattern.elements) if (element !== null) yield* patternNames(element)
  } else if (pattern.type === 'AssignmentPattern') yield* patternNames(pattern.left)
  else if (pattern.type === 'RestElement') yield* patternNames(pattern.argument)
}

/** Returns the target of an assignment. */
export function targetOf(node: AnyNode): AnyNode | undefined {
  if (node.type === 'AssignmentExpression') return node.left
  if (node.type === 'UpdateExpression') return node.argument
  return node.type === 'ForInStatement' || node.type === 'ForOfStatement' ? node.left : undefined
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

/**
 * Returns the values of a module's top-level variables and functions, by name. A name that is destructured has its
 * pattern for a value, and so has one without an initial value.
 */
export function topLevelValues({ body }: Program): ReadonlyMap<string, AnyNode> {
  const values = new Map<string, AnyNode>()
  for (const statement of body) {
    const isExport = statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration'
    const declared = isExport ? statement.declaration : statement
    if (declared?.type === 'VariableDeclaration') {
      for (const { id, init } of declared.declarations) {
        for (const name of patternNames(id)) values.set(name, id.type === 'Identifier' && init ? init : id)
      }
    } else if (declared?.type === 'FunctionDeclaration' && declared.id !== null) values.set(declared.id.name, declared)
  }
  return values
}

/** Returns the name of an identifier, or the text of a string literal. */
export function nodeName(node: AnyNode): string | undefined {
  if (node.type === 'Identifier') return node.name
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined
}

/** Returns the name of a property such as `name: a`; `undefined` if it is computed. */
export function propertyName({ key, computed }: { key: AnyNode; computed: boolean }): string | undefined {
  if (key.type === 'Literal') return String(key.value)
  return key.type === 'Identifier' && !computed ? key.name : undefined
}

/** Returns the property name in `a.name` or `a['name']`; `undefined` for any other node. */
export function memberName(node: AnyNode): string | undefined {
  if (node.type !== 'MemberExpression') return undefined
  return node.computed === (node.property.type === 'Literal') ? nodeName(node.property) : undefined
}

/** A file's text, which offsets refer to. */
export interface SourceText {
  readonly file: string
  readonly text: string
}

export function placeAt({ file, text }: SourceText, offset: number): Place {
  const { line, column } = getLineInfo(text, offset)
  return { file, line, column: column + 1 }
}

export function problemAt(source: SourceText, offset: number, message: string, remedy?: string): Problem {
  return { severity: 'error', place: placeAt(source, offset), message, remedy }
}

/** Returns a function that converts offsets in a text to 1-based lines and columns. */
export function placesOf(text: string): (offset: number) => { readonly line: number; readonly column: number } {
  const starts = [0, ...[...text.matchAll(/\r\n|[\n\r\u2028\u2029]/g)].map(({ 0: end, index }) => index + end.length)]
  return (offset) => {
    const line = starts.findLastIndex((start) => start <= offset)
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 }
  }
}
