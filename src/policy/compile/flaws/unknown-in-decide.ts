import type { AnyNode, Pattern } from 'acorn'
import { limits } from '../../../model/limits.ts'
import type { Problem } from '../../../model/problem.ts'
import { didYouMean } from '../../../model/suggest.ts'
import { knownNames } from './known-names.ts'
import type { KnownNames } from './names-known.ts'
import { literalKey, literalName, namesWithin, type NamesWithin, type Range } from '../syntax/names-within.ts'
import type { ModuleInterface } from '../syntax/module-interface.ts'
import type { ParsedModule } from '../syntax/parse-module.ts'
import { problemAt } from '../syntax/problem-at.ts'
import type { Visited } from '../syntax/syntax-walk.ts'
import { writtenDecide } from './written-decide.ts'

/**
 * Names that `decide` asks of what it is given, and that are none. An editor tells them by their types; this is for
 * whoever has none.
 *
 * INVARIANT: what is told is certain. A name that is declared or assigned to a second time within `decide` is left alone,
 * whatever it stands for, and so is everything that is computed.
 */
export function unknownInDecide(module: ParsedModule, face: ModuleInterface): Problem[] {
  const found = writtenDecide(module, face)
  const [asked] = found?.decide.params ?? []
  if (found === undefined || asked === undefined) return []
  const { decide, facts, params } = found
  const search: Search = { within: namesWithin(decide), bound: [], unknown: [] }
  bind(search, asked, knownNames(facts, params), decide)
  // Each name is bound once, so that each place where it is used is looked at once.
  for (const { name, known, scope } of search.bound) {
    for (const use of search.within.uses.get(name) ?? []) {
      if (use.node.start >= scope.start && use.node.end <= scope.end) follow(search, use, known)
    }
  }
  const inOrder = search.unknown.toSorted((a, b) => a.at - b.at).slice(0, limits.policyProblemsMax)
  return inOrder.map(({ at, name, known }) => {
    const candidates = [...known.names.keys()].slice(0, namesComparedMax)
    return problemAt(module, at, known.unknown(name), didYouMean(name, candidates) ?? known.otherwise)
  })
}

/** A file may declare facts by the ten thousand, and misspell a hundred. */
const namesComparedMax = 1000

interface Search {
  readonly within: NamesWithin
  /** Names that stand for something known, and where. Grows while it is gone through. */
  readonly bound: { readonly name: string; readonly known: KnownNames; readonly scope: Range }[]
  readonly unknown: { readonly at: number; readonly name: string; readonly known: KnownNames }[]
}

/** Binds the names of a pattern. What it takes is known to exist, or is told. */
function bind(search: Search, pattern: Pattern, known: KnownNames, scope: Range | undefined): void {
  if (pattern.type === 'Identifier') {
    const { name } = pattern
    if (scope !== undefined && search.within.declarations.get(name) === 1) search.bound.push({ name, known, scope })
  } else if (pattern.type === 'AssignmentPattern') {
    // Another default may have names of its own.
    if (isEmptyObject(pattern.right)) bind(search, pattern.left, known, scope)
  } else if (pattern.type === 'ObjectPattern') {
    const isWhole = pattern.properties.every((one) => one.type === 'Property')
    for (const property of pattern.properties) {
      const name = property.type === 'Property' ? literalKey(property) : undefined
      if (property.type !== 'Property' || name === undefined) continue
      const next = known.names.get(name)
      if (next !== undefined) bind(search, property.value, next, scope)
      else if (isWhole) look(search, name, known, property.key)
    }
  }
}

/** Follows what a name stands for through `.a.b` to where it is used, or given another name. */
function follow(search: Search, use: Visited, known: KnownNames): void {
  let at = use
  let names: KnownNames | undefined = known
  while (at.parent !== undefined && names !== undefined) {
    const { node } = at.parent
    if (node.type === 'MemberExpression' && at.key === 'object') {
      const name = literalName(node)
      if (name === undefined) return
      if (names.item !== undefined) {
        followItems(search, at.parent, name, names.item)
        return
      }
      look(search, name, names, node.property)
      names = names.names.get(name)
    } else if (node.type === 'ForOfStatement' && at.key === 'right' && names.item !== undefined) {
      const [declared] = node.left.type === 'VariableDeclaration' ? node.left.declarations : []
      if (declared !== undefined) bind(search, declared.id, names.item, node)
      return
    } else if (node.type === 'VariableDeclarator' && at.key === 'init') {
      bind(search, node.id, names, search.within.scopes.get(node))
      return
    } else if (!isTransparent(node, at.key)) return
    at = at.parent
  }
}

/** Methods of a list that hand its items to a function, first. */
const itemwise: ReadonlySet<string> = new Set(
  'every filter find findIndex findLast findLastIndex flatMap forEach map some'.split(' '),
)

/** `paths.some((path) => path.inRoot === '')`. What a method returns is followed no further. */
function followItems(search: Search, method: Visited, name: string, item: KnownNames): void {
  let at = method
  while (at.parent?.node.type === 'ChainExpression') at = at.parent
  const call = at.parent?.node
  if (call?.type !== 'CallExpression' || at.key !== 'callee' || !itemwise.has(name)) return
  const [given] = call.arguments
  if (given?.type !== 'ArrowFunctionExpression' && given?.type !== 'FunctionExpression') return
  const [param] = given.params
  if (param !== undefined) bind(search, param, item, given)
}

/** `(a?.b).c`, and `a ?? {}`. */
function isTransparent(node: AnyNode, key: string): boolean {
  if (node.type === 'ChainExpression') return true
  return node.type === 'LogicalExpression' && key === 'left' && node.operator !== '&&' && isEmptyObject(node.right)
}

function look({ within, unknown }: Search, name: string, known: KnownNames, { start: at }: AnyNode): void {
  // Every object has what `Object.prototype` has; and who asks whether there is such a name may go on to use it.
  if (known.names.has(name) || name in Object.prototype || within.probed.has(name)) return
  unknown.push({ at, name, known })
}

const isEmptyObject = (node: AnyNode) => node.type === 'ObjectExpression' && node.properties.length === 0
