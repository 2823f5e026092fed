import { type Syntax, type SyntaxTree, type Visited, walkSyntax } from '../rules/load/policy/syntax-walk.ts'

/** What a policy says of itself. No example can notice a change of it, for none of it takes part in deciding. */
const describing: ReadonlySet<string> = new Set(['id', 'description', 'on', 'tool', 'facts', 'onFailure', 'examples'])

/** The parts of a module that describe its policy, and what nothing but those parts makes use of. */
export function descriptionNodes(tree: SyntaxTree): ReadonlySet<Syntax> {
  const found = new Set<Syntax>()
  const local = localNameOf(tree, 'definePolicy')
  const declared = new Map<string, Syntax>()
  walkSyntax(tree, (at) => {
    if (at.node.type === 'VariableDeclarator' && at.node.id.type === 'Identifier')
      declared.set(at.node.id.name, at.node)
    if (isDefinition(at, local)) for (const part of describingParts(at.node)) found.add(part)
    return undefined
  })
  // Each round may leave the names unused that the parts of the last one were the only ones to use.
  for (let before = -1; before < found.size;) {
    before = found.size
    const used = namesUsed(tree, found)
    for (const [name, declarator] of declared) if (!used.has(name)) found.add(declarator)
  }
  return found
}

/** What a module calls one of the names that it imports from `hookgate/policy`. */
export function localNameOf(tree: SyntaxTree, name: string): string | undefined {
  for (const statement of tree.body) {
    if (statement.type !== 'ImportDeclaration' || statement.source.value !== 'hookgate/policy') continue
    for (const specifier of statement.specifiers) {
      if (specifier.type === 'ImportSpecifier' && nameOf(specifier.imported) === name) return specifier.local.name
    }
  }
  return undefined
}

/** The name of an identifier, or the text of a string; `undefined` for what has to be computed. */
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

/** Of a param, its default takes part: it is what `decide` is given where nobody sets another. */
function undecidingParams(params: Syntax): readonly Syntax[] {
  if (params.type !== 'ObjectExpression') return []
  return params.properties.flatMap((param): readonly Syntax[] => {
    if (param.type !== 'Property' || param.value.type !== 'ObjectExpression') return []
    return param.value.properties.filter((part) => part.type !== 'Property' || nameOf(part.key) !== 'default')
  })
}

function namesUsed(tree: SyntaxTree, except: ReadonlySet<Syntax>): ReadonlySet<string> {
  const used = new Set<string>()
  walkSyntax(tree, ({ node, parent, key }) => {
    if (except.has(node)) return 'skip'
    if (node.type !== 'Identifier') return undefined
    const above = parent?.node
    const isName =
      (above?.type === 'VariableDeclarator' && key === 'id') ||
      (above?.type === 'MemberExpression' && key === 'property' && !above.computed) ||
      (above?.type === 'Property' && key === 'key' && !above.computed)
    if (!isName) used.add(node.name)
    return undefined
  })
  return used
}
