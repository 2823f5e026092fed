import { relative } from 'node:path'
import { styleText } from 'node:util'
import { printable } from '../../model/text.ts'
import { problemText } from '../../rules/index.ts'
import type { BenchReport, Cost } from '../../policy/testing/bench-policies.ts'
import type { Spread } from '../../policy/testing/bench-policies.ts'

const columns = ['p50', 'p95', 'p99'] as const

/** Formats the cost of policies for people: one line per policy and per example. */
export function benchText(
  { policies, unmeasured }: BenchReport,
  cwd: string,
  stream: NodeJS.WriteStream = process.stdout,
): string {
  const names = policies.flatMap(({ id, examples }) => [id, ...examples.map(({ name }) => `  ${printable(name)}`)])
  const width = Math.min(nameCharactersMax, Math.max(nameCharactersMin, ...names.map((name) => name.length)))
  const line = (name: string, cost: Cost, times: string) =>
    [name.slice(0, width).padEnd(width), ...figures(cost), times.padStart(10)].join('')
  const head = ['µs'.padEnd(width), '   round trip p50/p95/p99', '       inside p50/p95/p99', '   × floor'].join('')
  const rows = policies.flatMap((policy) => [
    styleText('bold', line(policy.id, policy, `${policy.timesFloor.toFixed(1)} ×`), { stream }),
    ...policy.examples.map((example) => line(`  ${printable(example.name)}`, example, '')),
    styleText('dim', line('  (floor)', policy.floor, ''), { stream }),
  ])
  const problems = unmeasured.flatMap((one) =>
    one.problems.map((problem) => {
      const file = relative(cwd, problem.place.file) || problem.place.file
      return `not measured: ${printable(problemText({ ...problem, place: { ...problem.place, file } }))}`
    }),
  )
  return [...(rows.length === 0 ? [] : [styleText('bold', head, { stream }), ...rows, '', note, '']), ...problems]
    .join('\n')
    .trimEnd()
    .concat('\n')
}

const nameCharactersMin = 12
const nameCharactersMax = 48

const note = `The floor is a policy that does nothing, measured in between with the same events. What else this machine is doing counts
in every figure and in both alike: rely on the ratio, not on the microseconds.`

function figures({ roundTripUs, insideUs }: Cost): readonly string[] {
  return [' ', spreadText(roundTripUs), ' ', spreadText(insideUs)]
}

function spreadText(spread: Spread): string {
  return columns.map((column) => spread[column].toFixed(1).padStart(8)).join('')
}
