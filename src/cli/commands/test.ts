import { relative } from 'node:path'
import { isDraftName } from '../../files/policy-files.ts'
import { type Place, placeText } from '../../model/errors.ts'
import { printable, quoted } from '../../model/text.ts'
import { type Problem, problemText } from '../../rules/index.ts'
import type { CoverageCount, FileCoverage } from '../../policy/testing/coverage.ts'
import type { MutationReport } from '../../policy/testing/mutation.ts'
import type { ExampleReport } from '../../policy/testing/policy-sources.ts'
import { isGood, type PolicyReport, type Totals, totalsOf } from '../../policy/testing/test-policies.ts'
import { type Command, jsonText, printed, usage } from '../command.ts'
import { parseFlags } from '../args/flags.ts'
import { counted } from '../../words/counted.ts'
import { paintFor } from '../text/layout.ts'

export const testCommand: Command = {
  help: `hookgate test: run policies' examples, and report what they miss

  hookgate test [PATH]… [options]

PATH is a policy's file or a folder of policies; without one, .hookgate/policies and policies are searched.
For each policy: whether each example gets the result it wants, which lines and branches no example reaches, and which
mutants survive: small changes to its source (a comparison reversed, an effect swapped, an anchor dropped) after which
all examples still pass.

  --no-mutants          make no mutants
  --strict              fail if a line or branch is not covered, or a mutant survives
  --min-coverage N      fail if a policy's examples reach less than N percent of its lines and branches
  --json                the whole report as one JSON object: passed, totals, policies

Exits with 1 if a policy does not load, an example fails, or less is covered than required.

  hookgate test .hookgate/policies/no-force-push.policy.ts
`,
  async run({ argv, cwd }) {
    const { values, positionals } = parseFlags('test', argv, flags, true)
    const coverageMin = percentOf(values['min-coverage'])
    // Loaded late, with the compiler: `hookgate run`, for which agents wait, does not need it.
    const { testPolicies } = await import('../../library/testing.ts')
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

/** Formats reports on policies for people: a block for each, and a summary line. */
const reportText = (reports: readonly PolicyReport[], cwd: string) =>
  [...reports.flatMap((report) => policyText(report, cwd)), totalsText(totalsOf(reports)), ''].join('\n')

const paint = paintFor()

function policyText(report: PolicyReport, cwd: string): readonly string[] {
  const { file, id, problems, examples, coverage, mutation } = report
  const shortPlace = (place: Place): Place => ({ ...place, file: shortenPath(place.file, cwd) })
  const at: PlaceText = (place) => paint('dim', placeText(shortPlace(place)))
  const draft = isDraftName(file) ? '  a draft, which is not in force' : ''
  const head = `${paint('bold', id ?? 'does not load')}  ${paint('dim', shortenPath(file, cwd))}${draft}`
  if (problems.length > 0) {
    const text = (problem: Problem) => problemText({ ...problem, place: shortPlace(problem.place) })
    return [head, ...problems.map((problem) => `  ${paint('red', 'error')}  ${printable(text(problem))}`), '']
  }
  const mutants = mutation === undefined ? [] : mutationText(mutation, examples.length, at)
  return [head, ...examplesText(examples, at), ...coverageText(coverage, at), ...mutants, '']
}

/** Formats a place with its path relative to the working directory. */
type PlaceText = (place: Place) => string

function examplesText(examples: readonly ExampleReport[], at: PlaceText): readonly string[] {
  const failed = examples.filter(({ passed }) => !passed)
  if (examples.length === 0) return [`  ${paint('yellow', 'examples')}   none, so nothing checks what it decides`]
  const passes = paint('green', counted(examples.length - failed.length, 'passes', 'pass'))
  const fails = failed.length === 0 ? '' : `, ${paint('red', counted(failed.length, 'fails', 'fail'))}`
  return [
    `  examples   ${passes}${fails}`,
    ...failed.flatMap(({ name, place, wanted = '', got = '' }) => [
      `    ${paint('red', 'fails')}  ${printable(name)}  ${at(place)}`,
      `           wanted ${wanted}`,
      `           got    ${got}`,
    ]),
  ]
}

function coverageText(coverage: readonly FileCoverage[], at: PlaceText): readonly string[] {
  const totals = totalsOf([{ file: '', problems: [], examples: [], coverage }])
  const whole = isWhole(totals.lines) && isWhole(totals.branches)
  return [
    `  coverage   ${paint(whole ? 'green' : 'yellow', coverageWords(totals))}`,
    ...coverage.flatMap(({ file, lines, branches }) => [
      ...lines.uncovered.map((line) => `    ${at({ file, line })}  no example reaches this line`),
      ...branches.uncovered
        .filter(({ line }) => !lines.uncovered.includes(line))
        .map(({ line, column, untaken }) => `    ${at({ file, line, column })}  ${untaken}`),
    ]),
  ]
}

function mutationText({ made, survivors }: MutationReport, examples: number, at: PlaceText): readonly string[] {
  const words =
    survivors.length === 0
      ? paint('green', `all ${made} killed`)
      : paint('yellow', `${survivors.length} of ${made} survived`)
  if (examples === 0) return [`  mutants    ${paint('yellow', `all ${made} survived: there are no examples`)}`]
  return [
    `  mutants    ${words}`,
    ...survivors.map(({ file, line, column, was, now, hint }) => {
      const change = `${onOneLine(was)} → ${now === 'nothing' ? now : onOneLine(now)}`
      return `    ${at({ file, line, column })}  ${change}; add ${hint}`
    }),
    ...bestExamples(survivors).map((text) => `  ${text}`),
  ]
}

/** Says which examples would kill the most mutants, if there are more than these to write. */
function bestExamples(survivors: MutationReport['survivors']): readonly string[] {
  const groups = [...Map.groupBy(survivors, ({ hint }) => hint)].toSorted(([, a], [, b]) => b.length - a.length)
  if (groups.length <= examplesToWriteFirst) return []
  return groups
    .slice(0, examplesToWriteFirst)
    .map(([hint, killed]) => `write first  ${hint} (kills ${counted(killed.length, 'mutant', 'mutants')})`)
}
/** More are not written at once, and the next run names the next. */
const examplesToWriteFirst = 3

function totalsText({ policies, unloaded, passed, failed, lines, branches, mutants }: Totals): string {
  return [
    counted(policies, 'policy', 'policies'),
    ...(unloaded === 0 ? [] : [`${unloaded} of which ${unloaded === 1 ? 'does' : 'do'} not load`]),
    counted(passed, 'example passes', 'examples pass'),
    ...(failed === 0 ? [] : [counted(failed, 'fails', 'fail')]),
    // For a policy that does not load, nothing was measured.
    ...(lines.total + branches.total === 0 ? [] : [coverageWords({ lines, branches })]),
    ...(mutants.made === 0 ? [] : [`${mutants.survived} of ${mutants.made} mutants survived`]),
  ].join(', ')
}

function coverageWords({ lines, branches }: Pick<Totals, 'lines' | 'branches'>): string {
  return `${percent(lines)} of ${counted(lines.total, 'line', 'lines')} and ${percent(branches)} of ${counted(branches.total, 'branch', 'branches')}`
}

/** Rounds down, so that 100 % means all. */
const percent = ({ covered, total }: CoverageCount) => `${total === 0 ? 100 : Math.floor((100 * covered) / total)} %`
const isWhole = ({ covered, total }: CoverageCount) => covered === total
const onOneLine = (text: string) => quoted(text.replaceAll(/\s+/g, ' '))

function shortenPath(file: string, cwd: string): string {
  const path = relative(cwd, file)
  return printable(path === '' || path.startsWith('..') ? file : path)
}
