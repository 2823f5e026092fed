import type { AnyNode } from 'acorn'
import { limits } from '../../model/limits.ts'
import { quoted } from '../../model/text.ts'
import type { Visited } from '../compile/syntax/nodes.ts'

/** A replacement for a part of a text. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly replacement: string
}

/** Returns the text with one part replaced. */
export function applyEdit(text: string, { start, end, replacement }: Edit): string {
  return text.slice(0, start) + replacement + text.slice(end)
}

/** Collects insertions around parts of a text, which may be nested or adjacent but must not overlap. */
interface Insertions {
  /** Inserts text before `start` and after `end`. Must be called for an outer part before its inner parts. */
  around(start: number, end: number, before: string, behind: string): void
  into(text: string): string
}

export function makeInsertions(): Insertions {
  const before = new Map<number, string[]>()
  const behind = new Map<number, string[]>()
  return {
    around(start, end, opening, closing) {
      if (opening !== '') listAt(before, start).push(opening)
      if (closing !== '') listAt(behind, end).unshift(closing)
    },
    into(text) {
      const offsets = [...new Set([...before.keys(), ...behind.keys()])].toSorted((a, b) => a - b)
      const parts: string[] = []
      let from = 0
      for (const offset of offsets) {
        // Parts that end here are closed before parts that start here are opened.
        parts.push(text.slice(from, offset), ...(behind.get(offset) ?? []), ...(before.get(offset) ?? []))
        from = offset
      }
      return parts.join('') + text.slice(from)
    },
  }
}

function listAt(lists: Map<number, string[]>, offset: number): string[] {
  const list = lists.get(offset) ?? []
  lists.set(offset, list)
  return list
}

/** Quotes a part of a source on one line. Reads only as much as may be shown, because parts can be large and nested. */
export function excerptOf(text: string, { start, end }: Pick<Edit, 'start' | 'end'>): string {
  const beginning = text.slice(start, Math.min(end, start + 10 * limits.quotedCharactersMax))
  return quoted(beginning.replaceAll(/\s+/g, ' '))
}

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
