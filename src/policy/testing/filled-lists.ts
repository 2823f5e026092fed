import type { Syntax, SyntaxTree } from '../compile/syntax/syntax-walk.ts'

/** Returns the names of a module's constants that are non-empty array literals. */
export function filledLists({ body }: SyntaxTree): ReadonlySet<string> {
  const declared = body.flatMap((statement) => {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    return declaration?.type === 'VariableDeclaration' && declaration.kind === 'const' ? declaration.declarations : []
  })
  const lists = declared.filter(({ init }) => init && isFilled(init))
  return new Set(lists.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : [])))
}

/** Returns true for an array literal that is certainly not empty. */
export function isFilled(node: Syntax): boolean {
  return node.type === 'ArrayExpression' && node.elements.some((element) => element?.type !== 'SpreadElement')
}
