/** `hookgate/testing`: the functions behind `hookgate test` and `hookgate bench`, for test suites and scripts. */
import { openToolFacts } from '../facts/tool-call.ts'
import { benchAll, type BenchOptions, type BenchReport } from '../policy/testing/bench-policies.ts'
import { type PolicyReport, testAll, type TestOptions } from '../policy/testing/test-policies.ts'

export type { BenchOptions, BenchReport, Cost, PolicyCost } from '../policy/testing/bench-policies.ts'
export type { CoverageCount, FileCoverage, UntakenBranch } from '../policy/testing/coverage.ts'
export type { ExampleReport } from '../policy/testing/policy-sources.ts'
export type { MutantKind } from '../policy/testing/mutants/index.ts'
export type { MutationReport, Survivor } from '../policy/testing/mutation.ts'
export type { Spread } from '../policy/testing/bench-policies.ts'
export type { PolicyReport, TestOptions } from '../policy/testing/test-policies.ts'
export { type PassCriteria, isGood, type Totals, totalsOf } from '../policy/testing/test-policies.ts'
export type { Place } from '../model/errors.ts'
export type { Problem } from '../model/errors.ts'

/**
 * Runs the examples of policies, and reports branches they do not cover and mutants of the policies that survive.
 *
 * @param paths policy files, or folders of them; none for the usual folders
 * @throws HookgateError `usage` where there is no policy
 */
export async function testPolicies(
  paths: readonly string[],
  options: TestOptions = {},
): Promise<readonly PolicyReport[]> {
  return testAll(paths, options, openToolFacts())
}

/**
 * Measures what policies cost on their own examples, in the sandbox that runs them for real.
 *
 * @param paths policy files, or folders of them; none for the usual folders
 * @throws HookgateError `usage` where there is no policy
 */
export async function benchPolicies(paths: readonly string[], options: BenchOptions = {}): Promise<BenchReport> {
  return benchAll(paths, options, openToolFacts())
}
