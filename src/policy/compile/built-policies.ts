import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { CompiledModule, CompiledPolicy } from '../../model/policy.ts'
import type { Disk } from '../../model/disk.ts'
import { realPath } from '../../files/real-path.ts'
import { builtPoliciesFile, shippedFolder } from '../../files/policy-files.ts'
import { builtPath, Imports, readBuilt, Sha256 } from './built.ts'
import type { Compilation } from './compile-policy.ts'

const Place = z.int().nonnegative()

/** The file of prebuilt shipped policies. Paths are relative, with slashes. */
export const BuiltPolicies = z.strictObject({
  /** Compiled modules, with the path of each below the shipped folder and the SHA-256 of its source. */
  modules: z.array(z.strictObject({ file: z.string(), sha256: Sha256, code: z.string() })),
  /** Policies by the path of their file. */
  policies: z.record(
    z.string(),
    z.strictObject({
      digest: Sha256,
      ignoresToolFacts: z.boolean(),
      definition: z.string(),
      /** Indices into `modules`, each with that module's imports. */
      modules: z.array(z.tuple([Place, Imports]).readonly()).readonly(),
    }),
  ),
})
export type BuiltPolicies = z.infer<typeof BuiltPolicies>

/** The prebuilt shipped policies, which need not be compiled again. */
export interface BuiltCompilations {
  /**
   * Returns the prebuilt result of a shipped policy; `undefined` if its files have changed since.
   *
   * @param folder the folder that its imports must stay below
   */
  compilation(file: string, folder: string, disk: Disk): Compilation | undefined
}

let known: { readonly built: BuiltCompilations | undefined } | undefined

/** Returns the policies built with this version of hookgate; `undefined` in a source checkout. */
export function builtPolicies(): BuiltCompilations | undefined {
  known ??= { built: readPolicies(builtPoliciesFile) }
  return known.built
}

export function readPolicies(file: string): BuiltCompilations | undefined {
  const built = readBuilt(file, BuiltPolicies)
  return built === undefined ? undefined : builtOf(built)
}

function builtOf({ modules, policies }: BuiltPolicies): BuiltCompilations {
  /** By the place of a module: the policies of a pack are made of the same few, and a look at each file takes long. */
  const looked = new WeakMap<Disk, Map<number, boolean>>()
  const isUnchanged = (place: number, { file, sha256 }: BuiltPolicies['modules'][number], disk: Disk): boolean => {
    const ofDisk = looked.get(disk) ?? new Map<number, boolean>()
    looked.set(disk, ofDisk)
    const before = ofDisk.get(place)
    if (before !== undefined) return before
    const now = isAsBuilt(join(shippedFolder, file), sha256, disk)
    ofDisk.set(place, now)
    return now
  }
  return {
    compilation(file, folder, disk) {
      const path = builtPath(shippedFolder, file)
      const built = Object.hasOwn(policies, path) ? policies[path] : undefined
      // Shipped policies are always compiled with their own folder as the root of their imports.
      if (built === undefined || folder !== dirname(file)) return undefined
      const { modules: linked, ...rest } = built
      const made: CompiledModule[] = []
      for (const [place, imports] of linked) {
        const module = modules[place]
        if (module === undefined) return undefined
        if (!isUnchanged(place, module, disk)) return undefined
        made.push({ file: join(shippedFolder, module.file), code: module.code, imports })
      }
      const policy: CompiledPolicy = { ...rest, file, modules: made }
      return { policy, problems: [] }
    },
  }
}

/** Returns true if a file's content is unchanged and it is no link: imports are relative to its real path. */
function isAsBuilt(file: string, sha256: string, disk: Disk): boolean {
  return disk.sha256(file) === sha256 && realPath(file) === file
}
