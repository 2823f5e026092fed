import type { AnyNode } from 'acorn'
import { limits } from '../../../model/limits.ts'
import { quoted } from '../../../model/text.ts'
import type { Problem } from '../../../model/problem.ts'
import { didYouMean } from '../../../model/suggest.ts'
import { libraryNames } from '../compile-library.ts'
import type { ModuleInterface } from '../syntax/module-interface.ts'
import { boundBy } from '../syntax/names-within.ts'
import { namesIn } from '../syntax/nodes.ts'
import type { ParsedModule } from '../syntax/parse-module.ts'
import { problemAt } from '../syntax/problem-at.ts'
import { isRealmName } from './realm-names.ts'
import { libraryName } from '../syntax/resolve-import.ts'
import { type Visited, walkSyntax } from '../syntax/syntax-walk.ts'

/**
 * Names that a module uses and that nothing declares: where no example comes, only an event would find out.
 *
 * INVARIANT: what is told is certain. A name that is declared anywhere in the module is left alone, wherever it is used,
 * and so is one that the module asks for before it uses it, or whose absence it catches.
 */
export function undeclaredNames(module: ParsedModule, { imports }: ModuleInterface): Problem[] {
  const { declared, used, asked } = namesOf(module)
  const imported = imports.map(({ local }) => local)
  for (const name of imported) declared.add(name)
  const unknown = [...used].filter(([name]) => !declared.has(name) && !asked.has(name) && !isKnown(name))
  return unknown.slice(0, limits.policyProblemsMax).map(([name, at]) => {
    const message = `${quoted(name)} is not declared, and policies have no global of that name`
    return problemAt(module, at, message, remedyFor(name, imported))
  })
}

/** Every function has its `arguments`. */
const isKnown = (name: string) => name === 'arguments' || isRealmName(name)

interface Names {
  readonly declared: Set<string>
  /** Where each is used first. */
  readonly used: ReadonlyMap<string, number>
  /** Names of which the module asks whether they are there. */
  readonly asked: ReadonlySet<string>
}

function namesOf({ ast }: ParsedModule): Names {
  const declared = new Set<string>()
  const used = new Map<string, number>()
  const asked = new Set<string>()
  const spelled = new Set<string>()
  walkSyntax(ast, (at) => {
    const { node, parent } = at
    for (const pattern of boundBy(node)) for (const name of namesIn(pattern)) declared.add(name)
    if (node.type === 'Identifier') {
      if (parent?.node.type === 'UnaryExpression' && parent.node.operator === 'typeof') asked.add(node.name)
      else if (!isReference(at)) spelled.add(node.name)
      else if (!used.has(node.name) && !isCaught(at)) used.set(node.name, node.start)
    } else if (node.type === 'Literal' && typeof node.value === 'string') spelled.add(node.value)
    return undefined
  })
  // Whoever looks at the global object may look for any name that the module spells.
  return { declared, used, asked: used.has('globalThis') ? new Set([...asked, ...spelled]) : asked }
}

/** Whether a name stands for a variable, and not for a property, a label or what another module calls it. */
function isReference({ key, parent }: Visited): boolean {
  if (parent === undefined) return false
  const { node } = parent
  if (node.type === 'MemberExpression') return key === 'object' || node.computed
  if (node.type === 'Property' || node.type === 'MethodDefinition' || node.type === 'PropertyDefinition') {
    return key === 'value' || node.computed
  }
  return !(node.type === 'LabeledStatement' ? key === 'label' : namingTypes.has(node.type))
}

/** What names something that is no variable, or declares one. */
const namingTypes: ReadonlySet<AnyNode['type']> = new Set<AnyNode['type']>([
  'BreakStatement',
  'ContinueStatement',
  'MetaProperty',
  'ImportSpecifier',
  'ImportDefaultSpecifier',
  'ImportNamespaceSpecifier',
  'ImportAttribute',
  'ExportSpecifier',
  'ExportAllDeclaration',
])

/** Whether it is in a `try` whose `catch` would be told that it is not there. */
function isCaught(at: Visited): boolean {
  for (let one: Visited | undefined = at; one?.parent !== undefined; one = one.parent) {
    const { node } = one.parent
    if (node.type === 'TryStatement' && one.key === 'block' && node.handler) return true
  }
  return false
}

function remedyFor(name: string, imported: readonly string[]): string {
  const library = [...libraryNames()]
  if (library.includes(name)) return `import it from \`${libraryName}\``
  if (name.length > longestName) return declareIt
  const meant = didYouMean(name, imported.slice(0, namesComparedMax)) ?? didYouMean(name, library)
  if (meant !== undefined) return meant
  if (name in globalThis || hostNames.has(name)) {
    return 'a policy is pure ECMAScript; declare what it needs to know about the outside world in `facts`'
  }
  return declareIt
}
const declareIt = 'declare it, or import it'
/** Comparing two words takes the product of their lengths, and a module may import names by the ten thousand. */
const longestName = 100
const namesComparedMax = 1000

/** What other hosts than this one have, or modules of another kind. */
const hostNames: ReadonlySet<string> = new Set(
  'require module exports __dirname __filename window document self Deno Bun'.split(' '),
)
