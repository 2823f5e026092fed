import { memoize } from '../../model/lazy.ts'
import { createHash } from 'node:crypto'
import { limits } from '../../model/limits.ts'
import type { CompileBudget } from '../../model/policy-loading.ts'
import { noBudget } from './compile-budget.ts'
import { isShipped } from '../../files/policy-files.ts'
import { inTurns } from '../../files/turns.ts'
import type { BuiltCompilations } from './built-policies.ts'
import { type Disk, isUnreadable, type Unreadable } from '../../model/disk.ts'
import { realPath } from '../../files/real-path.ts'
import type { Compilation, compilation } from './compile-policy.ts'
import type { ReadModules } from './read-module.ts'

type Compile = typeof compilation

/** Compiles policies, and caches each result until the content of one of its files changes. */
export interface CompileCache {
  /**
   * @param together the parsed modules and the budget shared by policies that are compiled together. Shipped policies
   * are not charged to the budget.
   */
  compile(file: string, folder: string, disk: Disk, together?: Together): Promise<Compilation>
}

export interface Together {
  readonly read: ReadModules
  readonly budget: CompileBudget
}

interface Compiled {
  /** Fingerprint of each file that was read, by path. */
  readonly reads: ReadonlyMap<string, string>
  /** The charges to the budget, in order: a cached result is charged the same again. */
  readonly charges: readonly BudgetCharge[]
  readonly result: Compilation
}

type BudgetCharge = (budget: CompileBudget) => ReturnType<CompileBudget['code']>

/** @param built loads the prebuilt policies; called only for a shipped policy */
export function openCompileCache(built?: () => Promise<BuiltCompilations | undefined>): CompileCache {
  const known = new Map<string, Compiled>()
  // Loaded lazily: the compiler's parsers take longer to load than most rules take to read.
  const compiler = memoize<Compile>(async () => (await import('./compile-policy.ts')).compilation)
  return {
    async compile(file, folder, disk, { read, budget: given } = { read: new Map(), budget: noBudget }) {
      const shipped =
        built !== undefined && isShipped(file) ? (await built())?.compilation(file, folder, disk) : undefined
      if (shipped !== undefined) return shipped
      const budget = isShipped(file) ? noBudget : given
      const key = `${file}\0${folder}`
      const before = known.get(key)
      if (before !== undefined && isSame(before, disk)) return chargeAgain(file, before, budget)
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
      if (known.size >= limits.policiesCompiledMax) known.clear()
      known.set(key, { reads, charges, result })
      return result
    },
  }
}

function isSame({ reads }: Compiled, disk: Disk): boolean {
  return [...reads].every(([path, was]) => fingerprint(path, textOf(path, disk)) === was)
}

/** INVARIANT: a source that grows file by file gets the same result as one that is compiled at once. */
function chargeAgain(file: string, { charges, result }: Compiled, budget: CompileBudget): Compilation {
  for (const count of charges) {
    const over = count(budget)
    if (over === undefined) continue
    const { message, remedy } = over
    return { policy: undefined, problems: [], over: { severity: 'error', place: { file }, message, remedy } }
  }
  return result
}

function recordCharges(budget: CompileBudget, charges: BudgetCharge[]): CompileBudget {
  const count = (one: BudgetCharge) => {
    charges.push(one)
    return one(budget)
  }
  return {
    ...budget,
    policy: (file) => count((to) => to.policy(file)),
    policyFile: (file, bytes) => count((to) => to.policyFile(file, bytes)),
    code: (units) => count((to) => to.code(units)),
  }
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
