import type { AnyNode, CallExpression } from 'acorn'
import { nodeName, type Visited } from '../../compile/syntax/nodes.ts'
import { type Mutant, type Mutator, replaceNode, type MutatedSource } from './mutant.ts'

const effects: readonly string[] = ['deny', 'ask', 'allow']
const answering: ReadonlySet<string> = new Set([...effects, 'context', 'notice', 'rewrite', 'stop'])

/** Replaces a policy's answers by other effects and by nothing. */
export const effectMutants: Mutator = (at, source) => [
  ...returned(at, source),
  ...answers(at, source),
  ...spelled(at, source),
]

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
