import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { CompiledPolicy, PolicyPort } from '../../model/policy.ts'
import type { PolicyFile } from '../../model/policy-loading.ts'
import { makeDisk } from '../../files/disk.ts'
import { type Problem, problemsError } from '../../model/errors.ts'
import { isPolicyName, shippedFolder } from '../../files/policy-files.ts'
import { programFolder } from '../../files/program-files.ts'
import { loadChecked } from './definition/definition.ts'
import type { BuiltLibrary } from './built.ts'
import { compiledLibrary } from './compile-library.ts'
import { compileWithFlaws } from './compile-policy.ts'
import { type DangerExample, dangersOf } from './definition/examples.ts'
import {
  type CompiledFiles,
  openReads,
  packPolicies,
  storedPath,
  type StoredPolicies,
  storeFileName,
  withChecks,
} from './policy-stores.ts'
import type { ReadModules } from './read-module.ts'

/** The contents of the files that the build writes. */
export interface BuiltFiles {
  readonly library: BuiltLibrary
  /** By the name of the file. */
  readonly policies: ReadonlyMap<string, StoredPolicies>
  /** The same, compiled with marks that tell where an answer is made. */
  readonly marked: ReadonlyMap<string, StoredPolicies>
  readonly dangers: readonly DangerExample[]
}

/**
 * Compiles all shipped policies and reads their definitions, so that no user's machine has to.
 *
 * @param mark compiles a policy with marks
 * @throws HookgateError `rulesMalformed` if a policy has a problem
 */
export async function buildPolicies(
  sandbox: PolicyPort,
  mark: (policy: PolicyFile) => CompiledFiles | undefined,
): Promise<BuiltFiles> {
  const compiled = compileAll()
  const policies = compiled.flatMap(({ result }) => result.policy ?? [])
  // The tests run the examples; everything else that keeps a policy from loading is checked here.
  const known = { flawed: new Set<CompiledPolicy>(), proven: new Set(policies) }
  const domain = await loadChecked(policies, sandbox, known)
  domain.release()
  failWith(domain.policies.flatMap(({ problems }) => problems))
  const described = new Map(domain.policies.map((one) => [one.compiled, withChecks(one)]))
  const packed = packedBy(compiled, ({ reads, result }) => {
    return { reads, result: { ...result, policy: result.policy && described.get(result.policy) } }
  })
  const marked = packedBy(compiled, ({ folder, result }) => mark({ file: result.policy?.file ?? '', folder }))
  const { modules, names } = compiledLibrary()
  const library = modules.map(({ file, code, imports }) => ({ file: storedPath(programFolder, file), code, imports }))
  return {
    library: { modules: library, names: [...names] },
    policies: packed,
    marked,
    dangers: domain.policies.flatMap(({ definition }) => (definition === undefined ? [] : dangersOf(definition))),
  }
}

interface CompiledInFolder extends CompiledFiles {
  readonly folder: string
}

/** Packs what is made of policies, a file for each folder. */
function packedBy(
  compiled: readonly CompiledInFolder[],
  made: (one: CompiledInFolder) => CompiledFiles | undefined,
): ReadonlyMap<string, StoredPolicies> {
  const folders = Map.groupBy(compiled, ({ folder }) => folder)
  return new Map(
    [...folders].map(([folder, members]) => [
      storeFileName(folder),
      packPolicies(
        members.flatMap((one) => made(one) ?? []),
        folder,
      ),
    ]),
  )
}

function compileAll(): readonly CompiledInFolder[] {
  const disk = makeDisk()
  const files = globSync('*/*', { cwd: shippedFolder }).filter(isPolicyName).toSorted()
  const read: ReadModules = new Map()
  const results = files.map((name) => {
    const file = join(shippedFolder, name)
    const folder = dirname(file)
    const { readText, reads } = openReads(folder, disk)
    return { folder, reads, result: compileWithFlaws(file, readText, { folder, read }) }
  })
  failWith(results.flatMap(({ result }) => result.problems))
  return results
}

function failWith(problems: readonly Problem[]): void {
  const [first, ...more] = problems
  if (first !== undefined) throw problemsError([first, ...more])
}
