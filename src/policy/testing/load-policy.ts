import { byPlace, HookgateError, type Place, type Problem } from '../../model/errors.ts'
import type { PolicyDefinition, PolicyPort, PolicyRequest, PolicyResult } from '../../model/policy.ts'
import { definitionProblem, loadChecked, readDefinition } from '../compile/definition/definition.ts'
import { type LoadedPlace, runExamples } from '../compile/definition/examples.ts'
import { placeInDefinition } from '../compile/syntax/parse-module.ts'
import type { FlawedSources, PolicySources } from './policy-sources.ts'
import { lacksSandbox } from '../../model/failure.ts'

/** The result of one example. */
export interface ExampleReport {
  readonly name: string
  readonly place: Place
  readonly passed: boolean
  /** Present, like `got`, only if the example failed. */
  readonly wanted?: string
  readonly got?: string
}

/** A policy loaded into the sandbox, or the reasons why it could not be loaded. */
type LoadedPolicy =
  | {
      readonly definition: PolicyDefinition
      readonly examples: readonly ExampleReport[]
      readonly at: LoadedPlace
      release(): void
    }
  | { readonly problems: readonly Problem[] }

/** Loads a policy and runs its examples. Failing examples are reported, but do not keep it from loading. */
export async function loadPolicy(sources: PolicySources, sandbox: PolicyPort): Promise<LoadedPolicy> {
  const domain = await sandbox.load([sources.compiled])
  const refused = (problems: readonly Problem[]): LoadedPolicy => {
    domain.release()
    return { problems }
  }
  const place = placesIn(sources)
  const [described] = domain.described
  if (described === undefined) {
    return refused([
      { severity: 'error', place: place([]), message: 'the sandbox did not describe it', remedy: undefined },
    ])
  }
  if ('failure' in described) return refused([definitionProblem(described.failure, sources.compiled)])
  const { definition, problems } = readDefinition(described.definition, place)
  if (definition === undefined) return refused(problems)
  const at = { domain: domain.id, policy: 0 }
  const results = await runExamples(definition, at, sandbox)
  const examples = results.map((result, index): ExampleReport => {
    const name = definition.examples[index]?.name ?? ''
    const where = place(['examples', index])
    if (result.ok) return { name, place: where, passed: true }
    return { name, place: where, passed: false, wanted: result.wanted, got: result.got }
  })
  return { definition, examples, at, release: () => domain.release() }
}

/** Returns all problems of a flawed policy: those of compiling it, and those of its definition if it can still run. */
export async function allProblems(
  { problems, flawed }: FlawedSources,
  sandbox: PolicyPort,
): Promise<readonly Problem[]> {
  if (flawed === undefined) return problems
  const domain = await loadChecked([flawed], sandbox, { flawed: new Set([flawed]), proven: new Set() })
  domain.release()
  return [...problems, ...domain.policies.flatMap((policy) => policy.problems)].toSorted(byPlace)
}

/** Returns a function that finds the places of the parts of a policy's definition. */
function placesIn({ file, modules }: PolicySources): (path: readonly PropertyKey[]) => Place {
  const own = modules.at(-1)
  return (path) => (own && placeInDefinition(own, path)) ?? { file, line: 1, column: 1 }
}

/** Returns true for an infrastructure failure, for which the policy is not responsible. */
export function isInfrastructureFailure(result: PolicyResult): boolean {
  return 'failure' in result && lacksSandbox(result.failure.code)
}

/**
 * Evaluates one policy. Throws if the sandbox was lost: taken for an answer, that would count as a detected mutant.
 *
 * @throws HookgateError `internal` if the sandbox is not available
 */
export async function evaluateOne(policies: PolicyPort, request: PolicyRequest): Promise<PolicyResult> {
  const [result] = await policies.evaluate(request)
  if (result === undefined) throw new HookgateError('internal', 'the sandbox did not answer for a policy')
  if ('failure' in result && isInfrastructureFailure(result)) {
    throw new HookgateError('internal', `the sandbox was lost: ${result.failure.message}`, { remedy: 'try again' })
  }
  return result
}
