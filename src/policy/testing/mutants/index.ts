import type { AnyNode, CallExpression, Program } from 'acorn'
import { nodeName, nodesOf, type Visited } from '../../compile/syntax/nodes.ts'
import {
  excerptOf,
  type Mutant,
  type MutatedSource,
  type Mutator,
  replaceNode,
  comparisonMutants,
  conditionMutants,
  methodMutants,
  operandMutants,
  statementMutants,
  valueMutants,
} from './values.ts'
import { libraryImports } from '../description-nodes.ts'
import { patternMutants } from './patterns.ts'

const effects: readonly string[] = ['deny', 'ask', 'allow']
const answering: ReadonlySet<string> = new Set([...effects, 'context', 'notice', 'replaceOutput', 'rewrite', 'stop'])

/** Replaces a policy's answers by other effects and by nothing. */
const effectMutants: Mutator = (at, source) => [...returned(at, source), ...answers(at, source), ...spelled(at, source)]

/** Makes `return x` and `=> x` return nothing. */
function returned({ node, key, parent }: Visited, source: MutatedSource): readonly Mutant[] {
  const above = parent?.node
  const isReturned =
    (above?.type === 'ReturnStatement' && key === 'argument') ||
    (above?.type === 'ArrowFunctionExpression' && key === 'body' && node.type !== 'BlockStatement')
  if (!isReturned || isNothing(node)) return []
  return [
    replaceNode(source, node, {
      kind: 'effect',
      now: 'undefined',
      hint: `an example whose answer needs ${source.excerptOf(node)}`,
    }),
  ]
}

function answers({ node, parent }: Visited, source: MutatedSource): readonly Mutant[] {
  if (node.type !== 'CallExpression') return []
  const local = nodeName(node.callee)
  const name = local === undefined ? undefined : source.importedAs(local)
  if (name === undefined || !answering.has(name)) return []
  const hint = `an example that wants this \`${name}\``
  const nothing = parent?.node.type === 'ArrayExpression' ? '...[]' : 'undefined'
  const dropped = replaceNode(source, node, { kind: 'effect', now: 'nothing', replacement: nothing, hint })
  if (!effects.includes(name)) return [dropped]
  const others = effects.filter((effect) => effect !== name)
  return [dropped, ...others.map((effect) => reasoned(node, effect, hint, source))]
}

/** Replaces an answer by another effect, written as an object because its function may not be imported. */
function reasoned(call: CallExpression, effect: string, hint: string, source: MutatedSource): Mutant {
  const said = call.arguments.map((argument) => source.textOf(argument)).join(', ')
  const reason = call.arguments.length === 0 ? '' : `, reason: [${said}][0]`
  return replaceNode(source, call, {
    kind: 'effect',
    now: `${effect}(${said})`,
    replacement: `({ effect: '${effect}'${reason} })`,
    hint,
  })
}

/** Replaces the effect in an object literal such as `{ effect: 'deny' }`. */
function spelled({ node, key, parent }: Visited, source: MutatedSource): readonly Mutant[] {
  const above = parent?.node
  if (key !== 'value' || above?.type !== 'Property' || nodeName(above.key) !== 'effect') return []
  const effect = node.type === 'Literal' ? nodeName(node) : undefined
  if (effect === undefined || !effects.includes(effect)) return []
  const hint = `an example that wants this \`${effect}\``
  return effects
    .filter((other) => other !== effect)
    .map((other) => replaceNode(source, node, { kind: 'effect', now: `'${other}'`, hint }))
}

/** Returns true for falsy constants, which a caller that tests the result cannot tell from `undefined`. */
function isNothing(node: AnyNode): boolean {
  if (node.type === 'Literal') return !node.value && node.regex === undefined
  return node.type === 'Identifier' && node.name === 'undefined'
}

export type { Mutant, MutantKind } from './values.ts'

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
        const key = differenceKey(text, mutant)
        if (key !== undefined && !made.has(key)) made.set(key, mutant)
      }
    }
  }
  return [...made.values()].toSorted((a, b) => a.start - b.start || a.end - b.end)
}

/** Returns a key for the minimal difference that a mutant makes, to find duplicates; `undefined` if it makes none. */
function differenceKey(text: string, { start, end, replacement }: Mutant): string | undefined {
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
