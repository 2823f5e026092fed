import { isGood, totalsOf } from '../policy/testing/test-policies.ts'
import { type Command, jsonText, printed } from './command.ts'
import { parseFlags, usage } from './flags.ts'
import { reportText } from './test/report.ts'

export const test: Command = {
  summary: "run policies' examples, and report what they do not cover or would not notice",
  help: `hookgate test: run policies' examples, and report what they miss

  hookgate test [PATH]… [options]

PATH is a policy's file or a folder of policies; without one, .hookgate/policies and policies are searched.
For each policy: whether each example gets the result it wants, which lines and branches no example reaches, and which
small changes to its source (a comparison reversed, an effect swapped, an anchor dropped) no example would notice.

  --no-mutants          skip the changes
  --strict              fail if a line or branch is not covered, or a change goes unnoticed
  --min-coverage N      fail if a policy's examples reach less than N percent of its lines and branches
  --json                the whole report as one JSON object: passed, totals, policies

Exits with 1 if a policy does not load, an example fails, or less is covered than required.

  hookgate test .hookgate/policies/no-force-push.policy.ts
`,
  async run({ argv, cwd }) {
    const { values, positionals } = parseFlags('test', argv, flags, true)
    const coverageMin = percentOf(values['min-coverage'])
    // Loaded late, with the compiler: `hookgate run`, for which agents wait, does not need it.
    const { testPolicies } = await import('../testing.ts')
    const policies = await testPolicies(positionals, { cwd, mutants: values['no-mutants'] !== true })
    const passed = isGood(policies, { strict: values.strict === true, coverageMin })
    const exitCode = passed ? 0 : 1
    if (values.json === true) return printed(jsonText({ passed, totals: totalsOf(policies), policies }, 2), exitCode)
    return printed(reportText(policies, cwd), exitCode)
  },
}

const flags = {
  'no-mutants': { type: 'boolean' },
  strict: { type: 'boolean' },
  'min-coverage': { type: 'string' },
  json: { type: 'boolean' },
} as const

function percentOf(value: string | undefined): number {
  if (value === undefined) return 0
  const percent = Number(value)
  if (value.trim() !== '' && percent >= 0 && percent <= 100) return percent
  throw usage(`--min-coverage must be a number from 0 to 100, not \`${value}\``, 'test')
}
