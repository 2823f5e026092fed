import { limits } from '../../model/limits.ts'
import type { CompileBudget, IsTrusted } from '../../model/policy-loading.ts'
import { type Problem, type Refusal, refused } from '../../model/errors.ts'
import type { Source } from '../../model/rule.ts'
import { quoted } from '../../model/text.ts'
import { cpuMsHere } from '../sandbox/wire/frames.ts'

interface BudgetBounds {
  /** Names the policies in a message. */
  readonly whose: string
  readonly remedy: string
  readonly policies: number
  readonly policyBytes: number
  readonly ms: number
}

/** The amounts spent within some bounds. */
interface Account {
  readonly bounds: BudgetBounds
  readonly files: Set<string>
  policies: number
  policyBytes: number
  codeUnits: number
  ms: number
}

/** What a policy costs its source: the size of each of its files, by path, and of their code, in UTF-16 units. */
export interface CompileCost {
  readonly files: ReadonlyMap<string, number>
  readonly codeUnits: number
}

/**
 * Charges a cached policy to the budget. INVARIANT: a source that grows file by file gets the same result as one that is
 * compiled at once.
 */
export function chargeAgain(
  file: string,
  { files, codeUnits }: CompileCost,
  budget: CompileBudget,
): Problem | undefined {
  if (files.size === 0) return undefined
  const ofFiles = () => {
    for (const [path, bytes] of files) {
      const over = budget.policyFile(path, bytes)
      if (over !== undefined) return over
    }
    return undefined
  }
  const over = budget.policy(file) ?? ofFiles() ?? budget.code(codeUnits)
  return over && overBudget(file, over)
}

export const overBudget = (file: string, { message, remedy }: Refusal): Problem => ({
  severity: 'error',
  place: { file, line: 1, column: 1 },
  message,
  remedy,
})

/**
 * Opens the budgets for loading all rules once. Each source has its own budget, but untrusted policies of all sources
 * share one, because a repository may have rules in each of its folders.
 */
export function openBudgets(isTrusted: IsTrusted): (source: Source) => CompileBudget {
  const untrusted = openAccount(untrustedBounds)
  return (source) => {
    const own = openAccount(boundsOf(source))
    const accountFor = (file: string) =>
      source.workspaceRoot === undefined || isTrusted(source, file) ? own : untrusted
    let account = own
    /** Code of the current policy so far. */
    let ownUnits = 0
    return {
      policies(files) {
        let untrustedOnes = untrusted.policies
        const { whose, policies, remedy } = untrusted.bounds
        const isOver = files.some((file) => accountFor(file) === untrusted && ++untrustedOnes > policies)
        return isOver ? refused(`there are more than ${policies} policies ${whose}`, remedy) : undefined
      },
      policy(file) {
        account = accountFor(file)
        ownUnits = 0
        account.policies += 1
        const { whose, policies, remedy } = account.bounds
        if (account.policies <= policies) return tooLong(account)
        return refused(`there are more than ${policies} policies ${whose}`, remedy)
      },
      policyFile(file, bytes) {
        // A single untrusted file makes the whole policy untrusted.
        const owner = accountFor(file)
        if (owner === untrusted && account !== untrusted) {
          account.codeUnits -= ownUnits
          untrusted.codeUnits += ownUnits
          account = untrusted
        }
        if (!owner.files.has(file)) owner.policyBytes += bytes
        owner.files.add(file)
        const { whose, policyBytes, remedy } = owner.bounds
        if (owner.policyBytes <= policyBytes) return tooLong(account)
        return refused(`the policies ${whose} are larger than ${policyBytes} bytes in total`, remedy)
      },
      code(units) {
        ownUnits += units
        account.codeUnits += units
        const { whose, policyBytes, remedy } = account.bounds
        const unitsMax = policyBytes * policyLinkedTimes
        if (account.codeUnits <= unitsMax) return tooLong(account)
        return refused(`the policies ${whose} compile to more than ${unitsMax} bytes of code`, remedy)
      },
      work(piece) {
        const before = cpuMsHere()
        try {
          return piece()
        } finally {
          account.ms += cpuMsHere() - before
        }
      },
    }
  }
}
/**
 * Ratio of compiled code to source bytes: a module is linked into each policy that imports it. For hookgate's own
 * packs the ratio is three.
 */
const policyLinkedTimes = 8

/** An unlimited budget, for policies compiled by their author or by hookgate's own build. */
export const noBudget: CompileBudget = {
  policies: () => undefined,
  policy: () => undefined,
  policyFile: () => undefined,
  code: () => undefined,
  work: (piece) => piece(),
}

const openAccount = (bounds: BudgetBounds): Account => ({
  bounds,
  files: new Set(),
  policies: 0,
  policyBytes: 0,
  codeUnits: 0,
  ms: 0,
})

function tooLong({ ms, bounds: { whose, remedy, ms: msMax } }: Account): Refusal | undefined {
  return ms <= msMax ? undefined : refused(`the policies ${whose} take more than ${msMax / 1000} s to compile`, remedy)
}

/**
 * All untrusted policies of one load together: 85 of 6 KB. The most expensive code takes 3.2 s per megabyte, and
 * meanwhile an agent waits for the rules of others.
 */
const untrustedPolicyBytesMax = 512 * 1024

/**
 * CPU time for compiling all untrusted policies of one load. Ordinary code of the maximum size takes half a second.
 */
const untrustedCompileMsMax = 2000

const untrustedBounds: BudgetBounds = {
  whose: 'that are not trusted',
  remedy: 'remove some, or review them and run `hookgate trust`',
  policies: limits.untrustedPoliciesMax,
  policyBytes: untrustedPolicyBytesMax,
  ms: untrustedCompileMsMax,
}

/** Returns the bounds of a trusted source. The size of a file and the files of a policy have limits elsewhere. */
const boundsOf = ({ id }: Source): BudgetBounds => ({
  whose: `of ${quoted(id)}`,
  remedy: 'remove some',
  policies: Infinity,
  policyBytes: policySourceBytesMax,
  ms: policyCompileMsMax,
})
/**
 * All policy files of one source, each counted once: ten thousand policies of 6 KB, as many as a sandbox has room
 * for.
 */
const policySourceBytesMax = 64 * 1024 * 1024
/** CPU time for compiling the policies of one source. It takes a second for each megabyte, and an agent waits. */
const policyCompileMsMax = 120_000
