import type { Counted, FileCoverage } from './coverage.ts'
import type { PolicyReport } from './test-policies.ts'

/** The sums over the reports of several policies. */
export interface Totals {
  readonly policies: number
  /** Policies that do not load. */
  readonly unloaded: number
  readonly passed: number
  readonly failed: number
  readonly lines: Counted
  readonly branches: Counted
  readonly mutants: { readonly made: number; readonly survived: number }
}

export function totalsOf(reports: readonly PolicyReport[]): Totals {
  const examples = reports.flatMap((report) => report.examples)
  const coverage = reports.flatMap((report) => report.coverage)
  const mutations = reports.flatMap(({ mutation }) => mutation ?? [])
  return {
    policies: reports.length,
    unloaded: reports.filter(({ problems }) => problems.length > 0).length,
    passed: examples.filter(({ passed }) => passed).length,
    failed: examples.filter(({ passed }) => !passed).length,
    lines: sumOf(coverage.map(({ lines }) => lines)),
    branches: sumOf(coverage.map(({ branches }) => branches)),
    mutants: {
      made: mutations.reduce((sum, { made }) => sum + made, 0),
      survived: mutations.reduce((sum, { survivors }) => sum + survivors.length, 0),
    },
  }
}

/** Returns the share of lines and branches that a policy's examples cover, in percent. */
export function coveredPercent(coverage: readonly FileCoverage[]): number {
  const { covered, total } = sumOf(coverage.flatMap(({ lines, branches }) => [lines, branches]))
  return total === 0 ? 100 : (100 * covered) / total
}

export interface Demands {
  /** Demands that every line and branch is covered and no mutant survives. */
  readonly strict: boolean
  /** The least coverage of each policy, in percent as `coveredPercent` counts. */
  readonly coverageMin: number
}

/** Returns true if every policy loads, every example passes, and the demands are met. */
export function isGood(reports: readonly PolicyReport[], { strict, coverageMin }: Demands): boolean {
  const { unloaded, failed, mutants } = totalsOf(reports)
  if (unloaded > 0 || failed > 0) return false
  const leastPercent = Math.min(100, ...reports.map(({ coverage }) => coveredPercent(coverage)))
  return strict ? leastPercent === 100 && mutants.survived === 0 : leastPercent >= coverageMin
}

function sumOf(counts: readonly Counted[]): Counted {
  return counts.reduce<Counted>(
    (sum, { total, covered }) => ({ total: sum.total + total, covered: sum.covered + covered }),
    { total: 0, covered: 0 },
  )
}
