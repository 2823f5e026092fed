import type { AnyNode } from 'acorn'

export interface Visit {
  readonly node: AnyNode
  readonly parent: AnyNode | undefined
  /** The number of its ancestors. */
  readonly depth: number
}

/** Yields every node, parents before their children. Does not recurse, so that no source can exhaust the stack. */
export function* nodesOf(root: AnyNode): Generator<Visit> {
  const waiting: Visit[] = [{ node: root, parent: undefined, depth: 0 }]
  for (let visit = waiting.pop(); visit !== undefined; visit = waiting.pop()) {
    yield visit
    const { node, depth } = visit
    for (const child of childrenOf(node).toReversed()) waiting.push({ node: child, parent: node, depth: depth + 1 })
  }
}

function childrenOf(node: AnyNode): AnyNode[] {
  const children: AnyNode[] = []
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) {
      for (const one of value) if (isNode(one)) children.push(one)
    } else if (isNode(value)) children.push(value)
  }
  return children
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

/** Yields the names that a pattern binds or assigns to. */
export function* namesIn(pattern: AnyNode): Generator<string> {
  if (pattern.type === 'Identifier') yield pattern.name
  else if (pattern.type === 'ObjectPattern') {
    for (const one of pattern.properties) yield* namesIn(one.type === 'Property' ? one.value : one.argument)
  } else if (pattern.type === 'ArrayPattern') {
    for (const element of pattern.elements) if (element !== null) yield* namesIn(element)
  } else if (pattern.type === 'AssignmentPattern') yield* namesIn(pattern.left)
  else if (pattern.type === 'RestElement') yield* namesIn(pattern.argument)
}

/** Returns the target of an assignment. */
export function targetOf(node: AnyNode): AnyNode | undefined {
  if (node.type === 'AssignmentExpression') return node.left
  if (node.type === 'UpdateExpression') return node.argument
  return node.type === 'ForInStatement' || node.type === 'ForOfStatement' ? node.left : undefined
}
