import { type Syntax, type SyntaxTree, type Visited, walkSyntax } from '../compile/syntax/syntax-walk.ts'

/** Keys of a policy that cannot affect its decision, so that no example can detect a change of them. */
const describing: ReadonlySet<string> = new Set([
  'id',
  'description',
  'severity',
  'on',
  'tool',
  'facts',
  'onFailure',
  'examples',
])

/** Returns the nodes that only describe a policy, and the declarations and imports that only those nodes use. */
export function descriptionNodes(tree: SyntaxTree): ReadonlySet<Syntax> {
  const found = new Set<Syntax>()
  const local = localNameOf(tree, 'definePolicy')
  const declared = new Map<string, Syntax>()
  walkSyntax(tree, (at) => {
    const name = declaredBy(at)
    if (name !== undefined) declared.set(name, at.node)
    if (isDefinition(at, local)) for (const part of describingParts(at.node)) found.add(part)
    return undefined
  })
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

/** Returns the local name of an import from `hookgate/policy`. */
function localNameOf(tree: SyntaxTree, name: string): string | undefined {
  for (const statement of tree.body) {
    if (statement.type !== 'ImportDeclaration' || statement.source.value !== 'hookgate/policy') continue
    for (const specifier of statement.specifiers) {
      if (specifier.type === 'ImportSpecifier' && nameOf(specifier.imported) === name) return specifier.local.name
    }
  }
  return undefined
}

/** Returns the name of an identifier, or the text of a string; `undefined` for any other node. */
export function nameOf(node: Syntax): string | undefined {
  if (node.type === 'Identifier') return node.name
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined
}

function isDefinition({ node, parent, key }: Visited, local: string | undefined): boolean {
  if (node.type !== 'ObjectExpression') return false
  if (parent?.node.type === 'ExportDefaultDeclaration') return true
  return parent?.node.type === 'CallExpression' && key === 'arguments' && nameOf(parent.node.callee) === local
}

function describingParts(node: Syntax): readonly Syntax[] {
  if (node.type !== 'ObjectExpression') return []
  return node.properties.flatMap((property): readonly Syntax[] => {
    if (property.type !== 'Property' || property.computed) return []
    const name = nameOf(property.key)
    if (name === 'params') return undecidingParams(property.value)
    return name !== undefined && describing.has(name) ? [property] : []
  })
}

/** Returns the properties of params except their defaults, which `decide` receives if the rule sets no value. */
function undecidingParams(params: Syntax): readonly Syntax[] {
  if (params.type !== 'ObjectExpression') return []
  return params.properties.flatMap((param): readonly Syntax[] => {
    if (param.type !== 'Property' || param.value.type !== 'ObjectExpression') return []
    return param.value.properties.filter((part) => part.type !== 'Property' || nameOf(part.key) !== 'default')
  })
}

interface NamesUsed {
  readonly within: ReadonlySet<string>
  readonly elsewhere: ReadonlySet<string>
}

function namesUsed(tree: SyntaxTree, parts: ReadonlySet<Syntax>): NamesUsed {
  const elsewhere = new Set<string>()
  walkSyntax(tree, (at) => {
    if (parts.has(at.node)) return 'skip'
    if (at.node.type === 'Identifier' && isUse(at)) elsewhere.add(at.node.name)
    return undefined
  })
  const within = new Set<string>()
  for (const part of parts) {
    walkSyntax(part, ({ node }) => {
      if (node.type === 'Identifier') within.add(node.name)
      return undefined
    })
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
