import type { AnyNode } from 'acorn'
import { limits } from '../../../model/limits.ts'
import { quoted } from '../../../model/text.ts'
import type { Problem } from '../../../model/errors.ts'
import { didYouMean } from '../../../words/suggest.ts'
import { libraryNames } from '../compile-library.ts'
import type { ModuleInterface } from '../syntax/module-interface.ts'
import { boundBy, nodesOf, patternNames, problemAt, type Visited } from '../syntax/nodes.ts'
import { libraryName, type ParsedModule } from '../syntax/parse-module.ts'

/**
 * Finds names that a module uses but nothing declares: in code that no example reaches, only an event would show them.
 *
 * INVARIANT: no false positives. A name that is declared anywhere in the module is not reported, wherever it is used,
 * nor is one whose existence the module tests, or whose absence it catches.
 */
export function undeclaredNames(module: ParsedModule, { imports }: ModuleInterface): Problem[] {
  const { declared, used, probed } = moduleNames(module)
  const imported = imports.map(({ local }) => local)
  for (const name of imported) declared.add(name)
  const unknown = [...used].filter(([name]) => !declared.has(name) && !probed.has(name) && !isKnown(name))
  return unknown.slice(0, limits.policyProblemsMax).map(([name, at]) => {
    const message = `${quoted(name)} is not declared, and policies have no global of that name`
    return problemAt(module, at, message, remedyFor(name, imported))
  })
}

/** Returns true for a name that needs no declaration; `arguments` exists in every function. */
const isKnown = (name: string) => name === 'arguments' || isRealmName(name)

/**
 * INVARIANT: exactly the globals of the realm that policies run in; a test compares them. The properties of
 * `Object.prototype` exist there as well, because the global object inherits them.
 */
const realmGlobals: ReadonlySet<string> = new Set(
  `globalThis Infinity NaN undefined isFinite isNaN parseFloat parseInt
  decodeURI decodeURIComponent encodeURI encodeURIComponent
  Object Array Number Boolean String Symbol BigInt Date RegExp JSON Math
  Map Set WeakMap WeakSet Iterator Proxy Reflect DisposableStack SuppressedError
  Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError`.split(/\s+/),
)

/** Returns true if a name exists in the realm without a declaration. */
export function isRealmName(name: string): boolean {
  return realmGlobals.has(name) || name in Object.prototype
}

interface Names {
  readonly declared: Set<string>
  /** The offset of each name's first use. */
  readonly used: ReadonlyMap<string, number>
  /** Names whose existence the module tests. */
  readonly probed: ReadonlySet<string>
}

function moduleNames({ ast }: ParsedModule): Names {
  const declared = new Set<string>()
  const used = new Map<string, number>()
  const probed = new Set<string>()
  const spelled = new Set<string>()
  for (const at of nodesOf(ast)) {
    const { node, parent } = at
    for (const pattern of boundBy(node)) for (const name of patternNames(pattern)) declared.add(name)
    if (node.type === 'Identifier') {
      if (parent?.node.type === 'UnaryExpression' && parent.node.operator === 'typeof') probed.add(node.name)
      else if (!isReference(at)) spelled.add(node.name)
      else if (!used.has(node.name) && !isCaught(at)) used.set(node.name, node.start)
    } else if (node.type === 'Literal' && typeof node.value === 'string') spelled.add(node.value)
  }
  // A module that uses the global object may test it for any name that the module spells.
  return { declared, used, probed: used.has('globalThis') ? new Set([...probed, ...spelled]) : probed }
}

/** Returns true if an identifier refers to a variable, and is no property, label or name in another module. */
function isReference({ key, parent }: Visited): boolean {
  if (parent === undefined) return false
  const { node } = parent
  if (node.type === 'MemberExpression') return key === 'object' || node.computed
  if (node.type === 'Property' || node.type === 'MethodDefinition' || node.type === 'PropertyDefinition') {
    return key === 'value' || node.computed
  }
  return !(node.type === 'LabeledStatement' ? key === 'label' : namingTypes.has(node.type))
}

/** Nodes whose identifiers declare a variable, or name something that is no variable. */
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

/** Returns true within a `try` block whose `catch` would handle the `ReferenceError`. */
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
/** Bounds the search for a similar name: a comparison costs the product of the lengths, and imports may be many. */
const longestName = 100
const namesComparedMax = 1000

/** Globals of other hosts, and of CommonJS modules. */
const hostNames: ReadonlySet<string> = new Set(
  'require module exports __dirname __filename window document self Deno Bun'.split(' '),
)
