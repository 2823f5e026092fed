import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { z } from 'zod'
import type { CompiledModule, CompiledPolicy } from '../../../model/policy.ts'
import { type Disk, realPath } from '../../disk.ts'
import { builtFile, libraryFile, programFolder, shippedFolder } from '../shipped.ts'
import type { Compilation } from './compile-policy.ts'

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const Place = z.int().nonnegative()

const Runs = z.union([z.literal('once'), z.strictObject({ line: Place, column: Place, why: z.string() })])

/** What the build has made of what hookgate ships. Paths are relative, with slashes. */
export const BuiltPolicies = z.strictObject({
  /** What has compiled them, and what the library is made of, below the program's own folder: files, and their content. */
  madeBy: z.record(z.string(), Sha256),
  library: z.string(),
  /** Below the folder of what is shipped: files, what each was made of, and into what. */
  modules: z.array(z.strictObject({ file: z.string(), sha256: Sha256, code: z.string() })),
  /** By the policy's file. */
  policies: z.record(
    z.string(),
    z.strictObject({
      digest: Sha256,
      ignoresToolFacts: z.boolean(),
      definition: z.string(),
      /** Which of the modules, and what a `CompiledModule` is besides. */
      modules: z.array(z.tuple([Place, z.array(Place).readonly(), Runs]).readonly()).readonly(),
    }),
  ),
})
export type BuiltPolicies = z.infer<typeof BuiltPolicies>

/** What need not be compiled again. */
export interface Built {
  readonly library: CompiledModule
  /**
   * What compiling one of the shipped policies comes to; `undefined` for one whose files are not as they were.
   *
   * @param folder that its imports must stay below
   */
  compilation(file: string, folder: string, disk: Disk): Compilation | undefined
}

/** A path in the file of what was built. */
export const builtPath = (folder: string, file: string) => relative(folder, file).replaceAll(sep, '/')

export const sha256Of = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')

let shipped: { readonly built: Built | undefined } | undefined

/** What came with this very program; `undefined` for what did not, and for a source checkout. */
export function shippedBuilt(): Built | undefined {
  shipped ??= { built: readBuilt(builtFile) }
  return shipped.built
}

/** `undefined` for a file that is absent or not understood, and for one that another compiler has made. */
export function readBuilt(file: string): Built | undefined {
  try {
    const parsed = BuiltPolicies.safeParse(JSON.parse(readFileSync(file, 'utf8')))
    return parsed.success && isOwn(parsed.data) ? builtOf(parsed.data) : undefined
  } catch {
    return undefined
  }
}

/** @throws where one of them cannot be read */
function isOwn({ madeBy }: BuiltPolicies): boolean {
  return Object.entries(madeBy).every(([file, sha256]) => sha256Of(readFileSync(join(programFolder, file))) === sha256)
}

function builtOf({ library, modules, policies }: BuiltPolicies): Built {
  return {
    library: { file: libraryFile, code: library, imports: [], runs: 'once' },
    compilation(file, folder, disk) {
      const path = builtPath(shippedFolder, file)
      const built = Object.hasOwn(policies, path) ? policies[path] : undefined
      // The rules of a pack stand in the folder itself, as a policy that is shipped alone does in its own.
      if (built === undefined || folder !== dirname(file)) return undefined
      const { modules: linked, ...rest } = built
      const made: CompiledModule[] = []
      for (const [place, imports, runs] of linked) {
        const module = modules[place]
        if (module === undefined) return undefined
        const source = join(shippedFolder, module.file)
        if (!isAsBuilt(source, module.sha256, disk)) return undefined
        made.push({ file: source, code: module.code, imports, runs })
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
