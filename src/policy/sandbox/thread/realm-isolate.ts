import ivm from 'isolated-vm'
import type { Failure } from '../../../model/failure.ts'
import { limits } from '../../../model/limits.ts'
import { realmText } from '../realm/realm.ts'
import type { CompiledModule } from '../../../model/policy.ts'
import { cpuMsHere, type PolicyLoad } from '../wire/frames.ts'

/** An isolate with its realm and the policies in it. Only strings go in and out. */
export interface RealmIsolate {
  isLoaded(index: number): boolean
  /** Loads a policy, once. @returns why it cannot be loaded */
  load(index: number): Failure | undefined
  /** Calls a function of the realm. In its result, policies that are not loaded have failed. */
  call(name: 'describe' | 'evaluate', args: readonly (string | number)[], timeoutMs: number): string
  readonly isDisposed: boolean
  /** How much of its memory is in use, from 0 to 1. */
  readonly fullness: number
  dispose(): void
}

export function realmIsolate(load: PolicyLoad): RealmIsolate {
  const memoryMb = loadedMemoryMb(load) + limits.policyMemoryMb
  // INVARIANT: never with `onCatastrophicError`: a thread that calls it hangs for good.
  const isolate = new ivm.Isolate({ memoryLimit: memoryMb })
  const context = isolate.createContextSync()
  const files = load.modules.map(({ file }) => file)
  const realm: ivm.Reference = context.evalClosureSync(realmText, [JSON.stringify(files)], {
    result: { reference: true },
    timeout: limits.policyAnswerMsMax,
    filename: 'hookgate:realm',
  })
  const own = (name: string): ivm.Reference => realm.getSync(name, { reference: true })
  const modules = openModules(load, { isolate, context, own })
  const add = own('add')
  const loaded = new Set<number>()
  const functions = { describe: own('describe'), evaluate: own('evaluate') }
  return {
    isLoaded: (index) => loaded.has(index),
    load(index) {
      const policy = load.policies[index]
      if (policy === undefined) throw new RangeError('there is no such policy')
      if (loaded.has(index)) return undefined
      const { file, module } = policy
      const made = modules.at(module)
      if ('failed' in made) return failureOf(made.place ?? file, made.failed, limits.policyCpuMs)
      add.applySync(undefined, [index, file, made.namespace.derefInto()], { timeout: limits.policyAnswerMsMax })
      loaded.add(index)
      return undefined
    },
    call(name, args, timeoutMs) {
      const result: unknown = functions[name].applySync(undefined, [...args], { timeout: timeoutMs })
      return String(result)
    },
    get isDisposed() {
      return isolate.isDisposed
    },
    get fullness() {
      const { used_heap_size, externally_allocated_size } = isolate.getHeapStatisticsSync()
      return (used_heap_size + externally_allocated_size) / (memoryMb * 1024 * 1024)
    },
    dispose() {
      if (!isolate.isDisposed) isolate.dispose()
    },
  }
}

/** Estimates the memory that the code takes once compiled and run, from its length; see `limits.policyLoadedMemoryMb`. */
function loadedMemoryMb({ library, modules }: PolicyLoad): number {
  const characters = [...library, ...modules].reduce((sum, { code }) => sum + code.length, 0)
  return Math.min(limits.policyLoadedMemoryMb, 8 + Math.ceil((characters * bytesPerCharacter) / (1024 * 1024)))
}
/** At worst two bytes a character of source, and several times that in syntax trees and bytecode. */
const bytesPerCharacter = 16

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
function openModules(load: PolicyLoad, { isolate, context, own }: ModuleRealm): Modules {
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

/** A call into an isolate that ended without a value. */
type CallFailure =
  | { readonly code: 'policyTimeout' }
  /** The call never got the CPU time that it is allowed, which is not the policy's fault. */
  | { readonly code: 'exhausted' }
  | { readonly code: 'policyOutOfMemory' }
  | { readonly code: 'policyThrew'; readonly why: string }

export type CallOutcome<Value> = { readonly value: Value } | { readonly failed: CallFailure }

interface CallLimits {
  /** CPU time, ms. */
  readonly cpuMs: number
  /** On the clock of `performance.now()`. */
  readonly deadlineMs: number
  isDisposed(): boolean
  messageOf(thrown: unknown): string
}

/**
 * Calls into an isolate within a limit of CPU time. isolated-vm's timeout limits wall time, which a call may reach on a
 * loaded machine having done little. As long as a call has used less CPU time than allowed, it is repeated with twice
 * the timeout.
 */
export function limitedCall<Value>(call: (timeoutMs: number) => Value, within: CallLimits): CallOutcome<Value> {
  const { cpuMs, deadlineMs } = within
  for (let timeoutMs = cpuMs; ; timeoutMs *= 2) {
    const nowMs = performance.now()
    const before = cpuMsLately(nowMs)
    try {
      return { value: call(Math.max(1, Math.ceil(Math.min(alignedTimeout(timeoutMs, nowMs), deadlineMs - nowMs)))) }
    } catch (error) {
      if (within.isDisposed()) return { failed: { code: 'policyOutOfMemory' } }
      if (!isTimeout(error)) return { failed: { code: 'policyThrew', why: within.messageOf(error) } }
      if (cpuMsHere() - before >= cpuMs * cpuShare) return { failed: { code: 'policyTimeout' } }
      if (performance.now() >= deadlineMs) return { failed: { code: 'exhausted' } }
    }
  }
}

/**
 * Extends a timeout by up to `timerStepMs` so that it expires together with others. A thread of isolated-vm wakes at
 * every moment at which a timeout would expire, needed or not; at thousands of calls a second that is a third of the
 * work.
 */
function alignedTimeout(timeoutMs: number, nowMs: number): number {
  return timeoutMs + timerStepMs - (nowMs % timerStepMs)
}
const timerStepMs = 50

/** Reads the CPU time of the thread at most once a millisecond, as each reading costs a tenth of most calls. */
function cpuMsLately(nowMs: number): number {
  if (nowMs - cpuReadAtMs > 1) {
    cpuReadMs = cpuMsHere()
    cpuReadAtMs = nowMs
  }
  return cpuReadMs
}
let cpuReadMs = 0
let cpuReadAtMs = -Infinity

/** The share of the limit that counts as used up: starting and ending a call take wall time but no CPU time. */
const cpuShare = 0.8

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message.includes('timed out')
}

/** @param limitMs the CPU time that the call was allowed */
export function failureOf(file: string, failed: CallFailure, limitMs: number): Failure {
  const message = `${file}: ${messageOf(failed, limitMs)}`
  return { code: failed.code, message: message.slice(0, limits.policyErrorCharactersMax) }
}

function messageOf(failed: CallFailure, limitMs: number): string {
  switch (failed.code) {
    case 'policyTimeout':
      return `took more than ${Math.floor(limitMs)} ms of CPU time: look for a loop, or a slow regular expression`
    case 'exhausted':
      return 'did not get the CPU time that it is allowed: the machine, or an earlier policy, is too busy'
    case 'policyOutOfMemory':
      return `took more than ${limits.policyMemoryMb} MB of memory: look for a list or string that keeps growing`
    case 'policyThrew':
      return failed.why
  }
}
