import type { AnyNode, Program } from 'acorn'
import { nodeName, nodesOf, type Visited } from '../compile/syntax/nodes.ts'
import { libraryName } from '../compile/syntax/parse-module.ts'

/** Keys of a policy that cannot affect its decision, so that no example can detect a change of them. */
const describing: ReadonlySet<string> = new Set([
  'id',
  'description',
  'severity',
  'on',
  'tool',
  'interest',
  'carried',
  'facts',
  'onFailure',
  'approvable',
  'terminalOnly',
  'examples',
])

/** Returns the nodes that only describe a policy, and the declarations and imports that only those nodes use. */
export function descriptionNodes(tree: Program): ReadonlySet<AnyNode> {
  const found = new Set<AnyNode>()
  const local = [...libraryImports(tree)].find(([, name]) => name === 'definePolicy')?.[0]
  const declared = new Map<string, AnyNode>()
  for (const at of nodesOf(tree)) {
    const name = declaredBy(at)
    if (name !== undefined) declared.set(name, at.node)
    if (isDefinition(at, local)) for (const part of describingParts(at.node)) found.add(part)
  }
  // Each round may find names that only the parts of the last one use.
  for (let before = -1; before < found.size;) {
    before = found.size
    const { within, elsewhere } = namesUsed(tree, found)
    for (const [name, node] of declared) if (within.has(name) && !elsewhere.has(name)) found.add(node)
  }
  return found
}

/** Returns the name that a node imports, or declares at the top level without exporting it. */
function declaredBy({ node, parent }: Visited): string | undefined {
  if (node.type === 'ImportSpecifier' || node.type === 'ImportDefaultSpecifier') return node.local.name
  if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier') return undefined
  return parent?.parent?.node.type === 'Program' ? node.id.name : undefined
}

function isDefinition({ node, parent, key }: Visited, local: string | undefined): boolean {
  if (node.type !== 'ObjectExpression') return false
  if (parent?.node.type === 'ExportDefaultDeclaration') return true
  return parent?.node.type === 'CallExpression' && key === 'arguments' && nodeName(parent.node.callee) === local
}

function describingParts(node: AnyNode): readonly AnyNode[] {
  if (node.type !== 'ObjectExpression') return []
  return node.properties.flatMap((property): readonly AnyNode[] => {
    if (property.type !== 'Property' || property.computed) return []
    const name = nodeName(property.key)
    if (name === 'params') return undecidingParams(property.value)
    return name !== undefined && describing.has(name) ? [property] : []
  })
}

/** Returns the properties of params except their defaults, which `decide` receives if the rule sets no value. */
function undecidingParams(params: AnyNode): readonly AnyNode[] {
  if (params.type !== 'ObjectExpression') return []
  return params.properties.flatMap((param): readonly AnyNode[] => {
    if (param.type !== 'Property' || param.value.type !== 'ObjectExpression') return []
    return param.value.properties.filter((part) => part.type !== 'Property' || nodeName(part.key) !== 'default')
  })
}

interface NamesUsed {
  readonly within: ReadonlySet<string>
  readonly elsewhere: ReadonlySet<string>
}

function namesUsed(tree: Program, parts: ReadonlySet<AnyNode>): NamesUsed {
  const elsewhere = new Set<string>()
  for (const at of nodesOf(tree, ({ node }) => parts.has(node))) {
    if (at.node.type === 'Identifier' && isUse(at)) elsewhere.add(at.node.name)
  }
  const within = new Set<string>()
  for (const part of parts) {
    for (const { node } of nodesOf(part)) if (node.type === 'Identifier') within.add(node.name)
  }
  return { within, elsewhere }
}

/** Returns true if an identifier refers to a variable: it is no declaration, key or property name. */
function isUse({ key, parent }: Visited): boolean {
  const above = parent?.node
  if (above?.type === 'VariableDeclarator') return key !== 'id'
  if (above?.type === 'MemberExpression') return key !== 'property' || above.computed
  if (above?.type === 'Property') return key !== 'key' || above.computed
  return above?.type.startsWith('Import') !== true
}

/** Returns the exports of `hookgate/policy` that a module imports, by their local names. */
export function libraryImports({ body }: Program): ReadonlyMap<string, string> {
  const imports = new Map<string, string>()
  for (const statement of body) {
    if (statement.type !== 'ImportDeclaration' || statement.source.value !== libraryName) continue
    for (const specifier of statement.specifiers) {
      if (specifier.type === 'ImportSpecifier') imports.set(specifier.local.name, nodeName(specifier.imported) ?? '')
    }
  }
  return imports
}
