import type { AnyNode } from 'acorn'
import { limits } from '../../../model/limits.ts'
import type { Problem } from '../../../model/errors.ts'
import {
  callableFlaw,
  constantFlaw,
  type ConstantNames,
  declarationFlaw,
  flawOf,
  type StateFlaw,
} from './constant-expression.ts'
import type { ModuleInterface } from '../syntax/module-interface.ts'
import {
  nodesOf,
  patternNames,
  problemAt,
  type SourceText,
  targetOf,
  topLevelValues,
  type Visited,
} from '../syntax/nodes.ts'
import { libraryName, type ParsedModule } from '../syntax/parse-module.ts'

/** The result of checking a module's top level. */
export interface TopLevel {
  /** Constructs that could hold state between events. */
  readonly problems: readonly Problem[]
  /** Functions that other modules may call at their top level. */
  readonly callable: ReadonlySet<string>
  /** Calls of imported functions: those must be callable in their own module, or the library's. */
  readonly calls: readonly { readonly request: number; readonly name: string; readonly at: number }[]
}

/**
 * Finds constructs at the top level of a module that could hold state from one event to the next.
 *
 * INVARIANT: if a module has no such problems and is frozen with everything reachable from it, nothing that outlives a
 * call can be written to:
 * - Its variables are `const`, imports, or functions that nothing in it assigns to. `eval` does not exist.
 * - While it is evaluated, none of its own code runs except callable functions, which create no functions. So no
 *   closure holds a variable of a call, or an object that only it can reach: functions see only the variables above.
 * - `tableOf` runs any code, but only that of other modules, on frozen arguments. That code can reach nothing that this
 *   module creates, the clock stands still for it, and its result is copied without functions.
 * - The module creates only primitives, arrays, plain objects, functions and regular expressions without `g` and `y`,
 *   without accessors, symbol keys, or prototypes of its own. Frozen, these have no state: a regular expression without
 *   those flags never writes its `lastIndex`, and the realm has no `compile`. `Set`, `Map`, `Date` and iterators, which
 *   freezing does not make immutable, are not among them; those that the library creates offer look-ups only.
 * - `super` could reach an object that no property leads to: the object literal that contains the method, whose
 *   prototype is an intrinsic unless `__proto__` is written. Neither is allowed.
 * - Everything else that its functions reach belongs to the realm and is frozen, or is created during the call.
 */
export function topLevelOf(module: ParsedModule, face: ModuleInterface): TopLevel {
  const { ast } = module
  const values = topLevelValues(ast)
  const imported = new Map(face.imports.map((one) => [one.local, one]))
  const calls = new Map<string, TopLevel['calls'][number]>()
  const callability = new Map<string, boolean>()

  const isOwnCallable = (name: string): boolean => {
    const before = callability.get(name)
    if (before !== undefined) return before
    // A function that is reached again during its own check is recursive, which is not callable.
    callability.set(name, false)
    const node = values.get(name)
    // A callable function may call only functions of its own module.
    const isCallable = node !== undefined && callableFlaw(node, { ...names, mayCall: isOwnCallable }) === undefined
    callability.set(name, isCallable)
    return isCallable
  }
  const names: ConstantNames = {
    values,
    imported,
    isTableOf(name) {
      const one = imported.get(name)
      return one?.name === 'tableOf' && face.requests[one.request]?.specifier === libraryName
    },
    mayCall(name, at) {
      const one = imported.get(name)
      if (one?.name === undefined) return isOwnCallable(name)
      if (!calls.has(name)) calls.set(name, { request: one.request, name: one.name, at })
      return true
    },
  }
  const flaws = [...hiddenFlaws(ast, values), ...ast.body.flatMap((statement) => statementFlaw(statement, names) ?? [])]
  const inOrder = flaws.toSorted((a, b) => a.at - b.at).slice(0, limits.policyProblemsMax)
  const callable = new Set([...values.keys()].filter(isOwnCallable))
  return { problems: inOrder.map((flaw) => topLevelProblem(module, flaw)), callable, calls: [...calls.values()] }
}

export function topLevelProblem(module: SourceText, { at, what, remedy }: StateFlaw): Problem {
  const message = `${what} cannot stand at the top level of a policy: it could keep something from one event to the next`
  return problemAt(module, at, message, remedy)
}

function statementFlaw(statement: AnyNode, names: ConstantNames): StateFlaw | undefined {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- any other node is not constant
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
        : constantFlaw(statement.declaration, names)
    case 'VariableDeclaration':
      return declarationFlaw(statement, names)
    case 'ExpressionStatement':
      return constantFlaw(statement.expression, names)
    case 'ClassDeclaration':
      return flawOf(statement, 'a class', 'write functions, or put the class into the one that uses it')
    default:
      return flawOf(statement, 'a statement', 'put it into a function, such as `decide`')
  }
}

/**
 * Finds assignments to top-level functions, whose names are variables, and `super` outside of classes. Within a class it
 * is allowed, because classes are created anew in each call.
 */
function hiddenFlaws(ast: AnyNode, values: ReadonlyMap<string, AnyNode>): readonly StateFlaw[] {
  const found: StateFlaw[] = []
  const reassigned = new Set<string>()
  for (const at of nodesOf(ast)) {
    if (at.node.type === 'Super' && !isInClass(at))
      found.push(flawOf(at.node, 'an object with `super`', 'call the function by its name'))
    const target = targetOf(at.node)
    for (const name of target === undefined ? [] : patternNames(target)) {
      if (values.get(name)?.type !== 'FunctionDeclaration' || reassigned.has(name)) continue
      reassigned.add(name)
      const remedy = 'give the function and the variable different names'
      found.push(flawOf(at.node, `a function that is reassigned, as \`${name}\` is,`, remedy))
    }
  }
  return found
}

function isInClass(at: Visited): boolean {
  for (let one: Visited | undefined = at; one !== undefined; one = one.parent) {
    if (one.node.type === 'ClassBody') return true
    // A computed key belongs to the code around the class.
    if (one.node.type === 'ObjectExpression' || one.key === 'key') return false
  }
  return false
}
