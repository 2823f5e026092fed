import type { AnyNode, Program } from 'acorn'
import type { Place } from '../../../model/errors.ts'
import type { ParsedModule } from './parse-module.ts'
import { placeAt } from './problem-at.ts'

/**
 * Returns the place of a part of a policy's definition: of a key, or of an array element. If the part is not written
 * out, returns the place of its nearest ancestor that is; `undefined` if there is no default export.
 */
export function placeInDefinition(module: ParsedModule, path: readonly PropertyKey[]): Place | undefined {
  const exported = defaultValue(module.ast)
  if (exported === undefined) return undefined
  const call = written(exported, module.ast)
  let at = call.start
  let value = call.type === 'CallExpression' ? call.arguments[0] : call
  for (const step of path) {
    const part = value && partOf(written(value, module.ast), step)
    if (part === undefined) break
    at = part.at
    value = part.value
  }
  return placeAt(module, at)
}

/** Returns the node that is exported as `default`. */
export function defaultValue({ body }: Program): AnyNode | undefined {
  for (const node of body) {
    if (node.type === 'ExportDefaultDeclaration') return node.declaration
    if (node.type !== 'ExportNamedDeclaration') continue
    const named = node.specifiers.find(
      ({ exported }) => (exported.type === 'Identifier' ? exported.name : exported.value) === 'default',
    )
    if (named !== undefined) return named.local
  }
  return undefined
}

/** Resolves an identifier to the value of the module's `const` of that name; returns other nodes as they are. */
export function written(node: AnyNode, { body }: Program): AnyNode {
  if (node.type !== 'Identifier') return node
  for (const statement of body) {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declaration?.type !== 'VariableDeclaration' || declaration.kind !== 'const') continue
    const found = declaration.declarations.find(({ id }) => id.type === 'Identifier' && id.name === node.name)
    if (found?.init) return found.init
  }
  return node
}

interface Part {
  readonly at: number
  readonly value: AnyNode
}

function partOf(node: AnyNode, step: PropertyKey): Part | undefined {
  if (node.type === 'ArrayExpression') {
    const index = Number(step)
    const element = node.elements[index]
    // After a spread such as `...others` the indices of elements are not known.
    const counted = node.elements.slice(0, index + 1).every((one) => one?.type !== 'SpreadElement')
    return element && counted ? { at: element.start, value: element } : undefined
  }
  if (node.type !== 'ObjectExpression') return undefined
  // Of properties with the same name, the last one counts.
  const property = node.properties.findLast((one) => one.type === 'Property' && keyOf(one) === String(step))
  return property?.type === 'Property' ? { at: property.start, value: property.value } : undefined
}

/** Returns a property's name; `undefined` if it is computed. */
export function keyOf({ key, computed }: { key: AnyNode; computed: boolean }): string | undefined {
  if (key.type === 'Literal') return String(key.value)
  return key.type === 'Identifier' && !computed ? key.name : undefined
}
