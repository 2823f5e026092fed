import type { Syntax, SyntaxTree } from '../compile/syntax/syntax-walk.ts'

/** The constants of a module that are lists with something in them. */
export function filledLists({ body }: SyntaxTree): ReadonlySet<string> {
  const declared = body.flatMap((statement) => {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    return declaration?.type === 'VariableDeclaration' && declaration.kind === 'const' ? declaration.declarations : []
  })
  const lists = declared.filter(({ init }) => init && isFilled(init))
  return new Set(lists.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : [])))
}

/** A list that is written out, with something in it. */
export function isFilled(node: Syntax): boolean {
  return node.type === 'ArrayExpression' && node.elements.some((element) => element?.type !== 'SpreadElement')
}
