import type { AnyNode } from 'acorn'
import type { Visited } from '../../compile/syntax/nodes.ts'
import type { Edit } from '../edits.ts'

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
