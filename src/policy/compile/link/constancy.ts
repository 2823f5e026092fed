import type { AnyNode, Program } from 'acorn'
import {
  type Flaw,
  askedByTheLanguage,
  type ConstantNames,
  declarationFlaw,
  notCallable,
  notConstant,
} from './constant-expression.ts'
import type { ModuleInterface } from '../syntax/module-interface.ts'
import { boundBy } from '../syntax/names-within.ts'
import { namesIn, nodesOf, targetOf } from '../syntax/nodes.ts'
import type { ParsedModule } from '../syntax/parse-module.ts'
import { libraryName } from '../syntax/resolve-import.ts'
import { type Visited, walkSyntax } from '../syntax/syntax-walk.ts'

/** What a module is by itself; whether what it imports is constant too turns out when it is linked. */
export interface Constancy {
  /** `undefined` where nothing that it says itself could hold a state. */
  readonly flaw: Flaw | undefined
  /** Functions of its top level that other modules may call while they are made. */
  readonly callable: ReadonlySet<string>
  /** Imported functions that it calls while it is made: they have to be such, or constructors of the library. */
  readonly calls: readonly { readonly request: number; readonly name: string; readonly at: number }[]
  /** What is to be frozen besides its exports. */
  readonly kept: readonly string[]
}

/**
 * Whether a module can hold no state, so that it need not be run again for each evaluation.
 *
 * INVARIANT: in a module that is found constant, and whose kept values and exports are then frozen with everything that
 * can be reached from them, there is no place that outlives a call and can be written to:
 * - Its variables are `const`, imports, or functions that nothing in it assigns to. `eval` does not exist.
 * - While it is made, none of its own code runs but that of callable functions, which make no functions. So no closure
 *   holds a variable of a call, or an object that only it can reach: what functions see is the variables above.
 * - `tableOf` runs any code, but of other modules, with what is frozen. It can reach nothing that this module makes, the
 *   clock stands still for it, and what becomes of its result is a copy that has no functions.
 * - What it makes are primitives, arrays, plain objects, functions and regular expressions without `g` and `y`, without
 *   accessors, symbols for keys, or prototypes of its own. Freezing these leaves them no state: a regular expression
 *   without those flags never writes its `lastIndex`, and the realm has no `compile`. `Set`, `Map`, `Date` and iterators,
 *   which no freezing stops, are not among them; those of the library's constructors have no way in but to look up.
 * - `super` could reach an object that no property leads to: the literal that a method was written in, whose prototype is
 *   not an intrinsic only where `__proto__` is written. Neither is allowed.
 * - All else that its functions reach is the realm's, frozen, or is made during the call.
 */
export function constancyOf(module: ParsedModule, face: ModuleInterface): Constancy {
  const { ast } = module
  const written = writtenIn(ast)
  const changes = changesIn(ast)
  const imported = new Map(face.imports.map((one) => [one.local, one]))
  const calls = new Map<string, Constancy['calls'][number]>()
  const known = new Map<string, boolean>()

  const isOwnCallable = (name: string): boolean => {
    const before = known.get(name)
    if (before !== undefined) return before
    // Who comes back to it while it is looked at calls itself.
    known.set(name, false)
    const node = written.get(name)
    // What other modules may call, calls none of others.
    const own = { ...names, mayCall: isOwnCallable }
    const found = node !== undefined && notCallable(node, { names: own, locals: undefined }) === undefined
    known.set(name, found)
    return found
  }
  const names: ConstantNames = {
    isFixed: (name) => written.has(name) || imported.has(name),
    written: (name) => written.get(name),
    isImported: (name) => imported.has(name),
    isTableOf(name, at) {
      const one = imported.get(name)
      if (one?.name !== 'tableOf' || face.requests[one.request]?.specifier !== libraryName) return false
      calls.set(name, { request: one.request, name: one.name, at })
      return true
    },
    mayCall(name, at) {
      const one = imported.get(name)
      if (one?.name === undefined) return isOwnCallable(name)
      if (!calls.has(name)) calls.set(name, { request: one.request, name: one.name, at })
      return true
    },
  }
  const flaw =
    earliest([reassigned(written, changes.assigned), ...hidden(module), exportFlaw(face)]) ??
    topLevelFlaw(ast, names) ??
    changedInPlace(changes, names)
  const callable = new Set([...written.keys()].filter(isOwnCallable))
  return { flaw, callable, calls: [...calls.values()], kept: [...written.keys()] }
}

/** By name, what each `const` and function of the top level is; the pattern of one that is taken apart. */
function writtenIn({ body }: Program): ReadonlyMap<string, AnyNode> {
  const written = new Map<string, AnyNode>()
  for (const statement of body) {
    const exported = statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration'
    const direct = exported ? statement.declaration : statement
    if (direct?.type === 'VariableDeclaration' && direct.kind === 'const') {
      for (const { id, init } of direct.declarations) {
        if (id.type === 'Identifier' && init) written.set(id.name, init)
        else for (const name of namesIn(id)) written.set(name, id)
      }
    } else if (direct?.type === 'FunctionDeclaration' && direct.id !== null) written.set(direct.id.name, direct)
  }
  return written
}

function topLevelFlaw({ body }: Program, names: ConstantNames): Flaw | undefined {
  for (const statement of body) {
    const found = statementFlaw(statement, names)
    if (found !== undefined) return found
  }
  return undefined
}

function statementFlaw(statement: AnyNode, names: ConstantNames): Flaw | undefined {
  const scope = { names, locals: undefined }
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- whatever is not known is no constant
  switch (statement.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'FunctionDeclaration':
    case 'EmptyStatement':
      return undefined
    case 'ExportNamedDeclaration':
      return statement.declaration ? statementFlaw(statement.declaration, names) : undefined
    case 'ExportDefaultDeclaration':
      return statement.declaration.type === 'FunctionDeclaration'
        ? undefined
        : notConstant(statement.declaration, scope)
    case 'VariableDeclaration':
      return declarationFlaw(statement, scope)
    case 'ExpressionStatement':
      return notConstant(statement.expression, scope)
    case 'ClassDeclaration':
      return { at: statement.start, why: 'a class is not constant' }
    default:
      return { at: statement.start, why: 'it is a statement, not a declaration' }
  }
}

/** A function's name is a variable. */
function reassigned(written: ReadonlyMap<string, AnyNode>, assigned: ReadonlyMap<string, number>): Flaw | undefined {
  for (const [name, node] of written) {
    const at = node.type === 'FunctionDeclaration' ? assigned.get(name) : undefined
    if (at !== undefined) return { at, why: `the function \`${name}\` is reassigned` }
  }
  return undefined
}

/** `super` outside of classes, which are made anew in each call. */
function hidden({ ast, text }: ParsedModule): Flaw[] {
  const found: Flaw[] = []
  if (!text.includes('super')) return found
  walkSyntax(ast, (at) => {
    if (at.node.type === 'Super' && !isInClass(at)) found.push({ at: at.node.start, why: '`super` is not constant' })
    return undefined
  })
  return found
}

function isInClass(at: Visited): boolean {
  for (let one: Visited | undefined = at; one !== undefined; one = one.parent) {
    if (one.node.type === 'ClassBody') return true
    // A computed key is one of what is around the class.
    if (one.node.type === 'ObjectExpression' || one.key === 'key') return false
  }
  return false
}

/** The whole of a module's exports is an object too. */
function exportFlaw({ exports }: ModuleInterface): Flaw | undefined {
  const asked = exports.find((one) => one.kind !== 'star' && askedByTheLanguage.has(one.as))
  return asked && { at: asked.at, why: 'an export has a name that JavaScript itself looks up' }
}

/**
 * Whether a `const` is used as a place to write to within an evaluation, as a list of what was seen. That would throw if
 * it were frozen; so the module is run afresh, where it does what its author meant.
 */
function changedInPlace({ inPlace, declared }: Changes, names: ConstantNames): Flaw | undefined {
  const own = inPlace.filter(({ root }) => names.isFixed(root) && declared.get(root) === 1)
  return earliest(own.map(({ root, at }) => ({ at, why: `\`${root}\` is changed` })))
}

/** What is written to in a module. */
interface Changes {
  /** By name, where something of that name is first assigned to, whichever variable it is. */
  readonly assigned: ReadonlyMap<string, number>
  /** What a name stands for, or a part of it. */
  readonly inPlace: readonly { readonly root: string; readonly at: number }[]
  /** How often each name is declared: what stands for several things is left alone. */
  readonly declared: ReadonlyMap<string, number>
}

function changesIn(ast: AnyNode): Changes {
  const assigned = new Map<string, number>()
  const declared = new Map<string, number>()
  const inPlace: { root: string; at: number }[] = []
  for (const { node } of nodesOf(ast)) {
    for (const pattern of boundBy(node)) {
      for (const name of namesIn(pattern)) declared.set(name, (declared.get(name) ?? 0) + 1)
    }
    const target = targetOf(node)
    if (target !== undefined) {
      for (const name of namesIn(target)) if (!assigned.has(name)) assigned.set(name, node.start)
    }
    const root = rootOf(changedBy(node))
    if (root !== undefined) inPlace.push({ root, at: node.start })
  }
  return { assigned, declared, inPlace }
}

function changedBy(node: AnyNode): AnyNode | undefined {
  const target = targetOf(node)
  if (target?.type === 'MemberExpression') return target
  if (node.type === 'UnaryExpression' && node.operator === 'delete') return node.argument
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return undefined
  const { object, property, computed } = node.callee
  return !computed && property.type === 'Identifier' && changing.has(property.name) ? object : undefined
}

const changing: ReadonlySet<string> = new Set('push pop shift unshift splice sort reverse fill copyWithin'.split(' '))

function rootOf(node: AnyNode | undefined): string | undefined {
  let root = node
  while (root?.type === 'MemberExpression') root = root.object
  return root?.type === 'Identifier' ? root.name : undefined
}

function earliest(flaws: readonly (Flaw | undefined)[]): Flaw | undefined {
  return flaws.filter((one) => one !== undefined).toSorted((a, b) => a.at - b.at)[0]
}
