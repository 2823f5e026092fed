import { limits } from '../model/limits.ts'
import { benchText } from './bench/report.ts'
import { type Command, jsonText, printed } from './command.ts'
import { parseFlags, usage } from './flags.ts'

export const bench: Command = {
  summary: 'measure what policies cost on their own examples',
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
    const seconds = secondsOf(values.seconds)
    // Loaded late, with the compiler: `hookgate run`, for which agents wait, does not need it.
    const { benchPolicies } = await import('../testing.ts')
    const report = await benchPolicies(positionals, { cwd, seconds })
    const exitCode = report.unmeasured.length === 0 ? 0 : 1
    return printed(values.json === true ? jsonText(report, 2) : benchText(report, cwd), exitCode)
  },
}

const flags = { seconds: { type: 'string' }, json: { type: 'boolean' } } as const

function secondsOf(value: string | undefined): number {
  if (value === undefined) return 1
  const seconds = Number(value)
  if (value.trim() !== '' && seconds > 0 && seconds <= limits.benchSecondsMax) return seconds
  throw usage(`--seconds must be above 0 and at most ${limits.benchSecondsMax}, not \`${value}\``, 'bench')
}
