import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { CompiledModule, CompiledPolicy, PolicyPort } from '../../model/policy.ts'
import { makeDisk } from '../../files/disk.ts'
import { type Disk, isUnreadable } from '../../model/disk.ts'
import { type Problem, problemsError } from '../../model/problem.ts'
import { isPolicyName, shippedFolder } from '../../files/policy-files.ts'
import { programFolder } from '../../files/program-files.ts'
import { builtPath } from './built.ts'
import type { BuiltLibrary } from './built-library.ts'
import type { BuiltPolicies } from './built-policies.ts'
import { loadChecked } from './definition/checked.ts'
import { textOf } from './compile-cache.ts'
import { compiledLibrary } from './compile-library.ts'
import { compileWithFlaws } from './compile-policy.ts'
import type { ReadModules } from './read-module.ts'
import { type DangerExample, dangersOf } from './danger-examples.ts'

/** The contents of the files that the build writes. */
export interface BuiltFiles {
  readonly library: BuiltLibrary
  readonly policies: BuiltPolicies
  readonly dangers: readonly DangerExample[]
}

/**
 * Compiles all shipped policies and reads their definitions, so that no user's machine has to.
 *
 * @throws HookgateError `rulesMalformed` if a policy has a problem
 */
export async function buildPolicies(sandbox: PolicyPort): Promise<BuiltFiles> {
  const disk = makeDisk()
  const compiled = compileAll(disk)
  // The tests run the examples; everything else that keeps a policy from loading is checked here.
  const known = { flawed: new Set<CompiledPolicy>(), proven: new Set(compiled) }
  const domain = await loadChecked(compiled, sandbox, known)
  domain.release()
  failWith(domain.policies.flatMap(({ problems }) => problems))
  const table = openModuleTable(disk)
  const entries = domain.policies.map(
    ({ compiled: { file, digest, ignoresToolFacts = false, modules }, definition }) => {
      const linked = modules.map((one) => [table.placeOf(one), one.imports] as const)
      const json = JSON.stringify({ ...definition, examples: undefined })
      return [builtPath(shippedFolder, file), { digest, ignoresToolFacts, definition: json, modules: linked }] as const
    },
  )
  const { modules, names } = compiledLibrary()
  const library = modules.map(({ file, code, imports }) => ({ file: builtPath(programFolder, file), code, imports }))
  return {
    library: { modules: library, names: [...names] },
    policies: { modules: table.modules, policies: Object.fromEntries(entries) },
    dangers: domain.policies.flatMap(({ definition }) => (definition === undefined ? [] : dangersOf(definition))),
  }
}

function compileAll(disk: Disk): readonly CompiledPolicy[] {
  const files = globSync('*/*', { cwd: shippedFolder }).filter(isPolicyName).toSorted()
  const read: ReadModules = new Map()
  const results = files
    .map((name) => join(shippedFolder, name))
    .map((file) => compileWithFlaws(file, (path) => textOf(path, disk), { folder: dirname(file), read }))
  failWith(results.flatMap(({ problems }) => problems))
  return results.flatMap(({ policy }) => policy ?? [])
}

/** Creates the table of compiled modules, in which a module shared by several policies is listed once. */
function openModuleTable(disk: Disk) {
  const modules: BuiltPolicies['modules'] = []
  const places = new Map<string, number>()
  const placeOf = ({ file, code }: CompiledModule): number => {
    const key = `${file}\0${code}`
    const known = places.get(key)
    if (known !== undefined) return known
    const sha256 = disk.sha256(file)
    if (isUnreadable(sha256)) throw new Error(`${file}: ${sha256.why}`)
    const place = modules.push({ file: builtPath(shippedFolder, file), sha256, code }) - 1
    places.set(key, place)
    return place
  }
  return { modules, placeOf }
}

function failWith(problems: readonly Problem[]): void {
  const [first, ...more] = problems
  if (first !== undefined) throw problemsError([first, ...more])
}
