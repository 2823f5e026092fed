import type { ModuleInterface } from '../syntax/module-interface.ts'
import { literalKey } from '../syntax/names-within.ts'
import { nodesOf } from '../syntax/nodes.ts'
import type { ParsedModule } from '../syntax/parse-module.ts'
import { writtenDecide } from './written-decide.ts'

/**
 * Returns true if `decide` certainly never reads the tool facts (`shell` and `paths`), which are then not determined.
 *
 * INVARIANT: true only if it is certain. A policy that may read them in any other way gets them.
 */
export function ignoresToolFacts(module: ParsedModule, face: ModuleInterface): boolean {
  const decide = writtenDecide(module, face)?.decide
  if (decide === undefined) return false
  const [param] = decide.params
  const pattern = param?.type === 'AssignmentPattern' ? param.left : param
  if (pattern !== undefined && pattern.type !== 'ObjectPattern') return false
  for (const property of pattern?.properties ?? []) {
    const name = property.type === 'Property' ? literalKey(property) : undefined
    if (name === undefined || name === 'shell' || name === 'paths') return false
  }
  // `arguments` would give access to the whole input; an arrow function at the top level has none.
  for (const { node } of nodesOf(decide)) if (node.type === 'Identifier' && node.name === 'arguments') return false
  return true
}
