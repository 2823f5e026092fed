import { memoize } from '../../model/lazy.ts'
import { createHash } from 'node:crypto'
import { limits } from '../../model/limits.ts'
import type { CompiledPolicy } from '../../model/policy.ts'
import type { CheckedPolicy, CompileBudget } from '../../model/policy-loading.ts'
import { isError } from '../../model/problem.ts'
import { type BudgetCharge, chargeTo, recordCharges } from './budget-charges.ts'
import { noBudget } from './compile-budget.ts'
import { isShipped } from '../../files/policy-files.ts'
import { inTurns } from '../../files/turns.ts'
import type { BuiltCompilations } from './built-policies.ts'
import { type Disk, isUnreadable, type Unreadable } from '../../model/disk.ts'
import { realPath } from '../../files/real-path.ts'
import type { Compilation, compilation } from './compile-policy.ts'
import type { FilesRead, KeptPolicies } from './kept-policies.ts'
import type { ReadModules } from './read-module.ts'

type Compile = typeof compilation

/** Compiles policies, and caches each result until the content of one of its files changes. */
export interface CompileCache {
  /**
   * @param together the parsed modules and the budget shared by policies that are compiled together. Shipped policies
   * are not charged to the budget.
   */
  compile(file: string, folder: string, disk: Disk, together?: Together): Promise<Compilation>
  /** Keeps a policy that it compiled for later processes, if all of its checks and examples passed. */
  keep(checked: CheckedPolicy): void
}

export interface Together {
  readonly read: ReadModules
  readonly budget: CompileBudget
}

interface Compiled extends FilesRead {
  readonly result: Compilation
}

/**
 * @param built loads the prebuilt policies; called only for a shipped policy
 * @param kept the policies that earlier processes compiled and checked
 */
export function openCompileCache(
  built?: () => Promise<BuiltCompilations | undefined>,
  kept?: KeptPolicies,
): CompileCache {
  const known = new Map<string, Compiled>()
  /** Policies compiled here whose checks have not ended yet. */
  const unchecked = new WeakMap<CompiledPolicy, FilesRead & { readonly folder: string }>()
  // Loaded lazily: the compiler's parsers take longer to load than most rules take to read.
  const compiler = memoize<Compile>(async () => (await import('./compile-policy.ts')).compilation)
  return {
    async compile(file, folder, disk, { read, budget: given } = { read: new Map(), budget: noBudget }) {
      const shipped =
        built !== undefined && isShipped(file) ? (await built())?.compilation(file, folder, disk) : undefined
      if (shipped !== undefined) return shipped
      const budget = isShipped(file) ? noBudget : given
      const key = `${file}\0${folder}`
      const before = known.get(key) ?? earlier(file, folder)
      if (before !== undefined && isSame(before, disk)) {
        remember(key, before)
        return chargeAgain(file, before, budget)
      }
      const compileNow = await compiler()
      const reads = new Map<string, string>()
      const readText = (path: string) => {
        const text = textOf(path, disk)
        reads.set(path, fingerprint(path, text))
        return text
      }
      const charges: BudgetCharge[] = []
      const pieces = compileNow(file, readText, { folder, read, budget: recordCharges(budget, charges) })
      const result = await inTurns(pieces, (piece) => budget.work(piece))
      // Not cached, because exceeding the budget depends on the source's other policies.
      if (result.over !== undefined) return result
      remember(key, { reads, charges, result })
      if (result.policy !== undefined && !isShipped(file)) unchecked.set(result.policy, { reads, charges, folder })
      return result
    },
    keep({ compiled, definition, problems }) {
      const made = unchecked.get(compiled)
      unchecked.delete(compiled)
      if (made === undefined || definition === undefined || problems.some(isError)) return
      const text = JSON.stringify({ ...definition, examples: undefined })
      kept?.keep({ ...made, policy: { ...compiled, definition: text, warnings: problems } })
    },
  }

  function earlier(file: string, folder: string): Compiled | undefined {
    const found = isShipped(file) ? undefined : kept?.find(file, folder)
    return found && { reads: found.reads, charges: found.charges, result: { policy: found.policy, problems: [] } }
  }

  function remember(key: string, one: Compiled): void {
    if (known.size >= limits.policiesCompiledMax) known.clear()
    known.set(key, one)
  }
}

function isSame({ reads }: Compiled, disk: Disk): boolean {
  return [...reads].every(([path, was]) => fingerprint(path, textOf(path, disk)) === was)
}

/** INVARIANT: a source that grows file by file gets the same result as one that is compiled at once. */
function chargeAgain(file: string, { charges, result }: Compiled, budget: CompileBudget): Compilation {
  for (const charge of charges) {
    const over = chargeTo(budget, charge)
    if (over === undefined) continue
    const { message, remedy } = over
    return { policy: undefined, problems: [], over: { severity: 'error', place: { file }, message, remedy } }
  }
  return result
}

/** @returns `undefined` if there is no such file */
export function textOf(path: string, disk: Disk): string | Unreadable | undefined {
  if (disk.see(path) === 'absent') return undefined
  const bytes = disk.read(path, limits.policyFileBytesMax)
  if (isUnreadable(bytes)) return bytes
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return { kind: 'unreadable', why: 'it is not UTF-8' }
  }
}

/** Identifies a file's content and its real path, which imports are relative to. */
function fingerprint(path: string, text: string | Unreadable | undefined): string {
  if (typeof text !== 'string') return JSON.stringify(text ?? 'absent')
  return `${realPath(path)} ${createHash('sha256').update(text).digest('hex')}`
}
