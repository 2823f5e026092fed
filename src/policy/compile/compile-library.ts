import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { libraryFile } from '../../files/program-files.ts'
import { HookgateError, type Problem, problemText } from '../../model/errors.ts'
import type { CompiledModule } from '../../model/policy.ts'
import { topLevelOf } from './flaws/top-level.ts'
import { exportedNames, interfaceOf, type ModuleExports } from './syntax/module-interface.ts'
import { moduleCode, parseModule } from './syntax/parse-module.ts'
import { builtLibrary, type Library } from './built.ts'

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
