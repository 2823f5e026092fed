import type ivm from 'isolated-vm'
import { limits } from '../../../model/limits.ts'
import type { CompiledModule } from '../../../model/policy.ts'
import type { PolicyLoad } from '../wire/policy-load.ts'
import { type CallFailure, limitedCall } from './limited-call.ts'

/** A module that has run and is deeply frozen, or the reason why it could not be loaded. */
type LoadedModule =
  | { readonly module: ivm.Module; readonly namespace: ivm.Reference }
  /** `place` is the location in an author's file; `undefined` if unknown. */
  | { readonly failed: CallFailure; readonly place: string | undefined }

interface ModuleRealm {
  readonly isolate: ivm.Isolate
  readonly context: ivm.Context
  readonly own: (name: 'harden' | 'hardenExports' | 'beginModule' | 'takePlace') => ivm.Reference
}

interface Modules {
  /** Loads the module at an index of `PolicyLoad.modules`, once. Its failure is that of every policy that imports it. */
  at(place: number): LoadedModule
}

/**
 * Links and runs the modules of policies, each once.
 *
 * INVARIANT: a module is frozen, with everything it holds, before another module or an event can reach it.
 */
export function openModules(load: PolicyLoad, { isolate, context, own }: ModuleRealm): Modules {
  const hardenExports = own('hardenExports')
  const [beginModule, takePlace] = [own('beginModule'), own('takePlace')]

  /** @throws what the module throws, or what `importOf` throws for an import that is not available */
  function run(one: CompiledModule, importOf: (specifier: string) => ivm.Module, timeout: number) {
    const module = isolate.compileModuleSync(one.code, { filename: one.file })
    module.instantiateSync(context, importOf)
    beginModule.applySync(undefined, [])
    module.evaluateSync({ timeout })
    const { namespace } = module
    if (one.code !== countersModule)
      hardenExports.applySync(undefined, [namespace.derefInto()], { timeout: limits.policyAnswerMsMax })
    return { module, namespace }
  }
  const runOwn = (code: string) =>
    run({ file: 'hookgate:module', code, imports: {} }, refuseImport, limits.policyAnswerMsMax)

  const freezing = runOwn(freezeModule)
  const useHarden = freezing.namespace.getSync('use', { reference: true })
  useHarden.applySync(undefined, [own('harden').derefInto()])
  let counters: ivm.Module | undefined
  const library = runLibrary()

  function runLibrary(): ivm.Module | undefined {
    const done: ivm.Module[] = []
    for (const one of load.library) {
      const importOf = (specifier: string) =>
        sharedModule(specifier) ?? done[one.imports[specifier] ?? -1] ?? refuseImport(specifier)
      done.push(run(one, importOf, limits.policyAnswerMsMax).module)
    }
    return done.at(-1)
  }

  function sharedModule(specifier: string): ivm.Module | undefined {
    if (specifier === 'hookgate:freeze') return freezing.module
    if (specifier === 'hookgate:counters') return (counters ??= runOwn(countersModule).module)
    return specifier === 'hookgate/policy' ? library : undefined
  }

  const loaded = new Map<number, LoadedModule>()
  function at(place: number): LoadedModule {
    const known = loaded.get(place)
    if (known !== undefined) return known
    const made = make(place)
    loaded.set(place, made)
    return made
  }

  function make(place: number): LoadedModule {
    const one = load.modules[place]
    if (one === undefined) throw new RangeError('there is no such module')
    const imported = new Map<string, ivm.Module>()
    for (const [specifier, from] of Object.entries(one.imports)) {
      const other = at(from)
      if ('failed' in other) return other
      imported.set(specifier, other.module)
    }
    const importOf = (specifier: string) =>
      sharedModule(specifier) ?? imported.get(specifier) ?? refuseImport(specifier)
    // A module whose evaluation was terminated cannot run again, so each attempt compiles a new one.
    const outcome = limitedCall((timeoutMs) => run(one, importOf, timeoutMs), {
      cpuMs: limits.policyCpuMs,
      deadlineMs: performance.now() + limits.policyAnswerMsMax,
      isDisposed: () => isolate.isDisposed,
      messageOf: (error) => String(error).split('\n', 1)[0] ?? '',
    })
    if ('value' in outcome) return outcome.value
    const thrownAt: unknown = isolate.isDisposed ? '' : takePlace.applySync(undefined, [])
    return { failed: outcome.failed, place: typeof thrownAt === 'string' && thrownAt !== '' ? thrownAt : one.file }
  }

  return { at }
}

function refuseImport(specifier: string): never {
  throw new TypeError(`\`${specifier}\` cannot be imported by a compiled policy`)
}

/**
 * Source of `hookgate:freeze`, which every policy module calls at its end to freeze what it holds but does not export.
 * The realm's `harden` function is handed over once, through `use`.
 */
const freezeModule = `let harden
export const freeze = (...values) => harden(...values)
export const use = (own) => { harden ??= own }`

/**
 * Source of `hookgate:counters`, which records coverage for `hookgate test`; policies import it only there. It is the one
 * module that keeps state, and is not frozen.
 */
const countersModule = `export const hits = []
export const holds = (n, value) => { hits[value ? n + 1 : n] = 1; return value }
export const present = (n, value) => { hits[value === undefined || value === null ? n : n + 1] = 1; return value }
export const taken = () => { let text = ''; for (let n = 0; n < hits.length; n++) text += hits[n] ? '1' : '0'; return text }`
