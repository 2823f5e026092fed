import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { HookgateError } from '../../../model/errors.ts'
import type { CompiledModule } from '../../../model/policy.ts'
import { problemText } from '../../../model/problem.ts'
import { libraryFile } from '../../../files/policy-files.ts'
import { builtLibrary, type Library, libraryModule } from './built-library.ts'
import { constancyOf } from '../link/constancy.ts'
import { bodyOf, factoryOf } from '../link/factory.ts'
import { exportsOf, type Offered } from '../link/linked-exports.ts'
import { interfaceOf } from '../syntax/module-interface.ts'
import { parseModule } from '../syntax/parse-module.ts'

interface CompiledLibrary extends Library {
  /** The files that it is made of. Absolute. */
  readonly files: readonly string[]
}

let compiled: CompiledLibrary | undefined

export function compileLibrary(): CompiledModule {
  return compiledLibrary().module
}

/** What a policy can import from it. */
export function libraryNames(): ReadonlySet<string> {
  return (builtLibrary() ?? compiledLibrary()).names
}

export function compiledLibrary(): CompiledLibrary {
  compiled ??= compile()
  return compiled
}

interface Linked extends Offered {
  /** Its place among the modules. */
  readonly target: number
}

/** In the order of evaluation, the library's own last. */
interface Linking {
  readonly modules: CompiledModule[]
  readonly linked: Map<string, Linked>
}

function compile(): CompiledLibrary {
  const linking: Linking = { modules: [], linked: new Map() }
  const { names } = link(libraryFile, linking)
  const module = libraryModule(bundled(linking.modules))
  return { module, names: new Set(names.keys()), files: [...linking.linked.keys()] }
}

/** What `policy.ts` and the modules of the model are made of is ours: nothing of it is refused, and it goes in no circle. */
function link(file: string, linking: Linking): Linked {
  const known = linking.linked.get(file)
  if (known !== undefined) return known
  const parsed = parseModule(readFileSync(file, 'utf8'), file)
  if ('severity' in parsed) throw new HookgateError('internal', problemText(parsed))
  const face = interfaceOf(parsed)
  const offers = face.requests.map(({ specifier }) => link(resolve(dirname(file), specifier), linking))
  const { names, exports } = exportsOf(face, file, offers)
  const targets = offers.map(({ target }) => target)
  const { flaw, kept } = constancyOf(parsed, face)
  // What policies are given of it outlives their evaluations.
  if (flaw !== undefined) throw new HookgateError('internal', `${file}: ${flaw.why}`)
  const links = { targets, exports, runs: 'once', kept } as const
  const linked = { names, target: linking.modules.push(factoryOf(bodyOf(parsed), face, links)) - 1 }
  linking.linked.set(file, linked)
  return linked
}

/** One factory that calls the others, each with the exports of those before it. */
function bundled(modules: readonly CompiledModule[]): string {
  const calls = modules.map(({ code, imports }) => {
    const taken = imports.map((at) => `all[${at}]`).join(',')
    return `all.push((${code.replace(/^export default /, '')})(undefined,[${taken}],freeze));`
  })
  return ['export default (library,modules,freeze)=>{const all=[];', ...calls, 'return all[all.length-1]}'].join('\n')
}
