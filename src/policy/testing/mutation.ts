import type { Place } from '../../model/errors.ts'
import { limits } from '../../model/limits.ts'
import {
  type CompiledPolicy,
  type Described,
  type PolicyCall,
  PolicyDefinition,
  type PolicyPort,
  type PolicyRequest,
  type PolicyResult,
} from '../../model/policy.ts'
import { definitionMismatches } from '../compile/definition/definition.ts'
import { requestFor } from '../compile/definition/examples.ts'
import { nodeName, placesOf } from '../compile/syntax/nodes.ts'
import { evaluateOne, isInfrastructureFailure, type PolicySources, type SourceModule } from './policy-sources.ts'
import type { FileCoverage } from './coverage.ts'
import { type Mutant, type MutantKind, mutantsOf } from './mutants/index.ts'
import { type Edit, applyEdit } from './mutants/values.ts'
import { PolicyCalls } from '../../model/policy-interest.ts'

/** A mutant that no example detects. */
export interface Survivor {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly kind: MutantKind
  readonly was: string
  readonly now: string
  /** Describes an example that would detect it. */
  readonly hint: string
}

export interface MutationReport {
  readonly made: number
  readonly killed: number
  readonly survivors: readonly Survivor[]
}

interface Candidate {
  readonly file: string
  readonly mutant: Mutant
}

/** Runs mutation testing: changes a policy in many small ways, one at a time, and reports the mutants that survive. */
export async function mutationOf(
  sources: PolicySources,
  definition: PolicyDefinition,
  coverage: readonly FileCoverage[],
  policies: PolicyPort,
): Promise<MutationReport> {
  const copies = copiesOf(sources)
  const base = await baseline(copies.original, definition, policies)
  const candidates = sources.modules.flatMap(({ file, text, ast, description }) =>
    mutantsOf(text, ast, description).map((mutant): Candidate => ({ file, mutant })),
  )
  const batches = batchesOf(candidates, mutantsAtOnceMax)
  const survived = await runInLanes(batches, (batch) => survivorsOf(copies, batch, base, definition, policies))
  const placeOf = new Map(sources.modules.map(({ file, source }) => [file, placesOf(source)]))
  const survivors = survived.flat().map(({ file, mutant: { start, kind, was, now, hint } }) => {
    const { line = 1, column = 1 } = placeOf.get(file)?.(start) ?? {}
    const unreached = coverage.some((one) => one.file === file && one.lines.uncovered.includes(line))
    return { file, line, column, kind, was, now, hint: unreached ? 'an example that reaches this line' : hint }
  })
  return { made: candidates.length, killed: candidates.length - survivors.length, survivors }
}
/** Mutants that `hookgate test` loads together: each is some kilobytes, and one that loops delays the others. */
export const mutantsAtOnceMax = 64

/** The unchanged policy's outcome for each example, and its definition as JSON. */
interface Baseline {
  readonly outcomes: readonly string[]
  readonly described: string
}

async function baseline(
  compiled: CompiledPolicy,
  definition: PolicyDefinition,
  policies: PolicyPort,
): Promise<Baseline> {
  const domain = await policies.load([compiled])
  const results = definition.examples.map(async ({ given }) => {
    return resultText(
      await evaluateOne(policies, await requestFor(definition, { domain: domain.id, policy: 0 }, given, policies)),
    )
  })
  const outcomes = await Promise.all(results)
  domain.release()
  const [described] = domain.described
  return { outcomes, described: described !== undefined && 'definition' in described ? described.definition : '' }
}

/** Returns all answers as JSON, or a failure's code: its message contains places, which a mutant moves. */
function resultText(result: PolicyResult): string {
  return 'failure' in result ? result.failure.code : JSON.stringify(result.answers)
}

async function survivorsOf(
  copies: Copies,
  batch: readonly Candidate[],
  { outcomes, described }: Baseline,
  definition: PolicyDefinition,
  policies: PolicyPort,
): Promise<readonly Candidate[]> {
  // One batch at a time: all copies of a large policy would fill the memory.
  const domain = await policies.load(batch.map(({ file, mutant }) => copies.changed(file, mutant)))
  let left = batch.flatMap((candidate, policy) => {
    const own = definitionOf(domain.described[policy], described, definition)
    return own === undefined ? [] : [{ candidate, policy, own }]
  })
  for (const [index, { given }] of definition.examples.entries()) {
    if (left.length === 0) break
    // oxlint-disable-next-line no-await-in-loop -- as below
    const usual = await requestFor(definition, { domain: domain.id, policy: 0 }, given, policies)
    const values = [...usual.values]
    const asking = left.map(async ({ policy, own }) => {
      // Built only for mutants with other params or states: for all mutants it would be most of the work.
      const request = own === definition ? usual : await requestFor(own, { domain: domain.id, policy }, given, policies)
      const from = request === usual ? 0 : values.push(...request.values) - request.values.length
      return request.calls.all.map(({ domain: id, facts, params }): PolicyCall => ({
        domain: id,
        policy,
        facts: facts.map((place) => (place < 0 ? place : place + from)),
        params,
      }))
    })
    // oxlint-disable-next-line no-await-in-loop -- as below
    const calls = (await Promise.all(asking)).flat()
    // oxlint-disable-next-line no-await-in-loop -- a detected mutant is not evaluated again: it may loop
    const results = await evaluateTogether({ ...usual, values }, calls, policies)
    left = left.filter((_, place) => results[place] === outcomes[index])
  }
  domain.release()
  return left.map(({ candidate }) => candidate)
}

/** Evaluates several mutants on one event, and returns their outcomes. */
async function evaluateTogether(
  request: PolicyRequest,
  calls: readonly PolicyCall[],
  policies: PolicyPort,
): Promise<readonly string[]> {
  const results = await policies.evaluate({ ...request, calls: new PolicyCalls(calls) })
  const outcomes: string[] = []
  for (const [index, call] of calls.entries()) {
    const result = results[index]
    const isAnswered = result !== undefined && !isInfrastructureFailure(result)
    const alone = { ...request, calls: new PolicyCalls([call]) }
    // oxlint-disable-next-line no-await-in-loop -- retried alone: others that looped left it no time
    outcomes.push(resultText(isAnswered ? result : await evaluateOne(policies, alone)))
  }
  return outcomes
}

/** A placeholder: problems of a mutant are not reported. */
const nowhere: Place = { file: '' }

/** Returns a mutant's definition; `undefined` if it does not load or fit the examples, which counts as detected. */
function definitionOf(
  described: Described | undefined,
  original: string,
  definition: PolicyDefinition,
): PolicyDefinition | undefined {
  if (described === undefined || 'failure' in described) return undefined
  if (described.definition === original) return definition
  const parsed = PolicyDefinition.safeParse(JSON.parse(described.definition))
  if (!parsed.success) return undefined
  // The examples are the original's, because mutants are made without examples.
  const own = { ...definition, params: parsed.data.params, state: parsed.data.state }
  return definitionMismatches(own, () => nowhere).length === 0 ? own : undefined
}

function batchesOf<T>(items: readonly T[], most: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / most) }, (_, index) =>
    items.slice(index * most, (index + 1) * most),
  )
}

/** Processes as many items at once as there are threads. Returns the results in the order of the items. */
async function runInLanes<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results = new Map<number, R>()
  let next = 0
  const lane = async () => {
    for (let index = next++; index < items.length; index = next++) {
      const item = items[index]
      // oxlint-disable-next-line no-await-in-loop -- each lane processes its items one after the other
      if (item !== undefined) results.set(index, await work(item))
    }
  }
  await Promise.all(Array.from({ length: limits.policyThreadsMax }, lane))
  return items.flatMap((_, index) => results.get(index) ?? [])
}

/** Creates copies of a policy without its examples, which may be most of its code. */
interface Copies {
  /** The copy without a change. */
  readonly original: CompiledPolicy
  /** Returns a copy with one change of one file. If it is no longer valid JavaScript, loading it fails. */
  changed(file: string, change: Edit): CompiledPolicy
}

/** Edits the compiled code, whose offsets are those of the source: compiling each copy would take most of the time. */
function copiesOf({ compiled, modules }: PolicySources): Copies {
  const codes = new Map(
    compiled.modules.map(({ file, code }) => {
      const module = modules.find((one) => one.file === file)
      return [file, module === undefined ? code : withoutExamples(code, module)] as const
    }),
  )
  const copy = (changedFile: string | undefined, change: (code: string) => string): CompiledPolicy => ({
    ...compiled,
    modules: compiled.modules.map((module) => {
      const { file, code } = module
      const bare = codes.get(file) ?? code
      return { ...module, code: file === changedFile ? change(bare) : bare }
    }),
  })
  return {
    original: copy(undefined, (code) => code),
    changed: (file, change) => copy(file, (code) => applyEdit(code, change)),
  }
}

function withoutExamples(code: string, { description }: SourceModule): string {
  let bare = code
  for (const node of description) {
    if (node.type !== 'Property' || node.computed || nodeName(node.key) !== 'examples') continue
    if (node.value.type !== 'ArrayExpression') continue
    const { start, end } = node.value
    bare = applyEdit(bare, { start, end, replacement: '[]'.padEnd(end - start) })
  }
  return bare
}
