import { join } from 'node:path'
import { z } from 'zod'
import { builtLibraryFile, programFolder } from '../../files/policy-files.ts'
import type { CompiledModule } from '../../model/policy.ts'
import { Imports, Made, readBuilt } from './built.ts'

/** What the build has made of `hookgate/policy`. Files are relative to the program's folder, with slashes. */
export const BuiltLibrary = Made.extend({
  modules: z.array(z.strictObject({ file: z.string(), code: z.string(), imports: Imports })).readonly(),
  names: z.array(z.string()).readonly(),
})
export type BuiltLibrary = z.infer<typeof BuiltLibrary>

/** `hookgate/policy` as it is loaded into an isolate. */
export interface Library {
  /** A module imports only from those before it, and the last is `hookgate/policy` itself. */
  readonly modules: readonly CompiledModule[]
  /** What a policy can import from it. */
  readonly names: ReadonlySet<string>
}

let known: { readonly library: Library | undefined } | undefined

/** What came with this very program; `undefined` for what did not, and for a source checkout. */
export function builtLibrary(): Library | undefined {
  known ??= { library: readLibrary(builtLibraryFile) }
  return known.library
}

export function readLibrary(file: string): Library | undefined {
  const built = readBuilt(file, BuiltLibrary)
  if (built === undefined) return undefined
  const modules = built.modules.map((one) => ({ ...one, file: join(programFolder, one.file) }))
  return { modules, names: new Set(built.names) }
}
