import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { CompiledModule, CompiledPolicy } from '../../model/policy.ts'
import type { Disk } from '../../model/disk.ts'
import { realPath } from '../../files/real-path.ts'
import { builtPoliciesFile, shippedFolder } from '../../files/policy-files.ts'
import { builtPath, Imports, Made, readBuilt, Sha256 } from './built.ts'
import type { Compilation } from './compile-policy.ts'

const Place = z.int().nonnegative()

/** What the build has made of what hookgate ships. Paths are relative, with slashes. */
export const BuiltPolicies = Made.extend({
  /** Below the folder of what is shipped: files, what each was made of, and into what. */
  modules: z.array(z.strictObject({ file: z.string(), sha256: Sha256, code: z.string() })),
  /** By the policy's file. */
  policies: z.record(
    z.string(),
    z.strictObject({
      digest: Sha256,
      ignoresToolFacts: z.boolean(),
      definition: z.string(),
      /** Which of the modules, and what each imports. */
      modules: z.array(z.tuple([Place, Imports]).readonly()).readonly(),
    }),
  ),
})
export type BuiltPolicies = z.infer<typeof BuiltPolicies>

/** What need not be compiled again. */
export interface Built {
  /**
   * What compiling one of the shipped policies comes to; `undefined` for one whose files are not as they were.
   *
   * @param folder that its imports must stay below
   */
  compilation(file: string, folder: string, disk: Disk): Compilation | undefined
}

let known: { readonly built: Built | undefined } | undefined

/** What came with this very program; `undefined` for what did not, and for a source checkout. */
export function builtPolicies(): Built | undefined {
  known ??= { built: readPolicies(builtPoliciesFile) }
  return known.built
}

export function readPolicies(file: string): Built | undefined {
  const built = readBuilt(file, BuiltPolicies)
  return built === undefined ? undefined : builtOf(built)
}

function builtOf({ modules, policies }: BuiltPolicies): Built {
  return {
    compilation(file, folder, disk) {
      const path = builtPath(shippedFolder, file)
      const built = Object.hasOwn(policies, path) ? policies[path] : undefined
      // The rules of a pack stand in the folder itself, as a policy that is shipped alone does in its own.
      if (built === undefined || folder !== dirname(file)) return undefined
      const { modules: linked, ...rest } = built
      const made: CompiledModule[] = []
      for (const [place, imports] of linked) {
        const module = modules[place]
        if (module === undefined) return undefined
        const source = join(shippedFolder, module.file)
        if (!isAsBuilt(source, module.sha256, disk)) return undefined
        made.push({ file: source, code: module.code, imports })
      }
      const policy: CompiledPolicy = { ...rest, file, modules: made }
      return { policy, problems: [] }
    },
  }
}

/** The content, and where links lead: imports are relative to that. */
function isAsBuilt(file: string, sha256: string, disk: Disk): boolean {
  return disk.sha256(file) === sha256 && realPath(file) === file
}
