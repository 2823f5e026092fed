import { HookgateError, type Problem } from '../../model/errors.ts'
import type { PolicyPort, PolicyRequest } from '../../model/policy.ts'
import type { FindToolFacts } from '../../model/tool-facts.ts'
import { compilePolicy } from '../compile/compile-policy.ts'
import { type LoadedPlace, requestFor } from '../compile/definition/examples.ts'
import { openSandbox } from '../open-sandbox.ts'
import { allProblems, evaluateOne, loadPolicy, findPolicies, type FoundPolicy, readSources } from './policy-sources.ts'
import { PolicyCalls } from '../../model/policy-interest.ts'

/** Warm-up rounds of `hookgate bench`: V8 compiles code that runs often, as it does with real events. */
const benchWarmRounds = 50

/** The time of an evaluation in µs, as measured by the gate and inside the sandbox. */
export interface Cost {
  readonly samples: number
  readonly roundTripUs: Spread
  readonly insideUs: Spread
}

export interface PolicyCost extends Cost {
  /** Absolute path. */
  readonly file: string
  readonly id: string
  /** The cost of a policy that does nothing, measured on the same events in between. */
  readonly floor: Cost
  /** The ratio of its cost to the floor's inside the sandbox, by the medians. */
  readonly timesFloor: number
  readonly examples: readonly (Cost & { readonly name: string })[]
}

export interface BenchReport {
  /** Sorted by cost, the most expensive first. */
  readonly policies: readonly PolicyCost[]
  /** Policies that do not load, or have no example to be measured with. */
  readonly unmeasured: readonly { readonly file: string; readonly problems: readonly Problem[] }[]
}

export interface BenchOptions {
  /** The folder that paths are relative to. Default: the working directory. */
  readonly cwd?: string
  /** How long each policy is measured, in seconds. Default: 1. */
  readonly seconds?: number
}

/** @throws HookgateError `usage` if there is no policy */
export async function benchAll(
  paths: readonly string[],
  { cwd = process.cwd(), seconds = 1 }: BenchOptions,
  toolFacts: FindToolFacts,
): Promise<BenchReport> {
  const found = findPolicies(paths, cwd)
  const sandbox = openSandbox('process', toolFacts)
  try {
    const floor = await loadFloor(sandbox)
    const policies: PolicyCost[] = []
    const unmeasured: BenchReport['unmeasured'][number][] = []
    for (const policy of found) {
      // oxlint-disable-next-line no-await-in-loop -- nothing else may run during a measurement
      const measured = await benchPolicy(policy, floor, seconds * 1000, sandbox)
      if ('problems' in measured) unmeasured.push({ file: policy.file, problems: measured.problems })
      else policies.push(measured)
    }
    return { policies: policies.toSorted((a, b) => b.insideUs.p50 - a.insideUs.p50), unmeasured }
  } finally {
    await sandbox.close()
  }
}

const floorSource = `import { definePolicy } from 'hookgate/policy'
export default definePolicy({ id: 'floor', description: 'Does nothing', on: 'PreToolUse', decide() {} })
`

async function loadFloor(sandbox: PolicyPort): Promise<LoadedPlace> {
  const compiled = compilePolicy('/floor/floor.policy.js', () => floorSource, { folder: '/floor' })
  if (!('digest' in compiled)) throw new HookgateError('internal', 'the policy that does nothing does not compile')
  return { domain: (await sandbox.load([compiled])).id, policy: 0 }
}

async function benchPolicy(
  policy: FoundPolicy,
  floor: LoadedPlace,
  forMs: number,
  sandbox: PolicyPort,
): Promise<PolicyCost | { readonly problems: readonly Problem[] }> {
  const sources = readSources(policy)
  if ('flawed' in sources) return { problems: await allProblems(sources, sandbox) }
  const loaded = await loadPolicy(sources, sandbox)
  if ('problems' in loaded) return loaded
  const { definition, at } = loaded
  const asking = definition.examples.map(async ({ name, given }) => {
    const request = await requestFor(definition, at, given, sandbox)
    return { name, request, taken: makeSamples(), floor: makeSamples() }
  })
  const cases = await Promise.all(asking)
  if (cases.length === 0) return { problems: [noExamples(policy.file)] }
  for (let round = 0, endMs = performance.now() + forMs; round < benchWarmRounds || performance.now() < endMs;) {
    for (const { request, taken, floor: below } of cases) {
      const nothing = {
        ...request,
        calls: new PolicyCalls(request.calls.all.map((call) => ({ ...call, ...floor, facts: [], params: '{}' }))),
      }
      // oxlint-disable-next-line no-await-in-loop -- one at a time, with the floor in between: both meet the same load
      await sample(nothing, round < benchWarmRounds ? makeSamples() : below, sandbox)
      // oxlint-disable-next-line no-await-in-loop -- as above
      await sample(request, round < benchWarmRounds ? makeSamples() : taken, sandbox)
    }
    round += 1
    if (round === benchWarmRounds) endMs = performance.now() + forMs
  }
  loaded.release()
  const own = costOf(cases.map(({ taken }) => taken))
  const base = costOf(cases.map((one) => one.floor))
  return {
    file: policy.file,
    id: definition.id,
    ...own,
    floor: base,
    timesFloor: timesOf(own.insideUs, base.insideUs),
    examples: cases.map(({ name, taken }) => Object.assign(costOf([taken]), { name })),
  }
}

interface Samples {
  readonly roundTripUs: number[]
  readonly insideUs: number[]
}

const makeSamples = (): Samples => ({ roundTripUs: [], insideUs: [] })

async function sample(request: PolicyRequest, { roundTripUs, insideUs }: Samples, sandbox: PolicyPort): Promise<void> {
  const startedAtMs = performance.now()
  const { durationMs } = await evaluateOne(sandbox, request)
  roundTripUs.push((performance.now() - startedAtMs) * 1000)
  insideUs.push(durationMs * 1000)
}

function costOf(samples: readonly Samples[]): Cost {
  const roundTrips = samples.flatMap(({ roundTripUs }) => roundTripUs)
  return {
    samples: roundTrips.length,
    roundTripUs: spreadOf(roundTrips),
    insideUs: spreadOf(samples.flatMap(({ insideUs }) => insideUs)),
  }
}

function noExamples(file: string): Problem {
  const message = 'it has no examples to measure'
  return { severity: 'error', place: { file }, message, remedy: 'add some: they also test the policy' }
}

/** Percentiles of measurements. */
export interface Spread {
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

/** Returns the ratio of two medians: the higher percentiles mostly show the machine's load. */
export const timesOf = (one: Spread, other: Spread): number => one.p50 / other.p50

/** Computes percentiles by the nearest rank, so that each is a measured value. */
export function spreadOf(measured: readonly number[]): Spread {
  const sorted = measured.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}
