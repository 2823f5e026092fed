import ivm from 'isolated-vm'
import { errorText } from '../../../model/errors.ts'
import type { Failure } from '../../../model/failure.ts'
import { limits } from '../../../model/limits.ts'
import type { PolicyLoad } from '../wire/policy-load.ts'
import { realmText } from '../realm/realm.ts'
import type { Linkage } from '../realm/evaluate.ts'

/** An isolate, its realm, and the policies that could be loaded into it. Only texts go in and out. */
export interface RealmIsolate {
  /** By the policy's index, why it could not be loaded. */
  readonly broken: ReadonlyMap<number, Failure>
  call(name: 'describe' | 'evaluate', args: readonly (string | number)[], timeoutMs: number): string
  readonly isDisposed: boolean
  /** How much of its memory is in use, from 0 to 1. */
  readonly fullness: number
  dispose(): void
}

/** The policies that are `broken` from the start are left out. */
export function realmIsolate(load: PolicyLoad, broken: ReadonlyMap<number, Failure>): RealmIsolate {
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
  const factoryOf = ({ file, code }: PolicyLoad['library']): ivm.Dereference<unknown> => {
    const module = isolate.compileModuleSync(code, { filename: file, lineOffset: -1 })
    module.instantiateSync(context, (specifier) => {
      throw new TypeError(`\`${specifier}\` cannot be imported by a compiled policy`)
    })
    module.evaluateSync({ timeout: limits.policyAnswerMsMax })
    return module.namespace.getSync('default', { reference: true }).derefInto({ release: true })
  }
  own('useLibrary').applySync(undefined, [factoryOf(load.library)], { timeout: limits.policyAnswerMsMax })

  const [addModule, add] = [own('addModule'), own('add')]
  // With the first policy that needs it: what is wrong with a module is wrong with whoever is made of it, and nobody else.
  const places = new Map<number, number>()
  const placeOf = (at: number): number => {
    const known = places.get(at)
    if (known !== undefined) return known
    addModule.applySync(undefined, [factoryOf(moduleAt(load, at))], { timeout: limits.policyAnswerMsMax })
    places.set(at, places.size)
    return places.size - 1
  }
  const found = new Map(broken)
  for (const [index, { file, modules }] of load.policies.entries()) {
    const linkage = found.has(index) ? [] : attempt(() => modules.map((one) => placed(one, placeOf(one.module))))
    // The realm counts its policies, so one that is broken has its place there.
    if (isolate.isDisposed) throw new LoadExhausted(index)
    if ('failed' in linkage) {
      const message = `${file}: ${firstLineOf(linkage.failed)}`
      found.set(index, { code: 'policyThrew', message: message.slice(0, limits.policyErrorCharactersMax) })
    }
    const text = JSON.stringify('failed' in linkage ? [] : linkage)
    add.applySync(undefined, [file, text], { timeout: limits.policyAnswerMsMax })
  }

  const functions = { describe: own('describe'), evaluate: own('evaluate') }
  return {
    broken: found,
    call(name, args, timeoutMs) {
      const result: unknown = functions[name].applySync(undefined, [...args], { timeout: Math.ceil(timeoutMs) })
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

const placed = ({ imports, isConstant }: Linkage, module: number): Linkage => ({ module, imports, isConstant })

function moduleAt({ modules }: PolicyLoad, at: number) {
  const module = modules[at]
  if (module === undefined) throw new RangeError('there is no such module')
  return module
}

/** The policy that was being loaded when the memory was exhausted. */
export class LoadExhausted extends Error {
  override readonly name = 'LoadExhausted'
  readonly index: number

  constructor(index: number) {
    super('the policies of a source take more memory than they are allowed')
    this.index = index
  }
}

/** An estimate of what code takes when it is compiled and run, from how long it is; see `limits.policyLoadedMemoryMb`. */
function loadedMemoryMb({ library, modules, policies }: PolicyLoad): number {
  const sizes = policies.flatMap((policy) => policy.modules.map(({ module }) => modules[module]?.code.length ?? 0))
  const characters = sizes.reduce((sum, size) => sum + size, library.code.length)
  return Math.min(limits.policyLoadedMemoryMb, 8 + Math.ceil((characters * bytesPerCharacter) / (1024 * 1024)))
}
/** Source of two bytes a character at worst, and several times that in syntax trees and bytecode. */
const bytesPerCharacter = 16

function attempt<Value extends object>(make: () => Value): Value | { readonly failed: string } {
  try {
    return make()
  } catch (error) {
    return { failed: errorText(error) }
  }
}

function firstLineOf(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}
