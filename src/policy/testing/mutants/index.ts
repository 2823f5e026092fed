import type { AnyNode, Program } from 'acorn'
import { nodesOf } from '../../compile/syntax/nodes.ts'
import { excerptOf } from '../edits.ts'
import { libraryImports } from '../description-nodes.ts'
import { comparisonMutants, conditionMutants, operandMutants } from './conditions.ts'
import { effectMutants } from './effects.ts'
import type { Mutant, Mutator, MutatedSource } from './mutant.ts'
import { patternMutants } from './patterns.ts'
import { methodMutants, statementMutants, valueMutants } from './values.ts'

export type { Mutant, MutantKind } from './mutant.ts'

/** All mutators in order of precedence: of two mutants with the same text, the first is kept. */
const mutators: readonly Mutator[] = [
  effectMutants,
  comparisonMutants,
  conditionMutants,
  operandMutants,
  patternMutants,
  methodMutants,
  valueMutants,
  statementMutants,
]

/**
 * Returns the small changes of a source that its examples should detect, in source order.
 *
 * @param text the source without types
 * @param tree the syntax tree of that text
 * @param skipped nodes that cannot affect the decision
 */
export function mutantsOf(text: string, tree: Program, skipped: ReadonlySet<AnyNode>): readonly Mutant[] {
  const source = sourceOf(text, tree)
  const made = new Map<string, Mutant>()
  for (const at of nodesOf(tree, ({ node }) => skipped.has(node))) {
    for (const mutate of mutators) {
      for (const mutant of mutate(at, source)) {
        const key = smallest(text, mutant)
        if (key !== undefined && !made.has(key)) made.set(key, mutant)
      }
    }
  }
  return [...made.values()].toSorted((a, b) => a.start - b.start || a.end - b.end)
}

/** Returns a key for the minimal difference that a mutant makes, to find duplicates; `undefined` if it makes none. */
function smallest(text: string, { start, end, replacement }: Mutant): string | undefined {
  const was = text.slice(start, end)
  if (was === replacement) return undefined
  let head = 0
  while (head < was.length && was[head] === replacement[head]) head++
  let tail = 0
  const most = Math.min(was.length, replacement.length) - head
  while (tail < most && was.at(-1 - tail) === replacement.at(-1 - tail)) tail++
  return `${start + head} ${end - tail} ${replacement.slice(head, replacement.length - tail)}`
}

function sourceOf(text: string, tree: Program): MutatedSource {
  const imports = libraryImports(tree)
  return {
    text,
    textOf: (node) => text.slice(node.start, node.end),
    excerptOf: (node) => excerptOf(text, node),
    tokenBetween(left, right, token) {
      const between = text.slice(left.end, right.start).replaceAll(/\/\*[^]*?(?:\*\/|$)|\/\/.*/g, blank)
      return left.end + between.indexOf(token)
    },
    importedAs: (local) => imports.get(local),
  }
}

const blank = (comment: string) => ' '.repeat(comment.length)
