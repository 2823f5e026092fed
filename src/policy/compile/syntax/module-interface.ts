import type { ExportAllDeclaration, ExportDefaultDeclaration, ExportNamedDeclaration, ImportDeclaration } from 'acorn'
import { limits } from '../../../model/limits.ts'
import type { Problem } from '../../../model/errors.ts'
import { quoted, quotedSome } from '../../../model/text.ts'
import { didYouMean } from '../../../words/suggest.ts'
import { nodeName, patternNames, problemAt, type SourceText } from './nodes.ts'
import type { ParsedModule } from './parse-module.ts'

/** One `import` or `export … from` statement's request for a module. */
export interface ImportRequest {
  readonly specifier: string
  readonly at: number
}

/** A name imported from a request; `undefined` stands for the namespace. */
interface ImportedName {
  readonly request: number
  readonly name: string | undefined
  readonly at: number
}

interface Imported extends ImportedName {
  readonly local: string
}

type Exported =
  | { readonly kind: 'local'; readonly as: string; readonly local: string; readonly at: number }
  /** `export default` of an expression, or of a function or class without a name. */
  | { readonly kind: 'default'; readonly as: 'default'; readonly at: number }
  | ({ readonly kind: 'taken'; readonly as: string } & ImportedName)
  | { readonly kind: 'star'; readonly request: number; readonly at: number }

/** A module's imports and exports, in source order. */
export interface ModuleInterface {
  readonly requests: readonly ImportRequest[]
  readonly imports: readonly Imported[]
  readonly exports: readonly Exported[]
  /** Offsets of import attributes, which no policy module may have. */
  readonly attributes: readonly number[]
}

/** Returns what a module imports and exports. */
export function interfaceOf({ ast }: ParsedModule): ModuleInterface {
  const found: MutableInterface = { requests: [], imports: [], exports: [], attributes: [] }
  for (const node of ast.body) {
    if (node.type === 'ImportDeclaration') readImport(node, found)
    else if (node.type === 'ExportNamedDeclaration') readNamed(node, found)
    else if (node.type === 'ExportDefaultDeclaration') found.exports.push(defaultExport(node))
    else if (node.type === 'ExportAllDeclaration') readAll(node, found)
  }
  const imported = new Map(found.imports.map((one) => [one.local, one]))
  // A re-exported import belongs to the other module: two paths to one binding are not ambiguous.
  const exports = found.exports.map((one): Exported => {
    const taken = one.kind === 'local' ? imported.get(one.local) : undefined
    if (one.kind !== 'local' || taken === undefined) return one
    return { kind: 'taken', as: one.as, request: taken.request, name: taken.name, at: one.at }
  })
  return { ...found, exports }
}

interface MutableInterface {
  readonly requests: ImportRequest[]
  readonly imports: Imported[]
  readonly exports: Exported[]
  readonly attributes: number[]
}

function addRequest(
  node: ImportDeclaration | ExportNamedDeclaration | ExportAllDeclaration,
  found: MutableInterface,
): number {
  const [attribute] = node.attributes
  if (attribute !== undefined) found.attributes.push(attribute.start)
  const { source } = node
  return found.requests.push({ specifier: String(source?.value), at: source?.start ?? node.start }) - 1
}

function readImport(node: ImportDeclaration, found: MutableInterface): void {
  const request = addRequest(node, found)
  for (const specifier of node.specifiers) {
    const { start: at, local } = specifier
    found.imports.push({ request, name: importedName(specifier), local: local.name, at })
  }
}

function importedName(specifier: ImportDeclaration['specifiers'][number]): string | undefined {
  switch (specifier.type) {
    case 'ImportSpecifier':
      return nodeName(specifier.imported)
    case 'ImportDefaultSpecifier':
      return 'default'
    case 'ImportNamespaceSpecifier':
      return undefined
  }
}

function readNamed(node: ExportNamedDeclaration, found: MutableInterface): void {
  const { declaration } = node
  if (declaration?.type === 'VariableDeclaration') {
    for (const { id } of declaration.declarations) {
      for (const name of patternNames(id)) found.exports.push({ kind: 'local', as: name, local: name, at: node.start })
    }
  } else if (declaration) {
    const { name } = declaration.id
    found.exports.push({ kind: 'local', as: name, local: name, at: node.start })
  }
  const request = node.source ? addRequest(node, found) : undefined
  for (const { local, exported, start: at } of node.specifiers) {
    const [name = '', as = ''] = [nodeName(local), nodeName(exported)]
    if (request === undefined) found.exports.push({ kind: 'local', as, local: name, at })
    else found.exports.push({ kind: 'taken', as, request, name, at })
  }
}

function defaultExport({ declaration, start: at }: ExportDefaultDeclaration): Exported {
  const declares = declaration.type === 'FunctionDeclaration' || declaration.type === 'ClassDeclaration'
  if (!declares || declaration.id === null) return { kind: 'default', as: 'default', at }
  return { kind: 'local', as: 'default', local: declaration.id.name, at }
}

function readAll(node: ExportAllDeclaration, found: MutableInterface): void {
  const request = addRequest(node, found)
  const at = node.start
  if (!node.exported) found.exports.push({ kind: 'star', request, at })
  else found.exports.push({ kind: 'taken', as: nodeName(node.exported) ?? '', request, name: undefined, at })
}

/** The exports of a requested module: each name with the origin of its binding. */
export interface ModuleExports {
  readonly names: ReadonlyMap<string, BindingOrigin>
}

/** Identifies an exported binding by text; `ambiguous` if two modules export different bindings under one name. */
export type BindingOrigin = string

const ambiguous: BindingOrigin = 'ambiguous'

export const originOf = (key: string, local: string): BindingOrigin => `${local} of ${key}`

/**
 * Returns the names that a module exports, including those of `export *`.
 *
 * @param offers the exports of each requested module, by its index in `requests`; `undefined` for one with problems
 */
export function exportedNames(
  { exports }: ModuleInterface,
  key: string,
  offers: readonly (ModuleExports | undefined)[],
): ReadonlyMap<string, BindingOrigin> {
  const names = new Map<string, BindingOrigin>()
  for (const one of exports) if (one.kind !== 'star') names.set(one.as, directOrigin(one, key, offers))
  const own = new Set(names.keys())
  for (const one of exports) {
    if (one.kind !== 'star') continue
    for (const [name, origin] of offers[one.request]?.names ?? []) {
      if (name === 'default' || own.has(name)) continue
      const known = names.get(name)
      names.set(name, known === undefined || known === origin ? origin : ambiguous)
    }
  }
  return names
}

function directOrigin(
  one: Exclude<Exported, { kind: 'star' }>,
  key: string,
  offers: readonly (ModuleExports | undefined)[],
): BindingOrigin {
  switch (one.kind) {
    case 'local':
      return originOf(key, one.local)
    case 'default':
      return originOf(key, '*default*')
    case 'taken':
      return (
        (one.name === undefined ? undefined : offers[one.request]?.names.get(one.name)) ??
        originOf(`${key} ${one.request}`, one.name ?? '*')
      )
  }
}

/** Returns a problem for each imported name that does not exist or is ambiguous. @param offers as of `exportedNames` */
export function importProblems(
  module: SourceText,
  { requests, imports, exports }: ModuleInterface,
  offers: readonly (ModuleExports | undefined)[],
): Problem[] {
  const taken = [...exports.filter((one) => one.kind === 'taken'), ...imports]
  const offered = ({ request }: { request: number }) => offers[request]?.names
  const unknown = taken.filter((one) => {
    const names = offered(one)
    if (one.name === undefined || names === undefined) return false
    return (names.get(one.name) ?? ambiguous) === ambiguous
  })
  // A re-exported import would be reported twice.
  const unique = new Map(unknown.map((one) => [`${one.request} ${one.name}`, one]))
  return [...unique.values()].slice(0, limits.policyProblemsMax).map((one) => {
    const name = one.name ?? ''
    const names = offered(one)
    const specifier = quoted(requests[one.request]?.specifier ?? '')
    if (names?.has(name)) {
      const message = `${specifier} has several exports named ${quoted(name)}`
      return problemAt(module, one.at, message, 'import it from the file that defines it')
    }
    const message = name === 'default' ? `${specifier} has no default export` : `${specifier} has no ${quoted(name)}`
    return problemAt(module, one.at, message, remedyFor(name, [...(names?.keys() ?? [])], module.file))
  })
}

function remedyFor(name: string, offered: readonly string[], file: string): string {
  const meant = name.length <= longestName ? didYouMean(name, offered) : undefined
  if (meant !== undefined) return meant
  const type = /\.m?ts$/.test(file) ? ' (a type is imported with `import type`)' : ''
  if (offered.length === 0) return `it exports nothing${type}`
  return `it has ${quotedSome(offered.toSorted())}${type}`
}
/** Names longer than this get no suggestion: comparing two names costs the product of their lengths. */
const longestName = 100
