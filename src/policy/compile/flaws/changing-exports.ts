import type { AnyNode, Program } from 'acorn'
import { limits } from '../../../model/limits.ts'
import { quoted } from '../../../model/text.ts'
import type { Problem } from '../../../model/problem.ts'
import type { ModuleInterface } from '../syntax/module-interface.ts'
import { namesIn, nodesOf, targetOf } from '../syntax/nodes.ts'
import type { ParsedModule } from '../syntax/parse-module.ts'
import { problemAt } from '../syntax/problem-at.ts'

/** Exports that could be given another value later. Whoever imports them is handed the value of the module's end. */
export function changingExports(module: ParsedModule, { exports }: ModuleInterface): Problem[] {
  const fixed = fixedNames(module.ast)
  const locals = exports.filter((one) => one.kind === 'local')
  if (locals.length === 0) return []
  const assigned = assignedNames(module.ast)
  const changing = locals.filter(({ local }) => {
    const kind = fixed.get(local)
    return kind === undefined || (kind === 'declared' && assigned.has(local))
  })
  return changing.slice(0, limits.policyProblemsMax).map(({ local, at }) => {
    const remedy = fixed.has(local)
      ? 'do not assign to it, or to another variable of the same name'
      : 'declare it with `const`'
    return problemAt(module, at, `${quoted(local)} is exported but could change: an export must be constant`, remedy)
  })
}

/** What the names of a module's top level are bound by. What is not among them is a `let` or `var`. */
function fixedNames({ body }: Program): ReadonlyMap<string, 'const' | 'declared' | 'reported'> {
  const fixed = new Map<string, 'const' | 'declared' | 'reported'>()
  for (const statement of body) {
    const exported = statement.type === 'ExportNamedDeclaration'
    const direct = exported || statement.type === 'ExportDefaultDeclaration' ? statement.declaration : statement
    if (direct?.type === 'VariableDeclaration') {
      // `export let` is refused as such.
      const kind = direct.kind === 'const' ? 'const' : exported ? 'reported' : undefined
      if (kind === undefined) continue
      for (const { id } of direct.declarations) for (const name of namesIn(id)) fixed.set(name, kind)
    } else if ((direct?.type === 'FunctionDeclaration' || direct?.type === 'ClassDeclaration') && direct.id !== null) {
      fixed.set(direct.id.name, 'declared')
    }
  }
  return fixed
}

/** Every name that is assigned to anywhere, whichever variable of that name it is. */
function assignedNames(ast: AnyNode): ReadonlySet<string> {
  const assigned = new Set<string>()
  for (const { node } of nodesOf(ast)) {
    const target = targetOf(node)
    if (target !== undefined) for (const name of namesIn(target)) assigned.add(name)
  }
  return assigned
}
