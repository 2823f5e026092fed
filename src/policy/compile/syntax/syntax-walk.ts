import type { AnyNode, Program } from 'acorn'

export type Syntax = AnyNode
export type SyntaxTree = Program
/** A node of one kind. */
export type SyntaxOf<Type extends AnyNode['type']> = Extract<AnyNode, { type: Type }>

/** A node and the way down to it. */
export interface Visited<Node extends AnyNode = AnyNode> {
  readonly node: Node
  /** The property of its parent that it stands in. */
  readonly key: string
  readonly parent: Visited | undefined
}

/** The nodes right below one, as they follow each other in the source. */
function childrenOf(node: AnyNode): readonly { readonly key: string; readonly node: AnyNode }[] {
  const children: { key: string; node: AnyNode }[] = []
  for (const [key, value] of Object.entries(node)) {
    // The parser tells `{ a }` as a key and a value that are the same node.
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

/** Every node, a parent before its children. Does not recurse: a source may nest as deep as its parser let it. */
export function walkSyntax(root: AnyNode, visit: (at: Visited) => 'skip' | undefined): void {
  const waiting: Visited[] = [{ node: root, key: '', parent: undefined }]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (visit(at) === 'skip') continue
    const parent = at
    for (const { key, node } of childrenOf(at.node).toReversed()) waiting.push({ key, node, parent })
  }
}

/** 1-based line and column of each place in a text. */
export function placesOf(text: string): (offset: number) => { readonly line: number; readonly column: number } {
  const starts = [0, ...[...text.matchAll(/\r\n|[\n\r\u2028\u2029]/g)].map(({ 0: end, index }) => index + end.length)]
  return (offset) => {
    const line = starts.findLastIndex((start) => start <= offset)
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 }
  }
}
