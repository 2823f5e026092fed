import { readFileSync } from 'node:fs'
import { dirname, resolve, join } from 'node:path'
import { libraryFile, programFolder } from '../../files/program-files.ts'
import { HookgateError, type Problem, problemText } from '../../model/errors.ts'
import type { CompiledModule } from '../../model/policy.ts'
import { topLevelOf } from './flaws/top-level.ts'
import { exportedNames, interfaceOf, type ModuleExports } from './syntax/module-interface.ts'
import { moduleCode, parseModule } from './syntax/parse-module.ts'
import { z } from 'zod'
import { builtLibraryFile } from '../../files/policy-files.ts'

let compiled: Library | undefined

/** Returns the names that a policy can import from `hookgate/policy`. */
export function libraryNames(): ReadonlySet<string> {
  return (builtLibrary() ?? compiledLibrary()).names
}

/** Compiles `hookgate/policy` from its files on disk, once. */
export function compiledLibrary(): Library {
  compiled ??= compile()
  return compiled
}

interface LibraryModule extends ModuleExports {
  /** Its index among the modules. */
  readonly place: number
}

function compile(): Library {
  const modules: CompiledModule[] = []
  const linked = new Map<string, LibraryModule>()
  const { names } = link(libraryFile)
  return { modules, names: new Set(names.keys()) }

  /** Assumes hookgate's own files: it does not restrict imports or detect cycles. */
  function link(file: string): LibraryModule {
    const known = linked.get(file)
    if (known !== undefined) return known
    const parsed = parseModule(readFileSync(file, 'utf8'), file)
    if ('severity' in parsed) throw defect(parsed)
    const face = interfaceOf(parsed)
    // The library's values outlive an evaluation, so its top level must not hold state either.
    const [flaw] = topLevelOf(parsed, face).problems
    if (flaw !== undefined) throw defect(flaw)
    const offers = face.requests.map(({ specifier }) => link(resolve(dirname(file), specifier)))
    const imports = Object.fromEntries(face.requests.map(({ specifier }, at) => [specifier, offers[at]?.place ?? -1]))
    const place = modules.push({ file, code: moduleCode(parsed), imports }) - 1
    const one = { names: exportedNames(face, file, offers), place }
    linked.set(file, one)
    return one
  }
}

const defect = (problem: Problem) => new HookgateError('internal', problemText(problem))

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
export const Imports = z.custom<CompiledModule['imports']>(
  (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isPlace),
)
const isPlace = (value: unknown) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0

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
