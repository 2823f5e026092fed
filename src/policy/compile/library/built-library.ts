import { z } from 'zod'
import type { CompiledModule } from '../../../model/policy.ts'
import { builtLibraryFile, libraryFile } from '../../../files/policy-files.ts'
import { Made, readBuilt } from './built.ts'

/** What the build has made of `hookgate/policy`. */
export const BuiltLibrary = Made.extend({ code: z.string(), names: z.array(z.string()).readonly() })
export type BuiltLibrary = z.infer<typeof BuiltLibrary>

/** `hookgate/policy`, made into one factory like every module of a policy, and what a policy can import from it. */
export interface Library {
  readonly module: CompiledModule
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
  return { module: libraryModule(built.code), names: new Set(built.names) }
}

export const libraryModule = (code: string): CompiledModule => ({ file: libraryFile, code, imports: [], runs: 'once' })
