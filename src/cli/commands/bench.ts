import { relative } from 'node:path'
import { styleText } from 'node:util'
import { printable } from '../../model/text.ts'
import type { BenchReport, Cost, Spread } from '../../policy/testing/bench-policies.ts'
import { problemText } from '../../rules/index.ts'
import { type Command, jsonText, printed } from '../command.ts'
import { numberOf, parseFlags } from '../args/flags.ts'

/** Longest time per policy that `hookgate bench` accepts, in seconds. */
const benchSecondsMax = 600

export const benchCommand: Command = {
  help: `hookgate bench: measure what policies cost on their own examples

  hookgate bench [PATH]… [--seconds N] [--json]

PATH is a policy's file or a folder of policies; without one, .hookgate/policies and policies are searched.
Each policy evaluates each of its examples over and over, in the same sandbox as in production. Reports how long the
whole round trip takes, and how much of it is the evaluation, compared with a policy that does nothing; the most
expensive policy comes first.

  --seconds N           how long to measure each policy (default: 1, at most 600)
  --json                the whole report as one JSON object: policies, unmeasured

Exits with 1 if a policy does not load or has no examples.

  hookgate bench .hookgate/policies --seconds 5
`,
  async run({ argv, cwd }) {
    const { values, positionals } = parseFlags('bench', argv, flags, true)
    const seconds = numberOf('bench', 'seconds', values.seconds, benchSecondsMax) ?? 1
    // Loaded late, with the compiler: `hookgate run`, for which agents wait, does not need it.
    const { benchPolicies } = await import('../../library/testing.ts')
    const report = await benchPolicies(positionals, { cwd, seconds })
    const exitCode = report.unmeasured.length === 0 ? 0 : 1
    return printed(values.json === true ? jsonText(report, 2) : benchText(report, cwd), exitCode)
  },
}

const flags = { seconds: { type: 'string' }, json: { type: 'boolean' } } as const

const columns = ['p50', 'p95', 'p99'] as const

/** Formats the cost of policies for people: one line per policy and per example. */
function benchText({ policies, unmeasured }: BenchReport, cwd: string): string {
  const stream = process.stdout
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
