import type { Place } from '../model/errors.ts'
import type { PolicyDefinition, PolicyPort } from '../model/policy.ts'
import { openSandbox } from '../sandbox.ts'
import { readDefinition } from '../rules/load/policy/definition.ts'
import { runExamples } from '../rules/load/policy/examples.ts'
import { placeInDefinition } from '../rules/load/policy/place-in-definition.ts'
import type { Problem } from '../rules/problem.ts'
import { coverageOf, type FileCoverage } from './coverage.ts'
import { findPolicies, type PolicyFile } from './find-policies.ts'
import { type MutationReport, mutationOf } from './mutation.ts'
import { type PolicySources, readSources } from './policy-sources.ts'

/** How one example came out. */
export interface ExampleReport {
  readonly name: string
  readonly place: Place
  readonly passed: boolean
  /** In words, where it did not pass. */
  readonly wanted?: string
  readonly got?: string
}

export interface PolicyReport {
  /** Absolute. */
  readonly file: string
  /** What it calls itself; absent where it does not load. */
  readonly id?: string
  /** Why it does not load. */
  readonly problems: readonly Problem[]
  readonly examples: readonly ExampleReport[]
  readonly coverage: readonly FileCoverage[]
  /** Absent where it was not asked for, or an example fails: nobody could tell what notices. */
  readonly mutation?: MutationReport
}

export interface TestOptions {
  /** What paths are relative to. Default: the working directory. */
  readonly cwd?: string
  /** Whether to look for changes that no example notices. Default: true. */
  readonly mutants?: boolean
}

/**
 * Runs the examples of policies, tells what they cover, and which changes of the policies they would not notice.
 *
 * @param paths policy files, or folders of them; none for the usual folders
 * @throws HookgateError `usage` where there is no policy
 */
export async function testPolicies(
  paths: readonly string[],
  { cwd = process.cwd(), mutants = true }: TestOptions = {},
): Promise<readonly PolicyReport[]> {
  const found = findPolicies(paths, cwd)
  const sandbox = openSandbox('process')
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

async function testPolicy(policy: PolicyFile, sandbox: PolicyPort, mutants: boolean): Promise<PolicyReport> {
  const unloaded = (problems: readonly Problem[]): PolicyReport => ({
    file: policy.file,
    problems,
    examples: [],
    coverage: [],
  })
  const sources = readSources(policy)
  if (!('compiled' in sources)) return unloaded(sources)
  const loaded = await loadPolicy(sources, sandbox)
  if ('problems' in loaded) return unloaded(loaded.problems)
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

type LoadedPolicy =
  | { readonly definition: PolicyDefinition; readonly examples: readonly ExampleReport[] }
  | { readonly problems: readonly Problem[] }

async function loadPolicy(sources: PolicySources, sandbox: PolicyPort): Promise<LoadedPolicy> {
  const domain = await sandbox.load([sources.compiled])
  try {
    const place = placesIn(sources)
    const [described] = domain.described
    if (described === undefined || 'failure' in described) {
      const message = described?.failure.message ?? 'the sandbox did not describe it'
      return { problems: [{ severity: 'error', place: place([]), message, remedy: undefined }] }
    }
    const { definition, problems } = readDefinition(described.definition, place)
    if (definition === undefined) return { problems }
    const results = await runExamples(definition, { domain: domain.id, policy: 0 }, sandbox)
    const examples = results.map((result, index): ExampleReport => {
      const name = definition.examples[index]?.name ?? ''
      const at = place(['examples', index])
      if (result.ok) return { name, place: at, passed: true }
      return { name, place: at, passed: false, wanted: result.wanted, got: result.got }
    })
    return { definition, examples }
  } finally {
    domain.release()
  }
}

/** Where each part of what a policy says of itself stands. */
function placesIn({ file, modules }: PolicySources): (path: readonly PropertyKey[]) => Place {
  const own = modules.at(-1)
  return (path) => (own && placeInDefinition(own, path)) ?? { file, line: 1, column: 1 }
}
