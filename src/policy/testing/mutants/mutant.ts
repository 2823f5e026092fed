import type { Syntax, Visited } from '../../compile/syntax/syntax-walk.ts'
import type { Edit } from '../edits.ts'
import { glimpse } from '../glimpse.ts'

export type MutantKind = 'comparison' | 'condition' | 'effect' | 'pattern' | 'method' | 'value' | 'statement'

/** One small change of a source that an example should notice. */
export interface Mutant extends Edit {
  readonly kind: MutantKind
  /** What was there, and what is there now, as a person would put it. */
  readonly was: string
  readonly now: string
  /** Which example would notice. */
  readonly hint: string
}

/** What changes one kind of thing. */
export type Mutator = (at: Visited, source: Source) => readonly Mutant[]

export interface Source {
  readonly text: string
  textOf(node: Syntax): string
  /** Where `token` stands between two nodes, comments aside. */
  tokenBetween(left: Syntax, right: Syntax, token: string): number
  /** Which export of `hookgate/policy` a name stands for. */
  importedAs(local: string): string | undefined
}

/** A node in a message. */
export const told = (source: Source, node: Syntax) => glimpse(source.text, node)

/** A change of one whole node. */
export function replaced(
  source: Source,
  node: Syntax,
  change: Omit<Mutant, 'start' | 'end' | 'was' | 'replacement'> & { readonly replacement?: string },
): Mutant {
  const { start, end } = node
  return { replacement: change.now, ...change, start, end, was: source.textOf(node) }
}
