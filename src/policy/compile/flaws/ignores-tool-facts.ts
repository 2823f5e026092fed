import type { ModuleInterface } from '../syntax/module-interface.ts'
import { literalKey } from '../syntax/names-within.ts'
import { nodesOf } from '../syntax/nodes.ts'
import type { ParsedModule } from '../syntax/parse-module.ts'
import { writtenDecide } from './written-decide.ts'

/**
 * Whether a policy cannot know what a tool call would do, since its `decide` takes other things of what it is given and
 * nothing else. What it would be told need then not be found out.
 *
 * INVARIANT: only what is certain. Whatever may come by it in some other way is told.
 */
export function ignoresToolFacts(module: ParsedModule, face: ModuleInterface): boolean {
  const decide = writtenDecide(module, face)?.decide
  if (decide === undefined) return false
  const [asked] = decide.params
  const pattern = asked?.type === 'AssignmentPattern' ? asked.left : asked
  if (pattern !== undefined && pattern.type !== 'ObjectPattern') return false
  for (const property of pattern?.properties ?? []) {
    const name = property.type === 'Property' ? literalKey(property) : undefined
    if (name === undefined || name === 'shell' || name === 'paths') return false
  }
  // An arrow function has those of a function around it, and of a module there is none.
  for (const { node } of nodesOf(decide)) if (node.type === 'Identifier' && node.name === 'arguments') return false
  return true
}
