import { memoize } from '../../model/lazy.ts'
import type { CompiledPolicy } from '../../model/policy.ts'
import type { CheckedPolicy, CompileBudget } from '../../model/policy-loading.ts'
import { isShipped } from '../../files/policy-files.ts'
import { inTurns } from '../../files/turns.ts'
import type { Disk } from '../../model/disk.ts'
import { chargeAgain, noBudget } from './compile-budget.ts'
import type { Compilation, compilation } from './compile-policy.ts'
import {
  areUnchanged,
  type CompiledFiles,
  openReads,
  type PolicyStore,
  withChecks,
  type WritableStore,
} from './policy-stores.ts'
import type { ReadModules } from './read-module.ts'

/** Cached compiled policies, including those of files that have changed since: some 10 KB each. */
const policiesCompiledMax = 10_000

type Compile = typeof compilation

/** Compiles policies, and caches each result until the content of one of its files changes. */
interface CompileCache {
  /**
   * @param together the parsed modules and the budget shared by policies that are compiled together. Shipped policies
   * are not charged to the budget.
   */
  compile(file: string, folder: string, disk: Disk, together?: Together): Promise<Compilation>
  /** Keeps a policy that it compiled for later processes, if all of its checks and examples passed. */
  keep(checked: CheckedPolicy): void
}

interface Together {
  readonly read: ReadModules
  readonly budget: CompileBudget
}

interface PolicyStores {
  readonly shipped?: PolicyStore
  /** The policies that earlier processes compiled and checked. */
  readonly kept?: WritableStore | undefined
}

export function openCompileCache({ shipped, kept }: PolicyStores = {}): CompileCache {
  const known = new Map<string, CompiledFiles>()
  /** Policies compiled here whose checks have not ended yet. */
  const unchecked = new WeakMap<CompiledPolicy, { readonly compiled: CompiledFiles; readonly folder: string }>()
  // Loaded lazily: the compiler's parsers take longer to load than most rules take to read.
  const compiler = memoize<Compile>(async () => (await import('./compile-policy.ts')).compilation)
  return {
    async compile(file, folder, disk, { read, budget: given } = { read: new Map(), budget: noBudget }) {
      const budget = isShipped(file) ? noBudget : given
      const key = `${file}\0${folder}`
      const before = known.get(key) ?? (isShipped(file) ? shipped : kept)?.find(file, folder)
      if (before !== undefined && areUnchanged(before.reads, folder, disk)) {
        remember(key, before)
        const over = chargeAgain(file, before.result.cost, budget)
        return over === undefined ? before.result : { ...before.result, policy: undefined, problems: [], over }
      }
      const compileNow = await compiler()
      const { readText, reads } = openReads(folder, disk)
      const result = await inTurns(compileNow(file, readText, { folder, read, budget }), (piece) => budget.work(piece))
      // Not cached, because exceeding the budget depends on the source's other policies.
      if (result.over !== undefined) return result
      const compiled = { reads, result }
      remember(key, compiled)
      if (result.policy !== undefined && !isShipped(file)) unchecked.set(result.policy, { compiled, folder })
      return result
    },
    keep(checked) {
      const made = unchecked.get(checked.compiled)
      unchecked.delete(checked.compiled)
      const policy = withChecks(checked)
      if (made === undefined || policy === undefined) return
      const { reads, result } = made.compiled
      kept?.keep({ reads, result: { ...result, policy } }, made.folder)
    },
  }

  function remember(key: string, one: CompiledFiles): void {
    if (known.size >= policiesCompiledMax) known.clear()
    known.set(key, one)
  }
}
