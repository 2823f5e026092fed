import type { ExportAllDeclaration, ExportDefaultDeclaration, ExportNamedDeclaration, ImportDeclaration } from 'acorn'
import { nodeName, patternNames } from './nodes.ts'
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

export type Exported =
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
