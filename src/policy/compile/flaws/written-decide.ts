import type { AnyNode, ArrowFunctionExpression, FunctionExpression, ObjectExpression } from 'acorn'
import { PolicyDefinition } from '../../../model/policy.ts'
import type { ModuleInterface } from '../syntax/module-interface.ts'
import type { ParsedModule } from '../syntax/parse-module.ts'
import { propertyName, nodesOf } from '../syntax/nodes.ts'
import { defaultValue, written } from '../syntax/place-in-definition.ts'
import { libraryName } from '../syntax/resolve-import.ts'

/** The `decide` function written in a call of `definePolicy`, with the names of the declared facts and params. */
interface WrittenDecide {
  readonly decide: FunctionExpression | ArrowFunctionExpression
  /** The declared names; `undefined` if not all of them are written in the call. */
  readonly facts: readonly string[] | undefined
  readonly params: readonly string[] | undefined
}

/** @returns `undefined` unless it is certain that the sandbox will call this very function */
export function writtenDecide(module: ParsedModule, { requests, imports }: ModuleInterface): WrittenDecide | undefined {
  const exported = defaultValue(module.ast)
  const call = exported && written(exported, module.ast)
  if (call?.type !== 'CallExpression' || call.callee.type !== 'Identifier') return undefined
  const { name } = call.callee
  const callee = imports.find(({ local }) => local === name)
  const isOurs = callee?.name === 'definePolicy' && requests[callee.request]?.specifier === libraryName
  const [definition] = call.arguments
  if (!isOurs || definition?.type !== 'ObjectExpression') return undefined
  const parts = partsOf(definition)
  const decide = parts.get('decide')
  if (decide?.type !== 'FunctionExpression' && decide?.type !== 'ArrowFunctionExpression') return undefined
  // With an unknown key, such as a misspelt `facts`, the declared names are not known: that key is reported instead.
  const isUnderstood = !parts.isPartial && parts.names().every((key) => key === 'decide' || definitionKeys.has(key))
  const declared = (key: 'facts' | 'params') => {
    const value = parts.get(key)
    if (value?.type === 'ObjectExpression') {
      const declarations = partsOf(value)
      return declarations.isPartial ? undefined : declarations.names()
    }
    return isUnderstood && !parts.names().includes(key) ? [] : undefined
  }
  return { decide, facts: declared('facts'), params: declared('params') }
}

const definitionKeys: ReadonlySet<string> = new Set(Object.keys(PolicyDefinition.shape))

interface ObjectParts {
  /** True if the object may have more properties than those that are written. */
  readonly isPartial: boolean
  names(): readonly string[]
  /** Returns the value of a property; `undefined` if something after it may have replaced it. */
  get(name: string): AnyNode | undefined
}

function partsOf({ properties }: ObjectExpression): ObjectParts {
  const values = new Map<string, { readonly value: AnyNode; readonly at: number }>()
  let opaque = -1
  for (const [at, property] of properties.entries()) {
    const key = property.type === 'Property' ? propertyName(property) : undefined
    if (property.type === 'Property' && key !== undefined && key !== '__proto__') {
      // An accessor is stored as the property itself, because its function is not its value.
      values.set(key, { value: property.kind === 'init' ? property.value : property, at })
    } else opaque = at
  }
  const get = (name: string) => {
    const found = values.get(name)
    return found !== undefined && found.at > opaque ? found.value : undefined
  }
  return { isPartial: opaque >= 0, names: () => [...values.keys()], get }
}

/**
 * Returns true if `decide` certainly never reads the tool facts (`shell`, `paths`, `changes` and `impacts`), which are then not determined.
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
    const name = property.type === 'Property' ? propertyName(property) : undefined
    if (name === undefined || ['shell', 'paths', 'changes', 'impacts'].includes(name)) return false
  }
  // `arguments` would give access to the whole input; an arrow function at the top level has none.
  for (const { node } of nodesOf(decide)) if (node.type === 'Identifier' && node.name === 'arguments') return false
  return true
}
