import type { PolicyPort } from '../../model/policy.ts'
import type { FindToolFacts } from '../../model/tool-facts.ts'
import { openSandbox } from '../open-sandbox.ts'
import type { Problem } from '../../model/errors.ts'
import { type CoverageCount, coverageOf, type FileCoverage } from './coverage.ts'
import {
  findPolicies,
  type FoundPolicy,
  readSources,
  allProblems,
  type ExampleReport,
  loadPolicy,
} from './policy-sources.ts'
import { type MutationReport, mutationOf } from './mutation.ts'

export interface PolicyReport {
  /** Absolute path. */
  readonly file: string
  /** The policy's own id; absent if it does not load. */
  readonly id?: string
  /** The reasons why it does not load; empty if it does. */
  readonly problems: readonly Problem[]
  readonly examples: readonly ExampleReport[]
  readonly coverage: readonly FileCoverage[]
  /** Absent if not requested, or if an example fails: a mutant is detected by comparing with passing examples. */
  readonly mutation?: MutationReport
}

export interface TestOptions {
  /** The folder that paths are relative to. Default: the working directory. */
  readonly cwd?: string
  /** Also report mutants that survive all examples. Default: true. */
  readonly mutants?: boolean
}

/** @throws HookgateError `usage` if there is no policy */
export async function testAll(
  paths: readonly string[],
  { cwd = process.cwd(), mutants = true }: TestOptions,
  toolFacts: FindToolFacts,
): Promise<readonly PolicyReport[]> {
  const found = findPolicies(paths, cwd)
  const sandbox = openSandbox('process', toolFacts)
  try {
    const reports: PolicyReport[] = []
    for (const policy of found) {
      // oxlint-disable-next-line no-await-in-loop -- the mutants of one policy fill every thread
      reports.push(await testPolicy(policy, sandbox, mutants))
    }
    return reports
  } finally {
    await sandbox.close()
  }
}

/** Tests one policy in an open sandbox. */
export async function testPolicy(policy: FoundPolicy, sandbox: PolicyPort, mutants: boolean): Promise<PolicyReport> {
  const unloaded = (problems: readonly Problem[]): PolicyReport => ({
    file: policy.file,
    problems,
    examples: [],
    coverage: [],
  })
  const sources = readSources(policy)
  if ('flawed' in sources) return unloaded(await allProblems(sources, sandbox))
  const loaded = await loadPolicy(sources, sandbox)
  if ('problems' in loaded) return unloaded(loaded.problems)
  loaded.release()
  const { definition, examples } = loaded
  const coverage = await coverageOf(sources, definition, sandbox)
  const passed = examples.every((example) => example.passed)
  return {
    file: policy.file,
    id: definition.id,
    problems: [],
    examples,
    coverage,
    ...(mutants && passed && { mutation: await mutationOf(sources, definition, coverage, sandbox) }),
  }
}

/** The sums over the reports of several policies. */
export interface Totals {
  readonly policies: number
  /** Policies that do not load. */
  readonly unloaded: number
  readonly passed: number
  readonly failed: number
  readonly lines: CoverageCount
  readonly branches: CoverageCount
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

export interface PassCriteria {
  /** True if it is required that every line and branch is covered and no mutant survives. */
  readonly strict: boolean
  /** The least coverage of each policy, in percent as `coveredPercent` counts. */
  readonly coverageMin: number
}

/** Returns true if every policy loads, every example passes, and the demands are met. */
export function isGood(reports: readonly PolicyReport[], { strict, coverageMin }: PassCriteria): boolean {
  const { unloaded, failed, mutants } = totalsOf(reports)
  if (unloaded > 0 || failed > 0) return false
  const leastPercent = Math.min(100, ...reports.map(({ coverage }) => coveredPercent(coverage)))
  return strict ? leastPercent === 100 && mutants.survived === 0 : leastPercent >= coverageMin
}

function sumOf(counts: readonly CoverageCount[]): CoverageCount {
  return counts.reduce<CoverageCount>(
    (sum, { total, covered }) => ({ total: sum.total + total, covered: sum.covered + covered }),
    { total: 0, covered: 0 },
  )
}
