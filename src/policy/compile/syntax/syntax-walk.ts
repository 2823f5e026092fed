import type { AnyNode, Program } from 'acorn'

export type Syntax = AnyNode
export type SyntaxTree = Program
/** A syntax node of the given type. */
export type SyntaxOf<Type extends AnyNode['type']> = Extract<AnyNode, { type: Type }>

/** A syntax node with its ancestors. */
export interface Visited<Node extends AnyNode = AnyNode> {
  readonly node: Node
  /** The property of its parent that holds it. */
  readonly key: string
  readonly parent: Visited | undefined
}

/** Returns the child nodes, in source order. */
function childrenOf(node: AnyNode): readonly { readonly key: string; readonly node: AnyNode }[] {
  const children: { key: string; node: AnyNode }[] = []
  for (const [key, value] of Object.entries(node)) {
    // For `{ a }`, the parser returns the same node as key and value.
    if (key === 'key' && node.type === 'Property' && node.shorthand) continue
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) children.push({ key, node: item })
    } else if (isNode(value)) children.push({ key, node: value })
  }
  return children.toSorted((a, b) => a.node.start - b.node.start)
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

/** Visits every node, parents first. Does not recurse: a source may nest as deep as the parser allows. */
export function walkSyntax(root: AnyNode, visit: (at: Visited) => 'skip' | undefined): void {
  const waiting: Visited[] = [{ node: root, key: '', parent: undefined }]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (visit(at) === 'skip') continue
    const parent = at
    for (const { key, node } of childrenOf(at.node).toReversed()) waiting.push({ key, node, parent })
  }
}

/** Returns a function that converts offsets in a text to 1-based lines and columns. */
export function placesOf(text: string): (offset: number) => { readonly line: number; readonly column: number } {
  const starts = [0, ...[...text.matchAll(/\r\n|[\n\r\u2028\u2029]/g)].map(({ 0: end, index }) => index + end.length)]
  return (offset) => {
    const line = starts.findLastIndex((start) => start <= offset)
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 }
  }
}
