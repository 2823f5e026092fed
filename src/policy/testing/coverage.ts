import type { CompiledPolicy, PolicyDefinition, PolicyPort } from '../../model/policy.ts'
import { requestFor } from '../compile/definition/examples.ts'
import { type CounterNames, type CoveragePoint, instrument } from './instrument.ts'
import { countersName } from '../compile/syntax/resolve-import.ts'
import { evaluateOne } from './ask.ts'
import { compileBehindEntry, uniqueName, withHead } from './entry-module.ts'
import type { PolicySources, SourceModule } from './policy-sources.ts'

export interface CoverageCount {
  readonly total: number
  readonly covered: number
}

/** A branch that no example takes. */
export interface UntakenBranch {
  readonly line: number
  readonly column: number
  readonly untaken: string
}

export interface FileCoverage {
  readonly file: string
  readonly lines: CoverageCount & { readonly uncovered: readonly number[] }
  readonly branches: CoverageCount & { readonly uncovered: readonly UntakenBranch[] }
}

/** Measures the coverage of a policy's examples in each of its files. */
export async function coverageOf(
  sources: PolicySources,
  definition: PolicyDefinition,
  policies: PolicyPort,
): Promise<readonly FileCoverage[]> {
  const { compiled, pointsOf } = compileWithCounters(sources)
  if (compiled === undefined) return []
  const domain = await policies.load([compiled])
  const taken = new Set<number>()
  const asked = definition.examples.map(async ({ given }) => {
    const result = await evaluateOne(
      policies,
      await requestFor(definition, { domain: domain.id, policy: 0 }, given, policies),
    )
    const [answer] = 'answers' in result ? result.answers : []
    const hits = answer !== undefined && 'notice' in answer ? answer.notice : ''
    for (let point = hits.indexOf('1'); point !== -1; point = hits.indexOf('1', point + 1)) taken.add(point)
  })
  await Promise.all(asked)
  domain.release()
  const deciding = pointsOf.filter(({ points }) => points.length > 0)
  return deciding.map(({ file, points, first }) => fileCoverage(file, points, (index) => taken.has(first + index)))
}

function fileCoverage(
  file: string,
  points: readonly CoveragePoint[],
  isTaken: (index: number) => boolean,
): FileCoverage {
  const lines = new Map<number, boolean>()
  const branches: { taken: boolean; branch: UntakenBranch }[] = []
  for (const [index, point] of points.entries()) {
    const taken = isTaken(index)
    if (point.kind === 'line') lines.set(point.line, taken || lines.get(point.line) === true)
    else branches.push({ taken, branch: { line: point.line, column: point.column, untaken: point.untaken } })
  }
  const missed = [...lines].filter(([, taken]) => !taken).map(([line]) => line)
  const untaken = branches.filter(({ taken }) => !taken).map(({ branch }) => branch)
  return {
    file,
    lines: { total: lines.size, covered: lines.size - missed.length, uncovered: missed.toSorted((a, b) => a - b) },
    branches: {
      total: branches.length,
      covered: branches.length - untaken.length,
      uncovered: untaken.toSorted((a, b) => a.line - b.line || a.column - b.column),
    },
  }
}

interface FilePoints {
  readonly file: string
  readonly points: readonly CoveragePoint[]
  /** The index of the file's first counter. */
  readonly first: number
}

/**
 * Compiles the policy with counters. Its entry module calls the policy, discards the answer, and answers every event
 * with the counters reached so far on its thread.
 */
function compileWithCounters(sources: PolicySources): {
  readonly compiled: CompiledPolicy | undefined
  readonly pointsOf: readonly FilePoints[]
} {
  const names: CounterNames = {
    hits: uniqueName('$hits', sources),
    holds: uniqueName('$holds', sources),
    present: uniqueName('$present', sources),
  }
  const { hits, holds, present } = names
  const head = `import{hits as ${hits},holds as ${holds},present as ${present}}from'${countersName}';`
  const pointsOf: FilePoints[] = []
  let first = 0
  const withCounters = (module: SourceModule) => {
    const { file, text, ast, description } = module
    const { code, points } = instrument(text, ast, names, first, description)
    pointsOf.push({ file, points, first })
    first += points.length
    return withHead(module, code, head)
  }
  return { compiled: compileBehindEntry(sources, withCounters, entrySource), pointsOf }
}

function entrySource(policy: string): string {
  const imports = `import policy from '${policy}';import { taken } from '${countersName}'`
  const decide = 'decide(asked) { try { policy.decide(asked) } catch {} return { notice: taken() } }'
  return `${imports}\nexport default { ...policy, ${decide} }\n`
}
