import type { AnyNode, Program } from 'acorn'
import { readFileSync } from 'node:fs'
import type { Place, PlaceOf } from '../../../model/errors.ts'
import { nodeName, placeAt, propertyName, topLevelValues } from './nodes.ts'
import { type ParsedModule, parseModule } from './parse-module.ts'

/** Returns a function that finds parts of a policy's definition in its file. The file is parsed lazily. */
export function placesIn(file: string): PlaceOf {
  let module: ReturnType<typeof parseModule> | undefined
  const start = { file, line: 1, column: 1 }
  return (path) => {
    try {
      module ??= parseModule(readFileSync(file, 'utf8'), file)
    } catch {
      // The file was deleted after it was compiled.
      return start
    }
    return ('severity' in module ? undefined : placeInDefinition(module, path)) ?? start
  }
}

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
    const named = node.specifiers.find(({ exported }) => nodeName(exported) === 'default')
    if (named !== undefined) return named.local
  }
  return undefined
}

/** Resolves an identifier to the value of the module's variable of that name; returns other nodes as they are. */
export function written(node: AnyNode, program: Program): AnyNode {
  return (node.type === 'Identifier' ? topLevelValues(program).get(node.name) : undefined) ?? node
}

interface DefinitionPart {
  readonly at: number
  readonly value: AnyNode
}

function partOf(node: AnyNode, step: PropertyKey): DefinitionPart | undefined {
  if (node.type === 'ArrayExpression') {
    const index = Number(step)
    const element = node.elements[index]
    // After a spread such as `...others` the indices of elements are not known.
    const counted = node.elements.slice(0, index + 1).every((one) => one?.type !== 'SpreadElement')
    return element && counted ? { at: element.start, value: element } : undefined
  }
  if (node.type !== 'ObjectExpression') return undefined
  // Of properties with the same name, the last one counts.
  const property = node.properties.findLast((one) => one.type === 'Property' && propertyName(one) === String(step))
  return property?.type === 'Property' ? { at: property.start, value: property.value } : undefined
}
