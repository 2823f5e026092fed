import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { builtLibraryFile } from '../../files/policy-files.ts'
import { programFolder } from '../../files/program-files.ts'
import type { CompiledModule } from '../../model/policy.ts'

// INVARIANT: imports no compiler. Most starts only read what was compiled before.

/**
 * Reads a file that the build wrote; `undefined` if it is missing or malformed. It belongs to this program: the build
 * writes both anew each time.
 */
export function readBuilt<Content>(file: string, schema: z.ZodType<Content>): Content | undefined {
  try {
    return schema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data
  } catch {
    return undefined
  }
}

/**
 * The `imports` of a `CompiledModule`. One function checks them: there are hundreds, and the checks of a record took
 * half of the time in which all shipped policies are read.
 */
const Imports = z.custom<CompiledModule['imports']>((value) => isImports(value))
export const isImports = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isPlace)
/** Tells whether a value is an index. */
export const isPlace = (value: unknown): boolean =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0

/** The file of the prebuilt `hookgate/policy`. Its paths are relative to the program's folder, with slashes. */
export const BuiltLibrary = z.strictObject({
  modules: z.array(z.strictObject({ file: z.string(), code: z.string(), imports: Imports })).readonly(),
  names: z.array(z.string()).readonly(),
})
export type BuiltLibrary = z.infer<typeof BuiltLibrary>

/** The compiled `hookgate/policy`, as it is loaded into an isolate. */
export interface Library {
  /** A module imports only from those before it, and the last is `hookgate/policy` itself. */
  readonly modules: readonly CompiledModule[]
  /** The names that a policy can import from it. */
  readonly names: ReadonlySet<string>
}

let known: { readonly library: Library | undefined } | undefined

/** Returns the library built with this version of hookgate; `undefined` in a source checkout. */
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
