import ivm from 'isolated-vm'
import type { Failure } from '../../../model/failure.ts'
import { limits } from '../../../model/limits.ts'
import { realmText } from '../realm/realm.ts'
import type { PolicyLoad } from '../wire/policy-load.ts'
import { failureOf } from './limited-call.ts'
import { openModules } from './modules.ts'

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
